package state

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// A turn goes from a prompt to its answer. Turns of one connection count on, so
// that a number tells what came before what.
type turn struct {
	session   *session
	id        string // of our call
	number    uint64
	prompt    json.RawMessage
	cancelled bool
	abandoned bool // nobody waits for its answer
	over      bool
}

// inFlight reports whether a turn is still going on.
func (t *turn) inFlight() bool { return t != nil && !t.over }

// turn gives the turn that what comes for a session belongs to now; nil if there
// was none yet, or the session is not known.
func (s *State) turn(sess *session) *turn {
	if sess == nil {
		return nil
	}
	return s.root(sess).current()
}

// turnNumber is that of turn, 0 if there is none.
func (s *State) turnNumber(sess *session) uint64 {
	if t := s.turn(sess); t != nil {
		return t.number
	}
	return 0
}

// beginTurn takes in a prompt. It ends the session's replay, and the abandoned
// turns before it.
func (s *State) beginTurn(id, sessionID string, params json.RawMessage) *turn {
	sess := s.session(sessionID)
	s.claim(sess)
	for _, t := range slices.Clone(sess.flight) {
		if t.abandoned {
			delete(s.pending, t.id)
			s.endTurn(t, "")
		}
	}
	s.endHistory(sess)
	s.turns++
	t := &turn{session: sess, id: id, number: s.turns, prompt: params}
	sess.flight = append(sess.flight, t)
	s.flight = append(s.flight, t)
	s.emit(Effect{Turn: &Turn{SessionID: sessionID, Prompt: params}})
	return t
}

// endTurn ends a turn: what waited for it is delivered, its asks are declined,
// the calls it left open are closed and the children they held have ended. It is
// nil for a turn that ended before.
func (s *State) endTurn(t *turn, stopReason string) *Turn {
	if t.over {
		return nil
	}
	t.over = true
	sess := t.session
	s.flight = slices.DeleteFunc(s.flight, func(o *turn) bool { return o == t })
	for _, r := range s.open {
		if r.ended(s) {
			s.end(r, TurnEnd)
		}
	}
	for _, w := range slices.Clone(s.waiting) {
		if !w.timed && !s.awaited(w) {
			s.release(w)
		}
	}
	if sess.flight[0] == t { // else an earlier turn goes on, and what came belongs to it
		s.closeCalls(sess, t.number)
		s.settle()
		s.endForeground(t)
		for _, member := range s.family(sess) {
			if c := s.byChild[member.id]; c != nil && c.phase == over {
				s.closeCalls(member, t.number)
			}
		}
	}
	sess.flight = slices.DeleteFunc(sess.flight, func(o *turn) bool { return o == t })
	sess.last = t
	out := &Turn{SessionID: sess.id, Prompt: t.prompt, Ended: true, StopReason: stopReason, Lanes: s.lanes(sess)}
	s.emit(Effect{Turn: out})
	return out
}

// lanes gives the ids of a session and its children.
func (s *State) lanes(sess *session) []string {
	var ids []string
	for _, member := range s.family(sess) {
		ids = append(ids, member.id)
	}
	return ids
}

// History begins with a load: what comes for a session from the call on is
// replayed, and so is what comes after its answer until the session's first
// prompt, or until the agent goes on by itself. Subagents that were known are
// void until they are announced again.
func (s *State) beginHistory(sess *session, method string) {
	s.dropChildren(sess, method)
	sess.history = true
}

// endHistory begins the session's own life.
func (s *State) endHistory(sess *session) {
	if !sess.history {
		return
	}
	sess.history = false
	for _, c := range sess.order {
		if c.History {
			c.close()
		}
	}
}

// goesOn notes that the agent works on without a prompt: it says that a turn
// began, or has got an answer that it waited for. While a load is not answered
// that may be replayed, too.
func (s *State) goesOn(sess *session) {
	sess = s.root(sess)
	for _, o := range s.pending {
		if o.session == sess.id && (o.method == "session/load" || o.method == "session/resume") {
			return
		}
	}
	s.endHistory(sess)
}

// A turnMark is a vendor's mark of a turn, to tell repeats.
type turnMark struct {
	id    string
	began bool
}

// markTurn takes a vendor's mark in and reports whether it is news.
func (s *State) markTurn(sess *session, t dialect.TurnMark) bool {
	marks := &s.marks
	if sess != nil {
		marks = &sess.marks
		if t.Began {
			s.goesOn(sess)
		}
	}
	m := turnMark{t.ID, t.Began}
	if t.ID == "" {
		return true
	}
	if slices.Contains(*marks, m) {
		return false
	}
	if *marks = append(*marks, m); len(*marks) > maxTurnMarks {
		*marks = slices.Delete(*marks, 0, 1)
	}
	return true
}
