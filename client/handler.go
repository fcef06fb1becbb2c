package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A Handler is an acp.Client for a host that keeps the SDK's own connection: it
// passes everything on to the host and hands private methods to the registry.
//
//	h := client.NewHandler(host, opts)
//	conn := acp.NewClientSideConnection(h, stdin, stdout)
//
// The SDK gives a Handler names that begin with "_"; its fork
// (github.com/kdlbs/acp-go-sdk) gives it bare names too.
//
// What holds here: names, declines, decoding, the join in both orders, subagents,
// todos, answers checked and sent once. What does not, because the SDK's
// connection does not tell: whether a private frame had an id (a report sent as a
// notification is taken for a request, whose answer the SDK drops); the order
// between requests and the notifications around them; when a turn begins (a
// session's first frame begins one) and ends (call EndTurn when Prompt returns);
// what is replayed by a load; and what the SDK's types lose before it gets here.
// A panic is contained here, but one in the host's own acp.Client methods is the
// SDK's to contain, and it does not.
type Handler struct {
	conn *Conn
	next atomic.Uint64
}

type reply struct {
	result json.RawMessage
	err    *wire.Error
}

var (
	_ acp.Client                 = (*Handler)(nil)
	_ acp.ExtensionMethodHandler = (*Handler)(nil)
)

// NewHandler makes a Handler. The host may be nil.
func NewHandler(host acp.Client, opts *Options) *Handler {
	if host == nil {
		host = Base{}
	}
	c := newConn(host, opts, true)
	c.replies = map[string]chan<- reply{}
	return &Handler{conn: c}
}

// HandleExtensionMethod implements acp.ExtensionMethodHandler: it opens the name
// in the registry. A name nobody registered gives method not found.
func (h *Handler) HandleExtensionMethod(ctx context.Context, method string, params json.RawMessage) (any, error) {
	return h.request(ctx, method, params)
}

// request takes a request in and waits for its answer.
func (h *Handler) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	id := strconv.FormatUint(h.next.Add(1), 10)
	got := make(chan reply, 1)
	c := h.conn
	c.locked(func() { c.replies[id] = got })
	defer c.locked(func() { delete(c.replies, id) })
	h.take(&wire.Frame{Method: method, ID: []byte(id), Params: params, Version: true, Size: len(params)})
	select {
	case r := <-got:
		if r.err != nil {
			e := &acp.RequestError{Code: r.err.Code, Message: r.err.Message}
			if r.err.Data != nil {
				e.Data = r.err.Data
			}
			return nil, e
		}
		return r.result, nil
	case <-ctx.Done():
		h.take(&wire.Frame{Method: "$/cancel_request", Params: []byte(`{"requestId":` + id + `}`)})
		return nil, ctx.Err()
	case <-c.base.Done():
		return nil, ErrClosed
	}
}

// take takes a frame in. A hook that ends its goroutine ends only one made here.
func (h *Handler) take(f *wire.Frame) {
	c := h.conn
	done := make(chan struct{})
	go func() {
		taken := false
		defer func() {
			if !taken {
				c.retake(f)
			}
			close(done)
		}()
		c.take(f)
		taken = true
		c.showStrays()
	}()
	<-done
}

// hand gives a Handler's answer to whom it belongs. The lock is held.
func (c *Conn) hand(id []byte, result json.RawMessage, e *wire.Error) {
	if to := c.replies[string(id)]; to != nil {
		delete(c.replies, string(id))
		to <- reply{result, e}
	}
}

// SessionUpdate implements acp.Client. It returns when the callbacks have run.
func (h *Handler) SessionUpdate(ctx context.Context, params acp.SessionNotification) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("client: session/update: %w", err)
	}
	h.take(&wire.Frame{Method: acp.ClientMethodSessionUpdate, Params: raw, Size: len(raw)})
	ran := make(chan struct{})
	h.conn.locked(func() { h.conn.barrier([]string{string(params.SessionId)}, func() { close(ran) }) })
	select {
	case <-ran:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-h.conn.base.Done():
		return ErrClosed
	}
}

// RequestPermission implements acp.Client.
func (h *Handler) RequestPermission(ctx context.Context, params acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	var resp acp.RequestPermissionResponse
	raw, err := json.Marshal(params)
	if err != nil {
		return resp, fmt.Errorf("client: session/request_permission: %w", err)
	}
	result, err := h.request(ctx, acp.ClientMethodSessionRequestPermission, raw)
	if err != nil {
		return resp, err
	}
	return resp, json.Unmarshal(result, &resp)
}

// EndTurn ends a session's turn: call it when Prompt has returned, and not in a
// callback. What waited for the turn is delivered, open asks are declined, and
// what the turn left running has ended. It returns when the callbacks of the
// session and of its children have run.
func (h *Handler) EndTurn(session acp.SessionId) {
	c := h.conn
	ran := make(chan struct{})
	c.locked(func() {
		effects := c.st.EndTurn(string(session))
		lanes := []string{string(session)}
		for _, e := range effects {
			if e.Turn != nil {
				lanes = e.Turn.Lanes
			}
		}
		c.perform(effects)
		c.barrier(lanes, func() { close(ran) })
	})
	select {
	case <-ran:
	case <-c.base.Done():
	}
}

// Cancelled follows a session/cancel that the host sent: open asks of the session
// are declined, and so is what comes before EndTurn.
func (h *Handler) Cancelled(session acp.SessionId) {
	raw, _ := json.Marshal(acp.CancelNotification{SessionId: session})
	h.conn.locked(func() { h.conn.perform(h.conn.st.Notify(acp.AgentMethodSessionCancel, raw)) })
}

// Advertise adds what the dialects want to the _meta of a request's
// clientCapabilities; the request's own values win. What dialects want outside
// _meta has no place in the SDK's types.
func (h *Handler) Advertise(params *acp.InitializeRequest) error {
	wanted, err := h.conn.wanted()
	if err != nil {
		return err
	}
	meta, _ := wanted["_meta"].(map[string]any)
	if len(meta) > 0 {
		params.ClientCapabilities.Meta = registry.Merge(params.ClientCapabilities.Meta, meta)
	}
	return nil
}

// Initialized tells the Handler which agent answered, so that dialects which are
// for that agent read its frames.
func (h *Handler) Initialized(resp acp.InitializeResponse) {
	raw, err := json.Marshal(resp)
	if err != nil {
		return
	}
	h.conn.locked(func() { h.conn.st.Greeted(raw) })
}

// ToolCall is Conn.ToolCall.
func (h *Handler) ToolCall(session acp.SessionId, id acp.ToolCallId) (dialect.ToolCall, bool) {
	return h.conn.ToolCall(session, id)
}

// Subagents is Conn.Subagents.
func (h *Handler) Subagents(session acp.SessionId) []dialect.Subagent {
	return h.conn.Subagents(session)
}

// Close ends what is open.
func (h *Handler) Close() error { return h.conn.Close() }
