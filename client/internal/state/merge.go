package state

import "cmp"

// merge makes one subagent of two records and gives the one that stays. Two tool
// calls, the first of them over, were two runs. Otherwise one run was seen from
// two sides, and is over if it is from either.
func (s *State) merge(a, b *child) *child {
	if b.born < a.born {
		a, b = b, a
	}
	two := a.toolCallID != "" && b.toolCallID != "" && (a.toolCallID != b.toolCallID || a.call != nil && b.call != nil)
	id, record := cmp.Or(a.toolCallID, b.toolCallID), cmp.Or(a.call, b.call)
	switch {
	case a.history != b.history:
		if a.history {
			a.runs, id, record = b.runs, b.toolCallID, b.call
		} else {
			id, record = a.toolCallID, a.call
		}
		a.history = false
	case two && a.phase == over:
		b.after(a.run)
		a.runs, id, record = b.runs, b.toolCallID, b.call
	default:
		a.runs.join(b.runs)
		if a.toolCallID == "" {
			a.task = b.task
		} else if two {
			id, record = a.toolCallID, a.call
		}
	}
	a.fold(b)
	s.unname(b)
	b.into = a
	s.rename(a, b)
	s.setCall(a, id, record)
	return a
}

// rename gives a subagent the names of another that was merged into it.
func (s *State) rename(c, from *child) {
	if c.session == nil {
		c.session = from.session
	}
	if c.childSession == "" && from.childSession != "" {
		c.childSession = from.childSession
		s.byChild[c.childSession] = c
	}
	c.agentID = cmp.Or(c.agentID, from.agentID)
	for _, key := range from.agentKeys {
		if s.byAgent[key] == nil {
			s.nameAgent(c, key)
		}
	}
	c.list = cmp.Or(c.list, from.list)
}
