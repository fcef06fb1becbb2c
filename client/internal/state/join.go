package state

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// A place is where an event belongs.
type place struct {
	session *session
	id      string // the session's id, also where there is no record
	how     How
	call    *call // that the event joins
	turn    *turn // it came in, for one that waited; else nil
}

// A waiting report names a tool call that has not been seen yet.
type waiting struct {
	place
	token   uint64
	src     source
	finding dialect.Finding
	turns   []*turn // in flight when it came and not answered yet
	epoch   uint64  // the last turn begun when it came
	size    int
}

// resolve works out where a link belongs, by the rules of How, in their order.
func (s *State) resolve(l dialect.Link) place {
	if l.Connection {
		return place{how: HowConnection}
	}
	if l.SessionID != "" {
		sess := s.sessions[l.SessionID]
		p := place{session: sess, id: l.SessionID, how: HowVendor}
		if sess != nil && l.ToolCallID != "" {
			if c := sess.calls[l.ToolCallID]; c != nil && s.joinable(c) {
				p.call = c
			}
		}
		return p
	}
	if l.ToolCallID != "" {
		switch known := s.candidates(l.ToolCallID); {
		case len(known) == 1:
			c := known[0]
			return place{session: c.session, id: c.SessionID, how: HowToolCall, call: c}
		case len(known) > 1:
			return place{how: HowUnknown}
		}
	}
	if one := s.oneInFlight(); one != nil {
		return place{session: one, id: one.id, how: HowTurn}
	}
	if len(s.flight) == 0 && s.mine == 1 {
		for _, sess := range s.sessions {
			if sess.ours {
				return place{session: sess, id: sess.id, how: HowOnly}
			}
		}
	}
	return place{how: HowUnknown}
}

// candidates gives the records of an id that a report could mean: those of turns
// in flight or, where no turn is in flight anywhere, those of last turns.
func (s *State) candidates(id string) []*call {
	var known []*call
	for _, c := range s.calls[id] {
		if c.session.calls[id] == c && s.joinable(c) && (len(s.flight) == 0 || len(s.root(c.session).flight) > 0) {
			known = append(known, c)
		}
	}
	return known
}

// oneInFlight gives the only session with a turn in flight.
func (s *State) oneInFlight() *session {
	var one *session
	for _, t := range s.flight {
		if one != nil && t.session != one {
			return nil
		}
		one = t.session
	}
	return one
}

// placeReport delivers a report's finding, or lets it wait for the call it names.
func (s *State) placeReport(src source, f dialect.Finding) {
	p := s.resolve(f.Link)
	if f.Link.ToolCallID == "" || f.Link.Connection || p.call != nil || !waits(f.Event) {
		s.deliver(src, f, p, p.call != nil)
		return
	}
	s.nextToken++
	if p.session != nil {
		p.turn = s.root(p.session).current()
	}
	w := &waiting{
		place: p, token: s.nextToken, src: src, finding: f,
		turns: s.turnsOf(p.session), epoch: s.turns, size: len(src.raw),
	}
	if p.session == nil && p.id != "" {
		w.turns = nil // a session nobody knows has no turns
	}
	s.waiting = append(s.waiting, w)
	s.waitingBytes += w.size
	for len(s.waiting) > maxWaiting || s.waitingBytes > maxWaitingBytes {
		s.release(s.waiting[0])
	}
	if len(w.turns) == 0 {
		s.emit(Effect{Timer: &Timer{Token: w.token}})
	}
}

// waits tells the events that belong with a tool call's record from those that
// only mention one.
func waits(e dialect.Event) bool {
	switch e.(type) {
	case dialect.Nested, dialect.Withdrawn, dialect.Turn:
		return false
	}
	return true
}

// release delivers a waiting report that its call never came for.
func (s *State) release(w *waiting) {
	if s.unwait(w) {
		s.deliver(w.src, w.finding, w.place, false)
	}
}

func (s *State) unwait(w *waiting) bool {
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.waitingBytes -= w.size
	return true
}

// join gives a new record the reports that waited for it.
func (s *State) join(c *call) {
	if len(s.waiting) == 0 || !s.joinable(c) || c.turn == nil && !c.session.child() && len(s.flight) > 0 {
		return
	}
	for _, w := range slices.Clone(s.waiting) {
		l := w.finding.Link
		if l.ToolCallID != c.ID || l.SessionID != "" && l.SessionID != c.SessionID {
			continue
		}
		if c.turn != nil && c.turn.number > w.epoch {
			continue // the report came before that turn began
		}
		p := s.resolve(l)
		if p.call == c && s.unwait(w) {
			s.deliver(w.src, w.finding, p, true)
		}
	}
}

// Expire delivers the report of a Timer, if it still waits.
func (s *State) Expire(token uint64) []Effect {
	for _, w := range s.waiting {
		if w.token == token && len(w.turns) == 0 {
			s.release(w)
			break
		}
	}
	return s.flush()
}
