package client

import (
	"context"
	"encoding/json"
	"errors"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// perform carries out what follows from a frame. The lock is held.
func (c *Conn) perform(effects []state.Effect) {
	for _, e := range clone(effects) {
		switch {
		case e.Update != nil:
			c.performUpdate(e.Update)
		case e.Event != nil:
			c.performEvent(e.Event)
		case e.Request != nil:
			c.performRequest(e.Request)
		case e.Notify != nil:
			n := e.Notify
			c.push(n.SessionID, item{size: int64(len(n.Raw)), what: n.Method, run: func() { c.notified(n) }})
		case e.Settled != nil && c.opts.OnSettled != nil:
			s := settledOf(e.Settled)
			c.push(s.SessionID, item{size: 1, what: "OnSettled", run: func() { c.opts.OnSettled(c.ctx, s) }})
		case e.Turn != nil && c.opts.OnTurn != nil:
			t := turnOf(e.Turn)
			c.push(t.SessionID, item{size: 1, what: "OnTurn", run: func() { c.opts.OnTurn(c.ctx, t) }})
		case e.Opened != nil:
			c.performOpened(e.Opened)
		case e.Closed != nil:
			c.performClosed(e.Closed.SessionID)
		case e.Reply != nil:
			c.send(e.Reply.ID, e.Reply.Result, e.Reply.Error, false)
		case e.End != nil:
			c.decline(e.End.Request, e.End.Reason)
		case e.Answer != nil:
			c.answered(e.Answer)
		case e.Stray != nil:
			c.strays = append(c.strays, *e.Stray)
		case e.Timer != nil:
			c.expireLater(e.Timer.Token)
		}
	}
}

// clone keeps effects past the state's next use: carrying one out may use it.
func clone(effects []state.Effect) []state.Effect {
	if len(effects) == 1 {
		return effects[:1:1]
	}
	return append([]state.Effect(nil), effects...)
}

func (c *Conn) performUpdate(u *state.Update) {
	if c.host == nil && c.opts.OnUpdate == nil {
		return
	}
	update := updateOf(u)
	c.push(u.SessionID, item{size: int64(len(u.Params)) + 1, what: "session/update", run: func() {
		if c.opts.OnUpdate != nil {
			c.contain("OnUpdate", func() { c.opts.OnUpdate(c.ctx, update) })
		}
		if c.host == nil {
			return
		}
		typed, err := update.Typed()
		if err != nil {
			c.log.Debug("the SDK's types do not take all of an update", "session", update.SessionID, "kind", update.Kind, "error", err)
		}
		if typed.Update != (acp.SessionUpdate{}) {
			if err := c.host.SessionUpdate(c.ctx, typed); err != nil {
				c.log.Warn("the host's SessionUpdate failed", "session", update.SessionID, "kind", update.Kind, "error", err)
			}
		}
	}})
}

func (c *Conn) performEvent(e *state.Event) {
	if e.Soft != nil {
		c.log.Debug("a part of a message was not understood", "dialect", e.Dialect, "method", e.Method, "error", e.Soft)
	}
	if c.opts.OnEvent == nil {
		return
	}
	ev := eventOf(e)
	c.push(e.SessionID, item{size: int64(len(e.Raw)) + 1, what: "OnEvent", run: func() { c.opts.OnEvent(c.ctx, ev) }})
}

// A served request is the connection's own record of a request of the agent.
type served struct {
	ctx     context.Context
	cancel  context.CancelFunc
	refused bool // an answer of the host's was not on offer
}

func (c *Conn) performRequest(r *state.Request) {
	if r.Ask() && c.opts.OnAsk == nil {
		c.decline(r, state.NoHandler)
		return
	}
	if c.host == nil && !r.Ask() {
		if r.Permission() {
			c.decline(r, state.NoHandler)
		} else {
			c.settle(r, nil, wire.MethodNotFound(r.Method), state.Settled{})
		}
		return
	}
	if c.handlers >= c.opts.MaxRequests {
		c.log.Warn("too many requests at once", "method", r.Method, "limit", c.opts.MaxRequests)
		if r.Ask() || r.Permission() {
			c.decline(r, state.Overload)
		} else {
			c.settle(r, nil, &wire.Error{Code: wire.CodeOverload, Message: "too many requests at once"}, state.Settled{})
		}
		return
	}
	sv := &served{}
	sv.ctx, sv.cancel = context.WithCancel(c.base)
	if (r.Ask() || r.Permission()) && c.opts.AskTimeout > 0 {
		c.deadline(r, sv)
	}
	r.Host = sv
	c.handlers++
	c.push(r.SessionID, item{size: int64(r.Size) + 1, what: r.Method, run: func() { c.startHandler(r, sv) }})
}

// performOpened tells the host which sessions there are, in the session's order.
func (c *Conn) performOpened(o *state.Opened) {
	if o.Parent != "" {
		if h, ok := c.host.(interface {
			SessionChild(child, parent acp.SessionId)
		}); ok {
			c.push(o.SessionID, item{size: 1, what: "SessionChild", run: func() { h.SessionChild(acp.SessionId(o.SessionID), acp.SessionId(o.Parent)) }})
		}
		return
	}
	h, ok := c.host.(interface {
		SessionOpened(id acp.SessionId, cwd string, dirs []string)
	})
	if !ok {
		return
	}
	p, _ := dialect.Lenient[struct {
		Cwd  string   `json:"cwd"`
		Dirs []string `json:"additionalDirectories"`
	}](json.RawMessage(o.Params))
	c.push(o.SessionID, item{size: 1, what: "SessionOpened", run: func() { h.SessionOpened(acp.SessionId(o.SessionID), p.Cwd, p.Dirs) }})
}

func (c *Conn) performClosed(id string) {
	if h, ok := c.host.(interface{ SessionClosed(id acp.SessionId) }); ok {
		c.push(id, item{size: 1, what: "SessionClosed", run: func() { h.SessionClosed(acp.SessionId(id)) }})
	}
}

// maxOwed bounds the answers that an agent has not read.
const maxOwed = 64 << 20

// send writes an answer. The lock is held.
func (c *Conn) send(id []byte, result json.RawMessage, e *wire.Error, secret bool) {
	if c.wr == nil {
		c.hand(id, result, e)
		return
	}
	frame := wire.Answer(id, result, e)
	var masked []byte
	if secret && result != nil {
		masked = wire.Answer(id, json.RawMessage(`"***"`), nil)
	}
	size := int64(len(frame))
	if c.unread.Add(size) > maxOwed {
		cause := errors.Join(ErrNotReading, errors.New("client: more than 64 MiB of answers wait to be read"))
		if c.err == nil {
			c.err = cause
		}
		c.live.Add(1)
		go func() {
			defer c.live.Done()
			c.shut(cause)
		}()
		return
	}
	c.wr.Send(frame, masked, func(error) { c.unread.Add(-size) })
}
