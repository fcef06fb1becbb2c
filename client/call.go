package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// A pending call waits for its answer.
type pending struct {
	method string
	params json.RawMessage
	lift   lift

	done   chan struct{} // closed when the rest is set
	result json.RawMessage
	err    error
}

func (p *pending) fail(err error) {
	p.err = err
	close(p.done)
}

// slow reports whether a call may take as long as the host's own callbacks:
// outside of them it lifts the bound only until it is written, for its answer may
// be behind all that the host has still to take.
func slow(method string) bool {
	switch method {
	case "session/prompt", "session/load", "session/resume", "session/fork":
		return true
	}
	return false
}

// call sends a request and waits for its answer.
func (c *Conn) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	raw, err := encodeParams(params)
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
		c.unlock()
		return nil, err
	}
	id := strconv.FormatUint(c.lastID, 10)
	c.lastID++
	p := &pending{method: method, params: raw, done: make(chan struct{}), lift: c.lift()}
	c.pending[id] = p
	c.perform(c.st.Call(id, method, raw))
	var written func(error)
	if slow(method) && !nested {
		written = func(error) { c.locked(func() { c.lower(&p.lift) }) }
	}
	out, err := c.wr.Send(wire.Call([]byte(id), method, raw), written)
	if err != nil { // a write failed this very moment
		c.withdraw(id, p)
		c.unlock()
		return nil, err
	}
	c.unlock()

	select {
	case <-p.done:
	case <-ctx.Done():
		c.giveUp(id, p, out)
		err = ctx.Err()
	case <-c.base.Done():
		err = c.reason()
	}
	if err != nil {
		select {
		case <-p.done: // answered at the same time
		default:
			return nil, err
		}
	}
	return p.result, p.err
}

// withdraw takes back a call that was never sent. The lock is held.
func (c *Conn) withdraw(id string, p *pending) {
	delete(c.pending, id)
	c.lower(&p.lift)
	c.perform(c.st.Withdraw(id))
}

// giveUp stops waiting for an answer: a frame that is not written yet never will
// be; otherwise the agent is told, and the late answer is dropped.
func (c *Conn) giveUp(id string, p *pending, out *wire.Outgoing) {
	c.mu.Lock()
	defer c.unlock()
	if c.pending[id] != p {
		return // answered, or waiting for callbacks that nobody waits for any more
	}
	if c.wr.Drop(out) {
		c.withdraw(id, p)
		return
	}
	delete(c.pending, id)
	c.lower(&p.lift)
	c.perform(c.st.Abandon(id))
	if p.method != acp.AgentMethodSessionPrompt {
		c.post("$/cancel_request", []byte(`{"requestId":`+id+`}`))
		return
	}
	params, _ := marshal(acp.CancelNotification{SessionId: acp.SessionId(c.st.PromptSession(id))})
	c.post(acp.AgentMethodSessionCancel, params)
}

// post sends a notification that nobody waits for. The lock is held.
func (c *Conn) post(method string, params json.RawMessage) {
	l := c.lift()
	if _, err := c.wr.Send(wire.Call(nil, method, params), func(error) { c.locked(func() { c.lower(&l) }) }); err != nil {
		c.lower(&l)
	}
}

// answered hands an answer to the call that waits for it. A prompt's waits for
// the callbacks that precede it. The lock is held.
func (c *Conn) answered(a *state.Answer) {
	p := c.pending[a.ID]
	if p == nil {
		c.say(func() { c.log.Debug("a late answer is dropped", "method", a.Method) })
		return
	}
	delete(c.pending, a.ID)
	c.lower(&p.lift)
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
	out := &acp.RequestError{Code: int(e.Code.Int()), Message: rawjson.String(e.Message)}
	if len(e.Data) > 0 && string(e.Data) != "null" {
		out.Data = e.Data
	}
	return fmt.Errorf("client: %s: %w", method, out)
}
