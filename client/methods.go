package client

import (
	"context"
	"path/filepath"
	"strings"

	acp "github.com/coder/acp-go-sdk"
)

// ask sends a request and decodes its result into the SDK's type, as far as it
// goes: one odd field does not lose an answer.
func ask[R any](ctx context.Context, c *Conn, method string, params any) (R, error) {
	var zero R
	raw, err := c.call(ctx, method, params)
	if err != nil {
		return zero, err
	}
	if len(raw) == 0 || string(raw) == "null" {
		return zero, nil
	}
	v, err := decodeTyped[R](raw)
	if err != nil {
		c.log.Debug("the SDK's types do not take all of an answer", "method", method, "error", err)
	}
	return v, nil
}

// Authenticate calls authenticate.
func (c *Conn) Authenticate(ctx context.Context, params acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	return ask[acp.AuthenticateResponse](ctx, c, acp.AgentMethodAuthenticate, params)
}

// Logout calls logout.
func (c *Conn) Logout(ctx context.Context, params acp.LogoutRequest) (acp.LogoutResponse, error) {
	return ask[acp.LogoutResponse](ctx, c, acp.AgentMethodLogout, params)
}

// NewSession calls session/new. A relative Cwd is made absolute, and MCP servers
// that are nil are sent as an empty list, which agents insist on.
func (c *Conn) NewSession(ctx context.Context, params acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	params.Cwd, params.McpServers = absolute(params.Cwd), servers(params.McpServers)
	return ask[acp.NewSessionResponse](ctx, c, acp.AgentMethodSessionNew, params)
}

// LoadSession calls session/load. What the agent replays comes as updates marked
// History.
func (c *Conn) LoadSession(ctx context.Context, params acp.LoadSessionRequest) (acp.LoadSessionResponse, error) {
	params.Cwd, params.McpServers = absolute(params.Cwd), servers(params.McpServers)
	return ask[acp.LoadSessionResponse](ctx, c, acp.AgentMethodSessionLoad, params)
}

// ResumeSession calls session/resume.
func (c *Conn) ResumeSession(ctx context.Context, params acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	params.Cwd, params.McpServers = absolute(params.Cwd), servers(params.McpServers)
	return ask[acp.ResumeSessionResponse](ctx, c, acp.AgentMethodSessionResume, params)
}

// UnstableForkSession calls session/fork.
func (c *Conn) UnstableForkSession(ctx context.Context, params acp.UnstableForkSessionRequest) (acp.UnstableForkSessionResponse, error) {
	params.Cwd = absolute(params.Cwd)
	return ask[acp.UnstableForkSessionResponse](ctx, c, acp.AgentMethodSessionFork, params)
}

// ListSessions calls session/list.
func (c *Conn) ListSessions(ctx context.Context, params acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return ask[acp.ListSessionsResponse](ctx, c, acp.AgentMethodSessionList, params)
}

// CloseSession calls session/close. What is known of the session goes with it.
func (c *Conn) CloseSession(ctx context.Context, params acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	return ask[acp.CloseSessionResponse](ctx, c, acp.AgentMethodSessionClose, params)
}

// DeleteSessionRequest is the params of session/delete. The SDK and its fork name
// the type differently, so it is spelled out here, and a value of either fits.
type DeleteSessionRequest = struct {
	Meta      map[string]any `json:"_meta,omitempty"`
	SessionId acp.SessionId  `json:"sessionId"`
}

// DeleteSessionResponse is the result of session/delete, which fits either, too.
type DeleteSessionResponse = struct {
	Meta map[string]any `json:"_meta,omitempty"`
}

// UnstableDeleteSession calls session/delete, under the SDK's name. What is known
// of the session goes with it.
func (c *Conn) UnstableDeleteSession(ctx context.Context, params DeleteSessionRequest) (DeleteSessionResponse, error) {
	return ask[DeleteSessionResponse](ctx, c, acp.AgentMethodSessionDelete, params)
}

// DeleteSession is UnstableDeleteSession, under the fork's name.
func (c *Conn) DeleteSession(ctx context.Context, params DeleteSessionRequest) (DeleteSessionResponse, error) {
	return c.UnstableDeleteSession(ctx, params)
}

// Prompt calls session/prompt and returns when the turn is over and every
// callback that precedes its end has run. It does not wait for the handlers of
// requests; their contexts are cancelled.
//
// If ctx ends first, session/cancel is sent and Prompt returns ctx's error at
// once. The turn stays open, cancelled, until the agent's late answer or the
// session's next prompt.
func (c *Conn) Prompt(ctx context.Context, params acp.PromptRequest) (acp.PromptResponse, error) {
	if params.Prompt == nil {
		params.Prompt = []acp.ContentBlock{}
	}
	return ask[acp.PromptResponse](ctx, c, acp.AgentMethodSessionPrompt, params)
}

// Cancel sends session/cancel: open asks and permission requests of the session
// and its children are declined, and so is what comes before the turn's answer.
func (c *Conn) Cancel(ctx context.Context, params acp.CancelNotification) error {
	return c.notify(ctx, acp.AgentMethodSessionCancel, params)
}

// SetSessionMode calls session/set_mode.
func (c *Conn) SetSessionMode(ctx context.Context, params acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	return ask[acp.SetSessionModeResponse](ctx, c, acp.AgentMethodSessionSetMode, params)
}

// SetSessionConfigOption calls session/set_config_option.
func (c *Conn) SetSessionConfigOption(ctx context.Context, params acp.SetSessionConfigOptionRequest) (acp.SetSessionConfigOptionResponse, error) {
	return ask[acp.SetSessionConfigOptionResponse](ctx, c, acp.AgentMethodSessionSetConfigOption, params)
}

// UnstableListProviders calls providers/list.
func (c *Conn) UnstableListProviders(ctx context.Context, params acp.UnstableListProvidersRequest) (acp.UnstableListProvidersResponse, error) {
	return ask[acp.UnstableListProvidersResponse](ctx, c, acp.AgentMethodProvidersList, params)
}

// UnstableSetProvider calls providers/set.
func (c *Conn) UnstableSetProvider(ctx context.Context, params acp.UnstableSetProviderRequest) (acp.UnstableSetProviderResponse, error) {
	return ask[acp.UnstableSetProviderResponse](ctx, c, acp.AgentMethodProvidersSet, params)
}

// UnstableDisableProvider calls providers/disable.
func (c *Conn) UnstableDisableProvider(ctx context.Context, params acp.UnstableDisableProviderRequest) (acp.UnstableDisableProviderResponse, error) {
	return ask[acp.UnstableDisableProviderResponse](ctx, c, acp.AgentMethodProvidersDisable, params)
}

// UnstableStartNes calls nes/start.
func (c *Conn) UnstableStartNes(ctx context.Context, params acp.UnstableStartNesRequest) (acp.UnstableStartNesResponse, error) {
	return ask[acp.UnstableStartNesResponse](ctx, c, acp.AgentMethodNesStart, params)
}

// UnstableSuggestNes calls nes/suggest.
func (c *Conn) UnstableSuggestNes(ctx context.Context, params acp.UnstableSuggestNesRequest) (acp.UnstableSuggestNesResponse, error) {
	return ask[acp.UnstableSuggestNesResponse](ctx, c, acp.AgentMethodNesSuggest, params)
}

// UnstableCloseNes calls nes/close.
func (c *Conn) UnstableCloseNes(ctx context.Context, params acp.UnstableCloseNesRequest) (acp.UnstableCloseNesResponse, error) {
	return ask[acp.UnstableCloseNesResponse](ctx, c, acp.AgentMethodNesClose, params)
}

// UnstableAcceptNes sends nes/accept.
func (c *Conn) UnstableAcceptNes(ctx context.Context, params acp.UnstableAcceptNesNotification) error {
	return c.notify(ctx, acp.AgentMethodNesAccept, params)
}

// UnstableRejectNes sends nes/reject.
func (c *Conn) UnstableRejectNes(ctx context.Context, params acp.UnstableRejectNesNotification) error {
	return c.notify(ctx, acp.AgentMethodNesReject, params)
}

// UnstableDidOpenDocument sends document/didOpen.
func (c *Conn) UnstableDidOpenDocument(ctx context.Context, params acp.UnstableDidOpenDocumentNotification) error {
	return c.notify(ctx, acp.AgentMethodDocumentDidOpen, params)
}

// UnstableDidChangeDocument sends document/didChange.
func (c *Conn) UnstableDidChangeDocument(ctx context.Context, params acp.UnstableDidChangeDocumentNotification) error {
	return c.notify(ctx, acp.AgentMethodDocumentDidChange, params)
}

// UnstableDidFocusDocument sends document/didFocus.
func (c *Conn) UnstableDidFocusDocument(ctx context.Context, params acp.UnstableDidFocusDocumentNotification) error {
	return c.notify(ctx, acp.AgentMethodDocumentDidFocus, params)
}

// UnstableDidSaveDocument sends document/didSave.
func (c *Conn) UnstableDidSaveDocument(ctx context.Context, params acp.UnstableDidSaveDocumentNotification) error {
	return c.notify(ctx, acp.AgentMethodDocumentDidSave, params)
}

// UnstableDidCloseDocument sends document/didClose.
func (c *Conn) UnstableDidCloseDocument(ctx context.Context, params acp.UnstableDidCloseDocumentNotification) error {
	return c.notify(ctx, acp.AgentMethodDocumentDidClose, params)
}

// UnstableMessageMcp calls mcp/message. The SDK lists the method but has no call
// for it.
func (c *Conn) UnstableMessageMcp(ctx context.Context, params acp.UnstableMessageMcpRequest) (acp.UnstableMessageMcpResponse, error) {
	return ask[acp.UnstableMessageMcpResponse](ctx, c, acp.AgentMethodMcpMessage, params)
}

// UnstableMessageMcpNotification sends mcp/message as a notification.
func (c *Conn) UnstableMessageMcpNotification(ctx context.Context, params acp.UnstableMessageMcpNotification) error {
	return c.notify(ctx, acp.AgentMethodMcpMessage, params)
}

// absolute makes a path of this machine absolute, as the protocol wants it. One
// of another system's form is left alone.
func absolute(path string) string {
	if path == "" || filepath.IsAbs(path) || strings.ContainsAny(path, `:\`) {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// servers gives a list that holds no null where agents want a list.
func servers(list []acp.McpServer) []acp.McpServer {
	out := make([]acp.McpServer, len(list))
	for i, s := range list {
		if s.Stdio != nil {
			stdio := *s.Stdio
			stdio.Args = append([]string{}, stdio.Args...)
			stdio.Env = append([]acp.EnvVariable{}, stdio.Env...)
			s.Stdio = &stdio
		}
		if s.Http != nil {
			http := *s.Http
			http.Headers = append([]acp.HttpHeader{}, http.Headers...)
			s.Http = &http
		}
		if s.Sse != nil {
			sse := *s.Sse
			sse.Headers = append([]acp.HttpHeader{}, sse.Headers...)
			s.Sse = &sse
		}
		out[i] = s
	}
	return out
}
