package state

import "github.com/acpdialects/acpdialects/dialect"

// A place is where an event belongs.
type place struct {
	session *session
	id      string // the session's id, also where there is no record
	how     How
	call    *call        // the record that the event is about
	own     bool         // that record is of the frame itself
	names   dialect.Link // all that the frame calls the subagent
	turn    *turn        // it came in, for one that waited; else nil
}

// resolve works out where a link belongs, by the rules of How, in their order.
// Where two would fit it does not choose.
func (s *State) resolve(l dialect.Link) place {
	if l.Connection {
		return place{how: HowConnection}
	}
	if l.SessionID != "" {
		return s.named(l)
	}
	if kid := s.byChild[l.ChildSessionID]; kid != nil && kid.session != nil {
		l.SessionID = kid.session.id
		return s.named(l)
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
	if len(s.flight) == 0 && len(s.own) == 1 {
		for _, sess := range s.own {
			return place{session: sess, id: sess.id, how: HowOnly}
		}
	}
	return place{how: HowUnknown}
}

// named gives the place of a link that has its session.
func (s *State) named(l dialect.Link) place {
	p := place{session: s.sessions[l.SessionID], id: l.SessionID, how: HowVendor}
	if p.session != nil && l.ToolCallID != "" {
		if c := p.session.calls[l.ToolCallID]; c != nil && s.joinable(c) {
			p.call = c
		}
	}
	return p
}

// candidates gives the records of an id that a report could mean: those of turns
// in flight or, where no turn is in flight anywhere, those of last turns.
func (s *State) candidates(id string) []*call {
	var known []*call
	for _, c := range s.calls[id] {
		if !s.joinable(c) || len(s.flight) > 0 && len(s.root(c.session).flight) == 0 {
			continue
		}
		if known = append(known, c); len(known) > 1 {
			break
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
