package state

import "github.com/acpdialects/acpdialects/dialect"

// ofCall finds the subagent of a tool call: of its record; or, where the call was
// not seen in the turn that is current, the one that an earlier message of that
// turn named; or the one of an earlier turn. A report may be about a call that is
// still to come (early), and then means that one only while it runs.
func (s *State) ofCall(p place, id string, early bool) *child {
	if p.session == nil {
		return nil
	}
	if p.call != nil {
		return p.call.spawned.real()
	}
	if c := p.session.calls[id]; c != nil {
		if kid := c.spawned.real(); kid != nil && (kid.phase == running || !early) {
			return kid
		}
	}
	return s.unseen(p.session, id, true)
}

// unseen finds a subagent whose tool call was not seen: of the current turn, or
// one that still runs.
func (s *State) unseen(sess *session, id string, still bool) *child {
	kid := s.byCall[callKey{sess.id, id}]
	if kid == nil || kid.call != nil || kid.turn != s.turn(sess) && !(still && kid.phase == running) {
		return nil
	}
	return kid
}

// adoptUnseen gives a new record the subagent that was known by its id before.
func (s *State) adoptUnseen(c *call, opens bool) {
	if kid := s.unseen(c.session, c.ID, !opens); kid != nil && kid.history == c.History {
		s.setCall(kid, c.ID, c)
	}
}

// setCall makes a tool call, or no more than its id, the subagent's.
func (s *State) setCall(c *child, id string, record *call) {
	if s.byCall[c.callKey] == c {
		delete(s.byCall, c.callKey)
	}
	c.toolCallID, c.call, c.callKey = id, nil, callKey{}
	switch {
	case id == "":
	case record == nil:
		if c.session != nil {
			c.callKey = callKey{c.session.id, id}
			s.byCall[c.callKey] = c
		}
	case record.spawned.real() == nil || record.spawned.real() == c:
		c.call, record.spawned = record, c
		s.touch(c)
	}
}

// identify adds the names a link has for a subagent.
func (s *State) identify(c *child, l dialect.Link, p place, works bool) (learned, task bool) {
	if c.session == nil && p.session != nil && p.session.id != l.ChildSessionID && p.session.id != c.childSession {
		c.session = p.session
	}
	if l.ToolCallID != "" && p.session == c.session {
		learned, task = s.identifyCall(c, l.ToolCallID, p.call, works)
	}
	if id := l.ChildSessionID; id != "" && c.childSession == "" && s.byChild[id] == nil {
		c.childSession, learned = id, true
		s.byChild[id] = c
	}
	if l.AgentID != "" {
		if c.agentID == "" {
			c.agentID, learned = l.AgentID, true
		}
		s.nameAgent(c, agentKey{p.id, l.AgentID})
	}
	if c.childSession != "" && c.session != nil {
		s.link(c.childSession, c.session)
	}
	return learned, task
}

// identifyCall adds a tool call to what is known of a subagent. A call besides
// the one that is known is a task of its own if the subagent works on it after it
// had ended; any other only mentions the subagent.
func (s *State) identifyCall(c *child, id string, record *call, works bool) (learned, task bool) {
	ended := c.phase == over
	switch {
	case record != nil && record.spawned.real() == c:
		return false, false
	case c.toolCallID == "":
		task = ended && s.turnNumber(c.session) > c.ended
	case c.toolCallID == id && (record == nil || c.call == nil && !(ended && record.number > c.ended)):
	case ended && works:
		task = true
	default:
		return false, false
	}
	learned = task || c.toolCallID == ""
	if task {
		c.task = c.run + 1
	} else if learned {
		c.task = c.firstIn(s.turnNumber(c.session))
	}
	if learned || c.call == nil {
		s.setCall(c, id, record)
	}
	return learned, task
}
