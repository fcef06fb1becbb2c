package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// settle answers an open request, once. The lock is held. It is false if the
// request was answered before.
func (c *Conn) settle(r *state.Request, result json.RawMessage, e *wire.Error, how state.Settled) bool {
	effects, ok := c.st.Settle(r, how)
	if !ok {
		return false
	}
	c.send(r.ID, result, e)
	if c.idle != nil && c.st.Idle() {
		close(c.idle)
		c.idle = nil
	}
	if sv, ok := r.Host.(*served); ok {
		sv.cancel()
	}
	c.perform(effects)
	return true
}

// settled waits until every request is answered, for at most d.
func (c *Conn) settled(d time.Duration) {
	idle := make(chan struct{})
	c.locked(func() {
		if c.st.Idle() {
			close(idle)
		} else {
			c.idle = idle
		}
	})
	within(d, idle)
}

// decline ends a request without a decision: an ask with the vendor's decline, a
// permission request as cancelled. Any other request's handler is told that its
// turn is over, and answers for itself. The lock is held.
func (c *Conn) decline(r *state.Request, why state.Reason) {
	if !c.st.Open(r) {
		return
	}
	sv, _ := r.Host.(*served)
	if !r.Ask() && !r.Permission() && why == state.TurnEnd && sv != nil {
		sv.cancel()
		return
	}
	result, e := state.Decline(r, c.guard)
	var raw json.RawMessage
	if e == nil {
		var err error
		if raw, err = marshal(result); err != nil {
			c.say(func() { c.log.Error("a dialect's decline cannot be encoded", "method", r.Method, "error", err) })
			e = wire.Internal(r.Method)
		}
	}
	if c.settle(r, raw, e, state.Settled{Reason: why}) && why != state.NoHandler {
		c.say(func() { c.log.Debug("declined", "method", r.Method, "session", r.SessionID, "reason", why) })
	}
}

// deadline declines a request that nobody answered in time. The lock is held.
func (c *Conn) deadline(r *state.Request, sv *served) {
	timer := time.AfterFunc(c.opts.AskTimeout, func() {
		c.locked(func() { c.decline(r, state.Deadline) })
	})
	cancel := sv.cancel
	sv.cancel = func() { timer.Stop(); cancel() }
}

// startHandler starts a request's handler beside its lane, unless the request
// was answered meanwhile. It returns when the host has been called: handlers of
// one session begin in the order of the wire, and only then run side by side.
func (c *Conn) startHandler(r *state.Request, sv *served) {
	begun := make(chan struct{})
	sv.begin = sync.OnceFunc(func() { close(begun) })
	c.live.Add(1)
	go func() {
		through := false
		defer func() {
			sv.begin()
			if !through {
				v := recover()
				c.log.Error("a request's handler panicked or ended its goroutine", "method", r.Method, "panic", v, "stack", string(stack()))
				c.locked(func() { c.failed(r) })
			}
			sv.cancel()
			c.locked(func() { c.handlers-- })
			c.live.Done()
		}()
		if err := sv.ctx.Err(); err == nil {
			c.handle(r, sv)
		} else { // if it is not answered by now, its turn is over
			c.locked(func() { c.settle(r, nil, wireError(err), state.Settled{}) })
		}
		through = true
	}()
	<-begun
}

// failed answers a request whose handler came to grief. The lock is held.
func (c *Conn) failed(r *state.Request) {
	if r.Ask() || r.Permission() {
		c.decline(r, state.HandlerErr)
		return
	}
	c.settle(r, nil, wire.Internal("the handler of "+r.Method+" failed"), state.Settled{})
}

func (c *Conn) handle(r *state.Request, sv *served) {
	if r.Ask() {
		c.handleAsk(r, sv)
		return
	}
	result, err := c.dispatch(sv, r)
	if r.Permission() {
		c.permitted(r, result, err)
		return
	}
	raw := json.RawMessage(nil)
	if err == nil {
		raw, err = marshal(result)
	}
	var e *wire.Error
	if err != nil {
		e = wireError(err)
	}
	c.locked(func() { c.settle(r, raw, e, state.Settled{}) })
	if e != nil && e.Code == wire.CodeMethodNotFound {
		c.stray(unserved(r))
	}
}

// unserved says that the host does not serve a method of the protocol.
func unserved(r *state.Request) state.Stray {
	return state.Stray{Method: r.Method, Request: true, Reason: "the host does not serve this method", Raw: r.Raw}
}

// wireError makes what goes over the wire of a host's error.
func wireError(err error) *wire.Error {
	re := requestError(err)
	e := &wire.Error{Code: re.Code, Message: re.Message}
	if re.Data != nil {
		if raw, err := json.Marshal(re.Data); err == nil {
			e.Data = raw
		}
	}
	return e
}

// permitted answers a permission request with the host's choice.
func (c *Conn) permitted(r *state.Request, result any, err error) {
	why, chosen := state.HandlerErr, ""
	if response, ok := result.(acp.RequestPermissionResponse); ok && err == nil {
		switch o := response.Outcome; {
		case o.Selected == nil:
			why = state.NoHandler
			if o.Cancelled != nil {
				why = state.Cancelled
			}
		case !slices.Contains(r.Options, string(o.Selected.OptionId)):
			why = state.Refused
			err = fmt.Errorf("%w: option %q; offered: %q", ErrNotOffered, o.Selected.OptionId, r.Options)
		default:
			why, chosen = "", string(o.Selected.OptionId)
		}
	}
	var refused *acp.RequestError
	switch {
	case errors.Is(err, ErrNotOffered):
		why = state.Refused
	case errors.As(err, &refused) && refused.Code == wire.CodeMethodNotFound:
		why, err = state.NoHandler, nil // the host has no such method
	}
	if err != nil {
		c.log.Warn("a permission request is answered with cancelled", "session", r.SessionID, "error", err)
	}
	raw, encodeErr := marshal(result)
	c.locked(func() {
		if why == "" && encodeErr != nil {
			why = state.HandlerErr
		}
		if why != "" {
			c.decline(r, why)
			return
		}
		c.settle(r, raw, nil, state.Settled{Chosen: chosen})
	})
}

// An Ask is what an agent asks the host. Options.OnAsk gets it.
type Ask struct {
	Dialect, Method, WireName string
	Question                  dialect.Question
	Link                      dialect.Link
	SessionID                 string
	How                       How
	Call                      *dialect.ToolCall // the tool call it belongs to, if that is known
	Params                    any               // the vendor's typed params
	Soft                      error
	Raw                       json.RawMessage

	conn    *Conn
	request *state.Request
	served  *served
}

// Answer sends the host's answer. An answer that was not offered gives
// ErrNotOffered and is not sent, so another may follow; a second one, or one that
// comes after the ask was ended otherwise, gives ErrSettled. The zero Answer
// declines.
func (a *Ask) Answer(ans dialect.Answer) error {
	c := a.conn
	if err := a.Question.Check(ans); err != nil {
		c.locked(func() { a.served.refused = true })
		return fmt.Errorf("%w: %w", ErrNotOffered, err)
	}
	result, e := state.Encode(a.request, ans, c.guard)
	declined := ans.Outcome == dialect.OutcomeDeclined && ans.Result == nil
	if e != nil && !declined {
		c.locked(func() { a.served.refused = true })
		return fmt.Errorf("%w: %s", ErrNotOffered, e.Message)
	}
	var raw json.RawMessage
	if e == nil {
		var err error
		if raw, err = marshal(result); err != nil {
			c.locked(func() { a.served.refused = true })
			return err
		}
	}
	how := state.Settled{Answer: ans}
	if declined {
		how.Reason = state.NoHandler
	}
	var settled bool
	c.locked(func() { settled = c.settle(a.request, raw, e, how) })
	if !settled {
		return ErrSettled
	}
	return nil
}

func (c *Conn) handleAsk(r *state.Request, sv *served) {
	ask := &Ask{
		Dialect: r.Registered.Dialect, Method: r.Method, WireName: r.WireName,
		Question: r.Question, Link: r.Link, SessionID: r.SessionID, How: How(r.How),
		Call: r.Call, Params: r.Params, Soft: r.Soft, Raw: r.Raw,
		conn: c, request: r, served: sv,
	}
	sv.begin()
	err := c.opts.OnAsk(sv.ctx, ask)
	c.locked(func() {
		why := state.NoHandler
		switch {
		case sv.refused:
			why = state.Refused
		case err != nil && !errors.Is(err, context.Canceled):
			why = state.HandlerErr
		}
		c.decline(r, why)
	})
	if err != nil && !errors.Is(err, ErrSettled) {
		c.log.Debug("OnAsk failed", "method", r.Method, "error", err)
	}
}
