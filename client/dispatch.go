package client

import (
	"context"
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// The methods that a host may have besides acp.Client. The SDK finds them one by
// one, and so does dispatch.
type (
	elicitor interface {
		UnstableCreateElicitation(context.Context, acp.UnstableCreateElicitationRequest) (acp.UnstableCreateElicitationResponse, error)
	}
	elicitationObserver interface {
		UnstableCompleteElicitation(context.Context, acp.UnstableCompleteElicitationNotification) error
	}
	mcpConnector interface {
		UnstableConnectMcp(context.Context, acp.UnstableConnectMcpRequest) (acp.UnstableConnectMcpResponse, error)
	}
	mcpDisconnector interface {
		UnstableDisconnectMcp(context.Context, acp.UnstableDisconnectMcpRequest) (acp.UnstableDisconnectMcpResponse, error)
	}
	mcpServer interface {
		UnstableMessageMcp(context.Context, acp.UnstableMessageMcpRequest) (acp.UnstableMessageMcpResponse, error)
	}
	mcpListener interface {
		UnstableMessageMcpNotification(context.Context, acp.UnstableMessageMcpNotification) error
	}
)

// MessageMcpHost is implemented by hosts that serve MCP over ACP. The SDK lists
// the method but gives it no interface.
type MessageMcpHost interface {
	UnstableMessageMcp(context.Context, acp.UnstableMessageMcpRequest) (acp.UnstableMessageMcpResponse, error)
	UnstableMessageMcpNotification(context.Context, acp.UnstableMessageMcpNotification) error
}

// dispatch hands a request of the protocol to the host, in the SDK's types.
func (c *Conn) dispatch(sv *served, r *state.Request) (any, error) {
	switch r.Method {
	case acp.ClientMethodSessionRequestPermission:
		return serve(sv, r, func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
			complete(&p.ToolCall, r.Call)
			return c.host.RequestPermission(ctx, p)
		}, "options")
	case acp.ClientMethodFsReadTextFile:
		sv.queue = queueOf(c.host)
		return serve(sv, r, c.host.ReadTextFile, "sessionId", "path")
	case acp.ClientMethodFsWriteTextFile:
		sv.queue = queueOf(c.host)
		return serve(sv, r, c.host.WriteTextFile, "sessionId", "path", "content")
	case acp.ClientMethodTerminalCreate:
		return serve(sv, r, c.host.CreateTerminal, "sessionId", "command")
	case acp.ClientMethodTerminalOutput:
		return serve(sv, r, c.host.TerminalOutput, "sessionId", "terminalId")
	case acp.ClientMethodTerminalWaitForExit:
		return serve(sv, r, c.host.WaitForTerminalExit, "sessionId", "terminalId")
	case acp.ClientMethodTerminalKill:
		return serve(sv, r, c.host.KillTerminal, "sessionId", "terminalId")
	case acp.ClientMethodTerminalRelease:
		return serve(sv, r, c.host.ReleaseTerminal, "sessionId", "terminalId")
	case acp.ClientMethodElicitationCreate:
		if h, ok := c.host.(elicitor); ok {
			return serve(sv, r, h.UnstableCreateElicitation)
		}
	case acp.ClientMethodMcpConnect:
		if h, ok := c.host.(mcpConnector); ok {
			return serve(sv, r, h.UnstableConnectMcp)
		}
	case acp.ClientMethodMcpDisconnect:
		if h, ok := c.host.(mcpDisconnector); ok {
			return serve(sv, r, h.UnstableDisconnectMcp)
		}
	case acp.ClientMethodMcpMessage:
		if h, ok := c.host.(mcpServer); ok {
			return serve(sv, r, h.UnstableMessageMcp)
		}
	}
	return nil, acp.NewMethodNotFound(r.Method)
}

// complete fills in what a permission request leaves out of its tool call and its
// earlier frames have said: some agents send a stub. What a person or a policy
// decides on is the call, not the frame.
func complete(p *acp.ToolCallUpdate, call *dialect.ToolCall) {
	if call == nil {
		return
	}
	if p.Title == nil && call.Title != "" {
		p.Title = &call.Title
	}
	if p.Kind == nil && call.Kind != "" {
		kind := acp.ToolKind(call.Kind)
		p.Kind = &kind
	}
	if len(p.Locations) == 0 {
		json.Unmarshal(call.Locations, &p.Locations)
	}
	if p.RawInput == nil {
		json.Unmarshal(call.RawInput, &p.RawInput)
	}
}

// notified hands a notification of the protocol to the host.
func (c *Conn) notified(ctx context.Context, n *state.Notify) {
	var err error
	switch n.Method {
	case acp.ClientMethodElicitationComplete:
		if h, ok := c.host.(elicitationObserver); ok {
			err = notice(ctx, n, h.UnstableCompleteElicitation)
		}
	case acp.ClientMethodMcpMessage:
		if h, ok := c.host.(mcpListener); ok {
			err = notice(ctx, n, h.UnstableMessageMcpNotification)
		}
	}
	if err != nil {
		c.log.Warn("the host refused a notification", "method", n.Method, "error", err)
	}
}

// serve decodes params into the SDK's type P, as far as they go, and calls the
// host. Required names the members without which there is nothing to serve.
func serve[P, R any](sv *served, r *state.Request, method func(context.Context, P) (R, error), required ...string) (any, error) {
	members, ok := rawjson.Members(r.Raw)
	if !ok {
		return nil, acp.NewInvalidParams(map[string]any{"method": r.Method, "error": "params must be an object"})
	}
	for _, name := range required {
		if v := members[name]; v == nil || string(v) == "null" {
			return nil, acp.NewInvalidParams(map[string]any{"method": r.Method, "error": name + " is missing"})
		}
	}
	p, err := decodeTyped[P](r.Raw)
	if err != nil {
		if bad := refused(r.Raw, err, required); bad != "" {
			return nil, acp.NewInvalidParams(map[string]any{"method": r.Method, "error": bad})
		}
	}
	ctx, leave := sv.queue.enter(sv.ctx, p)
	defer leave()
	sv.begin()
	result, err := method(ctx, p)
	if err != nil {
		return nil, err
	}
	return result, nil
}

func notice[P any](ctx context.Context, n *state.Notify, method func(context.Context, P) error) error {
	p, err := decodeTyped[P](json.RawMessage(n.Raw))
	if err != nil {
		return err
	}
	return method(ctx, p)
}
