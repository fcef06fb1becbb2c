package client

import (
	"context"
	"encoding/json"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// perform carries out what follows from a frame. The lock is held.
func (c *Conn) perform(effects []state.Effect) {
	// Carrying one out may use the state again, whose slice this is, and come
	// here again.
	from := len(c.effects)
	c.effects = append(c.effects, effects...)
	for i := range effects {
		c.effect(c.effects[from+i])
	}
	clear(c.effects[from:])
	c.effects = c.effects[:from]
}

func (c *Conn) effect(e state.Effect) {
	switch {
	case e.Update != nil:
		c.performUpdate(e.Update)
	case e.Event != nil:
		c.performEvent(e.Event)
	case e.Request != nil:
		c.performRequest(e.Request)
	case e.Notify != nil:
		n := e.Notify
		c.push(n.SessionID, item{size: int64(len(n.Raw)) + 1, what: n.Method, run: func(ctx context.Context) { c.notified(ctx, n) }})
	case e.Settled != nil && c.opts.OnSettled != nil:
		s := settledOf(e.Settled)
		c.push(s.SessionID, item{size: int64(len(s.Raw)) + 1, what: "OnSettled", run: func(ctx context.Context) { c.opts.OnSettled(ctx, s) }})
	case e.Turn != nil && c.opts.OnTurn != nil:
		c.performTurn(e.Turn)
	case e.Opened != nil:
		c.performOpened(e.Opened)
	case e.Closed != nil:
		c.performClosed(e.Closed.SessionID)
	case e.Reply != nil:
		c.send(e.Reply.ID, e.Reply.Result, e.Reply.Error)
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

func (c *Conn) performUpdate(u *state.Update) {
	if c.host == nil && c.opts.OnUpdate == nil {
		return
	}
	size, update := int64(len(u.Params))+1, updateOf(u)
	if c.opts.OnUpdate != nil {
		first := item{what: "OnUpdate", update: update}
		if c.host == nil {
			first.size = size
		}
		c.push(u.SessionID, first)
	}
	if c.host != nil {
		c.push(u.SessionID, item{size: size, what: "SessionUpdate", update: update, typed: true})
	}
}

func (c *Conn) performEvent(e *state.Event) {
	if e.Soft != nil {
		c.say(func() {
			c.log.Debug("a part of a message was not understood", "dialect", e.Dialect, "method", e.Method, "error", e.Soft)
		})
	}
	if c.opts.OnEvent != nil {
		size := int64(len(e.Raw)) + 1
		if list, ok := e.Payload.(dialect.Todos); ok { // the whole list, however little the frame said
			for _, t := range list.Items {
				size += int64(len(t.ID) + len(t.Content) + 64)
			}
		}
		c.push(e.SessionID, item{size: size, what: "OnEvent", event: e})
	}
}

// performTurn tells of a turn: of its end when the callbacks of the session's
// children have run that came before it, as Prompt returns then.
func (c *Conn) performTurn(e *state.Turn) {
	t, children := turnOf(e), make(chan struct{})
	others := slices.DeleteFunc(slices.Clone(e.Lanes), func(id string) bool { return id == e.SessionID })
	c.barrier(others, func() { close(children) })
	c.push(t.SessionID, item{size: 1, what: "OnTurn", run: func(ctx context.Context) {
		select {
		case <-children:
			c.opts.OnTurn(ctx, t)
		case <-ctx.Done():
		}
	}})
}

// A served request is the connection's own record of a request of the agent.
type served struct {
	ctx     context.Context
	cancel  context.CancelFunc
	refused bool       // an answer of the host's was not on offer
	begin   func()     // the host is about to be called
	queue   *fileQueue // of files, if the host has one
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
			c.strays = append(c.strays, unserved(r))
		}
		return
	}
	if c.handlers >= c.opts.MaxRequests {
		c.say(func() { c.log.Warn("too many requests at once", "method", r.Method, "limit", c.opts.MaxRequests) })
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
	c.push(r.SessionID, item{size: int64(r.Size) + 1, what: r.Method, run: func(context.Context) { c.startHandler(r, sv) }})
}

// performOpened tells the host which sessions there are, in the session's order.
func (c *Conn) performOpened(o *state.Opened) {
	if o.Parent != "" {
		if h, ok := c.host.(interface {
			SessionChild(child, parent acp.SessionId)
		}); ok {
			c.push(o.SessionID, item{size: 1, what: "SessionChild", run: func(context.Context) { h.SessionChild(acp.SessionId(o.SessionID), acp.SessionId(o.Parent)) }})
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
	c.push(o.SessionID, item{size: 1, what: "SessionOpened", run: func(context.Context) { h.SessionOpened(acp.SessionId(o.SessionID), p.Cwd, p.Dirs) }})
}

func (c *Conn) performClosed(id string) {
	if h, ok := c.host.(interface{ SessionClosed(id acp.SessionId) }); ok {
		c.push(id, item{size: 1, what: "SessionClosed", run: func(context.Context) { h.SessionClosed(acp.SessionId(id)) }})
	}
}

// maxOwed bounds the answers that an agent has not read: with more, nothing is
// added to them.
const maxOwed = 64 << 20

// send writes an answer. The lock is held.
func (c *Conn) send(id []byte, result json.RawMessage, e *wire.Error) {
	if c.wr == nil {
		c.hand(id, result, e)
		return
	}
	if c.wr.Answer(id, result, e) >= maxOwed {
		c.notReading()
	}
	if !c.gather {
		c.wr.Wake()
	}
}
