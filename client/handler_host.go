package client

import (
	"context"

	acp "github.com/coder/acp-go-sdk"
)

// The rest of acp.Client and of the optional methods goes to the host as it is.

// ReadTextFile implements acp.Client.
func (h *Handler) ReadTextFile(ctx context.Context, p acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	return h.conn.host.ReadTextFile(ctx, p)
}

// WriteTextFile implements acp.Client.
func (h *Handler) WriteTextFile(ctx context.Context, p acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return h.conn.host.WriteTextFile(ctx, p)
}

// CreateTerminal implements acp.Client.
func (h *Handler) CreateTerminal(ctx context.Context, p acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return h.conn.host.CreateTerminal(ctx, p)
}

// KillTerminal implements acp.Client.
func (h *Handler) KillTerminal(ctx context.Context, p acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	return h.conn.host.KillTerminal(ctx, p)
}

// TerminalOutput implements acp.Client.
func (h *Handler) TerminalOutput(ctx context.Context, p acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	return h.conn.host.TerminalOutput(ctx, p)
}

// ReleaseTerminal implements acp.Client.
func (h *Handler) ReleaseTerminal(ctx context.Context, p acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	return h.conn.host.ReleaseTerminal(ctx, p)
}

// WaitForTerminalExit implements acp.Client.
func (h *Handler) WaitForTerminalExit(ctx context.Context, p acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	return h.conn.host.WaitForTerminalExit(ctx, p)
}

// The SDK finds these by type assertion; behind a wrapper they must not vanish. A
// host that lacks one answers method not found.

// UnstableCreateElicitation passes elicitation/create on.
func (h *Handler) UnstableCreateElicitation(ctx context.Context, p acp.UnstableCreateElicitationRequest) (acp.UnstableCreateElicitationResponse, error) {
	if host, ok := h.conn.host.(elicitor); ok {
		return host.UnstableCreateElicitation(ctx, p)
	}
	return acp.UnstableCreateElicitationResponse{}, acp.NewMethodNotFound(acp.ClientMethodElicitationCreate)
}

// UnstableCompleteElicitation passes elicitation/complete on.
func (h *Handler) UnstableCompleteElicitation(ctx context.Context, p acp.UnstableCompleteElicitationNotification) error {
	if host, ok := h.conn.host.(elicitationObserver); ok {
		return host.UnstableCompleteElicitation(ctx, p)
	}
	return acp.NewMethodNotFound(acp.ClientMethodElicitationComplete)
}

// UnstableConnectMcp passes mcp/connect on.
func (h *Handler) UnstableConnectMcp(ctx context.Context, p acp.UnstableConnectMcpRequest) (acp.UnstableConnectMcpResponse, error) {
	if host, ok := h.conn.host.(mcpConnector); ok {
		return host.UnstableConnectMcp(ctx, p)
	}
	return acp.UnstableConnectMcpResponse{}, acp.NewMethodNotFound(acp.ClientMethodMcpConnect)
}

// UnstableDisconnectMcp passes mcp/disconnect on.
func (h *Handler) UnstableDisconnectMcp(ctx context.Context, p acp.UnstableDisconnectMcpRequest) (acp.UnstableDisconnectMcpResponse, error) {
	if host, ok := h.conn.host.(mcpDisconnector); ok {
		return host.UnstableDisconnectMcp(ctx, p)
	}
	return acp.UnstableDisconnectMcpResponse{}, acp.NewMethodNotFound(acp.ClientMethodMcpDisconnect)
}

// UnstableMessageMcp passes mcp/message on, if the SDK ever routes it.
func (h *Handler) UnstableMessageMcp(ctx context.Context, p acp.UnstableMessageMcpRequest) (acp.UnstableMessageMcpResponse, error) {
	if host, ok := h.conn.host.(mcpServer); ok {
		return host.UnstableMessageMcp(ctx, p)
	}
	return nil, acp.NewMethodNotFound(acp.ClientMethodMcpMessage)
}

// UnstableMessageMcpNotification passes mcp/message on, if the SDK ever routes it.
func (h *Handler) UnstableMessageMcpNotification(ctx context.Context, p acp.UnstableMessageMcpNotification) error {
	if host, ok := h.conn.host.(mcpListener); ok {
		return host.UnstableMessageMcpNotification(ctx, p)
	}
	return acp.NewMethodNotFound(acp.ClientMethodMcpMessage)
}
