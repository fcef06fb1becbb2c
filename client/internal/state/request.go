package state

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// start opens a request, or ends it at once where its turn is cancelled.
func (s *State) start(r *Request) {
	s.open = append(s.open, r)
	if r.decided() && r.cancelled(s) {
		s.end(r, Cancelled)
		return
	}
	s.emit(Effect{Request: r})
}

// permission takes a session/request_permission in. Its toolCall may be all that
// is ever heard of the call.
func (s *State) permission(f *wire.Frame) {
	r := &Request{ID: f.ID, Method: f.Method, WireName: f.Method, Raw: f.Params, Size: f.Size, How: HowVendor}
	sc, err := scanParams(f.Params, "toolCall")
	if err != nil || !sc.named {
		s.emit(Effect{Reply: &Reply{ID: f.ID, Error: wire.InvalidParams(f.Method, "sessionId is missing")}})
		s.astray(f, "a permission request without sessionId")
		return
	}
	sess := s.heard(sc.sessionID)
	r.SessionID, r.Options = sess.id, optionIDs(sc.options)
	r.in(s, sess)
	frame := dialect.Frame{SessionID: sess.id, Kind: dialect.FramePermission, Raw: f.Params, Meta: sc.meta, OuterMeta: sc.outerMeta}
	if id, ok := wire.String(sc.call.id); ok {
		c := s.upsert(sess, id, &sc.call, sc.meta, true)
		r.Link = dialect.Link{SessionID: sess.id, ToolCallID: id}
		frame.Call = c.ToolCall
		s.means(f.Method, f.Params, sess, &sc, c, s.observe(frame), layerObserved)
		s.join(c)
		r.Call = s.snapshot(c)
	} else {
		s.told(sess, nil, f.Params, s.observe(frame), layerObserved)
	}
	s.settle()
	s.start(r)
}

// optionIDs reads the ids of a permission request's options. One that is no
// string cannot be chosen.
func optionIDs(raw json.RawMessage) []string {
	if wire.IsNull(raw) {
		return nil
	}
	s := wire.Scan(raw)
	defer s.Free()
	var ids []string
	s.Array(func() error {
		item, err := s.Value()
		if id, ok := wire.String(rawjson.Get(item, "optionId")); ok {
			ids = append(ids, id)
		}
		return err
	})
	return ids
}

// ask takes a dialect's ask in. Whatever becomes of it, what the vendor put into
// it is an event.
func (s *State) ask(f *wire.Frame, m *registry.Method, src source) {
	r := &Request{
		ID: f.ID, Method: m.Name, WireName: f.Method, Raw: f.Params, Size: f.Size,
		Registered: m, Params: src.params, How: HowUnknown,
	}
	readable := dialect.Usable(src.soft)
	if readable {
		r.Soft = src.soft
		readable = s.hook(m.Dialect, m.Name, func() { r.Link, r.Question = m.Question(src.params) })
		if !readable {
			src.soft = errHook
		}
	}
	p := s.resolve(r.Link)
	r.SessionID, r.How = p.id, p.how
	if !r.Link.Connection {
		r.in(s, p.session)
	}
	var event dialect.Event = r.Question
	if !readable {
		event = dialect.Notice{
			Kind:    dialect.NoticeUndecodable,
			Message: "The agent's " + m.Name + " could not be read and was declined",
			Detail:  src.soft.Error(),
		}
	}
	src.open = f.ID != nil
	s.deliver(src, dialect.Finding{Link: r.Link, Event: event}, p, p.call != nil)
	if p.call != nil {
		r.Call = s.snapshot(p.call)
	}
	switch {
	case f.ID == nil: // its event is all there is
	case !readable:
		s.open = append(s.open, r)
		s.end(r, Undecodable)
	default:
		s.start(r)
	}
}

// Open reports whether a request waits for its answer.
func (s *State) Open(r *Request) bool { return slices.Contains(s.open, r) }

// Idle reports whether no request waits for its answer.
func (s *State) Idle() bool { return len(s.open) == 0 }

// Settle closes a request that has been answered, with what came of it, and
// reports whether it was open.
func (s *State) Settle(r *Request, how Settled) ([]Effect, bool) {
	i := slices.Index(s.open, r)
	if i < 0 {
		return nil, false
	}
	s.open = slices.Delete(s.open, i, i+1)
	if r.decided() {
		how.Request = r
		s.emit(Effect{Settled: &how})
		if sess := s.sessions[r.SessionID]; sess != nil && how.Reason == "" {
			s.goesOn(sess)
		}
	}
	return s.flush(), true
}

// Decline makes the answer that means "nobody decided".
func Decline(r *Request, guard func(owner, method string, f func()) bool) (result any, err *wire.Error) {
	switch {
	case r.Permission():
		return json.RawMessage(`{"outcome":{"outcome":"cancelled"}}`), nil
	case !r.Ask():
		return nil, &wire.Error{Code: -32800, Message: "Request cancelled"}
	}
	return Encode(r, dialect.Answer{}, guard)
}

// Encode makes the vendor's result of an answer to an ask. Guard runs the
// dialect's hook, contains what goes wrong in it, and says whether it returned.
func Encode(r *Request, a dialect.Answer, guard func(owner, method string, f func()) bool) (any, *wire.Error) {
	var result any
	var err error
	ok := guard(r.Registered.Dialect, r.Method, func() { result, err = r.Registered.Reply(r.Params, a) })
	if !ok {
		return nil, wire.Internal(r.Method + ": " + errHook.Error())
	}
	if err != nil {
		return nil, noAnswer(err)
	}
	return result, nil
}

// OpenRequests gives the requests that wait for an answer, oldest first.
func (s *State) OpenRequests() []*Request { return slices.Clone(s.open) }

func noAnswer(err error) *wire.Error {
	var na *dialect.NoAnswer
	if errors.As(err, &na) {
		code := na.Code
		if code == 0 {
			code = wire.CodeInternal
		}
		message := na.Message
		if message == "" {
			message = "No answer"
		}
		return &wire.Error{Code: code, Message: message}
	}
	return wire.Internal(err.Error())
}
