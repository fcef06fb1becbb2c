package state

import (
	"bytes"
	"slices"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// end has the owner end a request, once. One that is for nobody to decide is told
// of the end of its turn and goes on.
func (s *State) end(r *Request, why Reason) {
	if r.ending == "" || r.ending == TurnEnd && !r.decided() {
		r.ending = why
		s.emit(Effect{End: &End{Request: r, Reason: why}})
	}
}

// decided reports whether a request is for somebody to decide, so that it has a
// decline.
func (r *Request) decided() bool { return r.Ask() || r.Permission() }

// in notes the turn that a request came in. One whose session is not known, or is
// nobody's yet, belongs to all that are in flight.
func (r *Request) in(s *State, sess *session) {
	if sess.placed() {
		if t := s.turn(sess); t.inFlight() {
			r.turn = t
		}
	} else if len(s.flight) > 0 {
		r.epoch = s.turns
	}
}

// ended reports whether the turns that a request came in are over.
func (r *Request) ended(s *State) bool {
	if r.epoch > 0 {
		return !s.anyInFlight(r.epoch)
	}
	return r.turn != nil && r.turn.over
}

// cancelled reports whether we have cancelled what a request belongs to: its
// turn, a session that it is within, or every turn it may belong to.
func (r *Request) cancelled(s *State) bool {
	if r.epoch > 0 {
		return !slices.ContainsFunc(s.flight, func(t *turn) bool { return t.number <= r.epoch && !t.cancelled })
	}
	if r.turn == nil {
		return false
	}
	for sess := s.sessions[r.SessionID]; sess != nil && sess.child(); sess = s.sessions[sess.parent] {
		if sess.halted == r.turn {
			return true
		}
	}
	return r.turn.cancelled
}

// anyInFlight reports whether a turn that began no later than a number goes on.
func (s *State) anyInFlight(number uint64) bool {
	return len(s.flight) > 0 && s.flight[0].number <= number
}

// cancel follows our session/cancel: what is open is declined, and so is what
// comes before the turn's answer. Children are cancelled with their parent.
func (s *State) cancel(sessionID string) {
	sess := s.sessions[sessionID]
	if sess == nil {
		return
	}
	for _, t := range sess.flight {
		t.cancelled = true
	}
	if sess.child() {
		sess.halted = s.turn(sess)
	}
	for _, r := range s.open {
		inside := s.sessions[r.SessionID]
		if r.decided() && (inside != nil && s.within(inside, sess) || r.cancelled(s)) {
			s.end(r, Cancelled)
		}
	}
}

// inherit gives what is open in a session that turns out to be a child's the
// turn that it came in after all.
func (s *State) inherit(sess *session) {
	t := s.turn(sess)
	if !t.inFlight() {
		return
	}
	for _, r := range s.open {
		inside := s.sessions[r.SessionID]
		if r.turn != nil || inside == nil || !s.within(inside, sess) {
			continue
		}
		if r.turn, r.epoch = t, 0; r.decided() && t.cancelled {
			s.end(r, Cancelled)
		}
	}
}

// cancelRequest follows the agent's $/cancel_request.
func (s *State) cancelRequest(f *wire.Frame) {
	id := rawjson.Get(f.Params, "requestId")
	found := false
	for _, r := range s.open {
		if id != nil && bytes.Equal(r.ID, id) {
			found = true
			s.end(r, Cancelled)
		}
	}
	if f.ID != nil {
		s.decline(f)
	} else if !found {
		s.astray(f, "cancels a request that is not open")
	}
}

// withdraw ends the asks that belong to a tool call, if it is certain which call
// is meant.
func (s *State) withdraw(l dialect.Link, p place) {
	var meant []*Request
	for _, r := range s.open {
		if r.decided() && l.ToolCallID != "" && r.Link.ToolCallID == l.ToolCallID && (p.id == "" || r.SessionID == "" || r.SessionID == p.id) {
			meant = append(meant, r)
		}
	}
	for _, r := range meant {
		if p.id == "" && r.SessionID != meant[0].SessionID {
			return
		}
	}
	for _, r := range meant {
		s.end(r, Cancelled)
	}
}
