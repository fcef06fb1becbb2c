package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A pending call waits for its answer.
type pending struct {
	method string
	done   chan struct{}
	result json.RawMessage
	err    error
	lifts  bool // it counts in Conn.ops until it is answered
}

func (p *pending) fail(err error) {
	p.err = err
	close(p.done)
}

// slow reports whether a call may take as long as the host's own callbacks: it
// lifts the bound only until it is written, for its answer may be behind what the
// host has still to take.
func slow(method string) bool {
	switch method {
	case "session/prompt", "session/load", "session/resume", "session/fork":
		return true
	}
	return false
}

// call sends a request and waits for its answer.
func (c *Conn) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	raw, err := marshal(params)
	if err != nil {
		return nil, err
	}
	nested := c.inCallback(ctx)
	if nested && method == acp.AgentMethodSessionPrompt {
		return nil, ErrNested
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	c.mu.Lock()
	if err := c.gone(); err != nil {
		c.mu.Unlock()
		return nil, err
	}
	id := strconv.FormatUint(c.lastID, 10)
	c.lastID++
	p := &pending{method: method, done: make(chan struct{}), lifts: nested || !slow(method)}
	c.pending[id] = p
	c.perform(c.st.Call(id, method, raw))
	c.ops++
	c.room.Broadcast()
	onlyWritten := !p.lifts
	written := func(error) {
		if onlyWritten {
			c.locked(func() { c.ops-- })
		}
	}
	out, _ := c.wr.Send(wire.Call([]byte(id), method, raw), c.masked([]byte(id), method, raw), written)
	c.mu.Unlock()

	select {
	case <-p.done:
	case <-ctx.Done():
		c.giveUp(id, p, out)
		select {
		case <-p.done: // answered at the same time
		default:
			return nil, ctx.Err()
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.result, nil
}

// gone gives the reason why nothing can be sent any more. The lock is held.
func (c *Conn) gone() error {
	if c.err != nil {
		return c.err
	}
	if c.wr == nil {
		return ErrClosed
	}
	return nil
}

// release ends a call's lift of the bound. The lock is held.
func (c *Conn) release(p *pending) {
	if p.lifts {
		p.lifts = false
		c.ops--
	}
}

// giveUp stops waiting for an answer: a frame that is not written yet never will
// be; otherwise the agent is told, and the late answer is dropped.
func (c *Conn) giveUp(id string, p *pending, out *wire.Outgoing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[id] != p {
		return // answered, or waiting for callbacks that nobody waits for any more
	}
	delete(c.pending, id)
	if c.wr.Drop(out) {
		c.ops--
		c.perform(c.st.Withdraw(id))
		return
	}
	c.release(p)
	c.perform(c.st.Abandon(id))
	if p.method != acp.AgentMethodSessionPrompt {
		c.wr.Send(wire.Call(nil, "$/cancel_request", []byte(`{"requestId":`+id+`}`)), nil, nil)
		return
	}
	if session := c.st.PromptSession(id); session != "" {
		params, _ := marshal(acp.CancelNotification{SessionId: acp.SessionId(session)})
		c.wr.Send(wire.Call(nil, acp.AgentMethodSessionCancel, params), nil, nil)
	}
}

// answered hands an answer to the call that waits for it. A prompt's waits for
// the callbacks that precede it. The lock is held.
func (c *Conn) answered(a *state.Answer) {
	p := c.pending[a.ID]
	if p == nil {
		c.log.Debug("a late answer is dropped", "method", a.Method)
		return
	}
	delete(c.pending, a.ID)
	c.release(p)
	var err error
	if a.Error != nil {
		err = answerError(a.Method, a.Error)
	}
	finish := func() {
		p.result, p.err = a.Result, err
		close(p.done)
	}
	if a.Method == acp.AgentMethodSessionPrompt && a.Turn != nil {
		c.barrier(a.Turn.Lanes, finish)
		return
	}
	finish()
}

// answerError makes a RequestError of an error an agent answered with, whatever
// form it has.
func answerError(method string, raw json.RawMessage) error {
	e, err := dialect.Lenient[struct {
		Code    dialect.Number  `json:"code"`
		Message json.RawMessage `json:"message"`
		Data    json.RawMessage `json:"data"`
	}](raw)
	if !dialect.Usable(err) {
		return fmt.Errorf("client: %s: %w", method, &acp.RequestError{Code: wire.CodeInternal, Message: "the agent answered with an error that is no object", Data: raw})
	}
	out := &acp.RequestError{Code: int(e.Code.Int()), Message: dialect.Text(e.Message)}
	if len(e.Data) > 0 && string(e.Data) != "null" {
		out.Data = e.Data
	}
	return fmt.Errorf("client: %s: %w", method, out)
}

// notify sends a notification and returns when it is written.
func (c *Conn) notify(ctx context.Context, method string, params any) error {
	raw, err := marshal(params)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wrote := make(chan error, 1)
	c.mu.Lock()
	if err := c.gone(); err != nil {
		c.mu.Unlock()
		return err
	}
	c.perform(c.st.Notify(method, raw))
	c.ops++
	c.room.Broadcast()
	out, _ := c.wr.Send(wire.Call(nil, method, raw), c.masked(nil, method, raw), func(err error) {
		c.locked(func() { c.ops-- })
		wrote <- err
	})
	c.mu.Unlock()
	select {
	case err := <-wrote:
		return err
	case <-ctx.Done():
		if c.wr.Drop(out) {
			c.locked(func() { c.ops-- })
		}
		return ctx.Err()
	}
}

// CallExtension sends a request of a private method, whose name must begin with
// "_", and gives the raw result. Bare names are accepted from agents, never sent
// to them.
func (c *Conn) CallExtension(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if !strings.HasPrefix(method, "_") {
		return nil, fmt.Errorf("client: an extension method's name must begin with _, not %q", method)
	}
	return c.call(ctx, method, params)
}

// NotifyExtension sends a notification of a private method, whose name must begin
// with "_".
func (c *Conn) NotifyExtension(ctx context.Context, method string, params any) error {
	if !strings.HasPrefix(method, "_") {
		return fmt.Errorf("client: an extension method's name must begin with _, not %q", method)
	}
	return c.notify(ctx, method, params)
}

// Call sends a request of any name of the protocol, in this version or another
// ("session/set_model"), and gives the raw result. Other bare names are refused;
// for those that begin with "_" it is CallExtension. A session/prompt sent with
// Call behaves like Prompt.
func (c *Conn) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if !registry.Core(method) {
		return c.CallExtension(ctx, method, params)
	}
	return c.call(ctx, method, params)
}

// compact takes the white space out of JSON from the host: a frame is one line.
func compact(raw json.RawMessage) (json.RawMessage, error) {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return nil, fmt.Errorf("client: not valid JSON: %w", err)
	}
	return buf.Bytes(), nil
}
