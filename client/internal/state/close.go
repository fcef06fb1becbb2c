package state

import "slices"

// closeSession ends all that belongs to a session and its children, and forgets
// them.
func (s *State) closeSession(sess *session) {
	if s.sessions[sess.id] != sess {
		return // with another one
	}
	for _, r := range s.open {
		if inside := s.sessions[r.SessionID]; inside != nil && s.within(inside, sess) {
			s.end(r, ConnClosed)
		}
	}
	for s.letGo(sess) {
	}
	for _, member := range slices.Backward(s.family(sess)) {
		s.dropChildren(member, "session/close")
		if c := s.byChild[member.id]; c != nil && c.phase == running {
			s.finish(s.derived("session/close", c), c)
		}
		s.forget(member)
		if member.ours || member.child() {
			s.emit(Effect{Closed: &Closed{SessionID: member.id}})
		}
	}
}

// letGo ends a turn in a session or inside it, or delivers a report that waits
// there, which may tell of another child. It reports whether there was any.
func (s *State) letGo(sess *session) bool {
	for _, t := range s.flight {
		if s.within(t.session, sess) {
			s.endTurn(t, "")
			return true
		}
	}
	for _, w := range s.waiting {
		if w.session != nil && s.within(w.session, sess) {
			s.release(w)
			return true
		}
	}
	return false
}

// dropChildren ends and forgets all subagents of a session.
func (s *State) dropChildren(sess *session, method string) {
	for _, c := range slices.Clone(s.children) {
		if c.session == sess && !c.gone {
			s.dropChild(c, method)
		}
	}
}

// dropChild ends and forgets a subagent, and its session with it.
func (s *State) dropChild(c *child, method string) {
	if c.phase == running {
		s.finish(s.derived(method, c), c)
	}
	s.unname(c)
	if sess := s.sessions[c.childSession]; sess != nil && c.session != nil && sess.child() && sess.parent == c.session.id {
		s.closeSession(sess)
	}
}

// forget takes a session's record out of every table.
func (s *State) forget(sess *session) {
	s.unstray(sess)
	delete(s.own, sess.id)
	if p := s.sessions[sess.parent]; p != nil && sess.child() {
		p.kids = slices.DeleteFunc(p.kids, func(id string) bool { return id == sess.id })
	}
	for _, c := range sess.order {
		s.unindex(c)
	}
	delete(s.sessions, sess.id)
	s.bytes -= sess.bytes
}

// Disconnect ends everything: the agent is gone. What it had said is told, and
// what was running has ended with unknown outcome.
func (s *State) Disconnect() []Effect {
	if s.closed {
		return s.flush()
	}
	s.closed = true
	for _, r := range s.open {
		s.end(r, ConnClosed)
	}
	for len(s.waiting) > 0 {
		s.release(s.waiting[0])
	}
	for len(s.flight) > 0 {
		s.endTurn(s.flight[0], "")
	}
	s.settle()
	for _, c := range slices.Clone(s.children) {
		if c.phase == running {
			s.finish(s.derived("", c), c)
		}
	}
	return s.flush()
}
