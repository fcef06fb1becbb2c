package state

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// The names of a subagent: its own session where it has one, else its tool call
// in the parent's session, else the vendor's id. Several layers may each know it
// by another, until one message has two of them.
type names struct {
	session      *session // the parent's; nil while unknown
	childSession string
	toolCallID   string
	call         *call   // the record; nil if it was never seen, or is gone
	callKey      callKey // under which it is found then
	agentID      string
	agentKeys    []agentKey // under which it is found

	gone bool   // forgotten
	into *child // where it was merged into
}

type agentKey struct{ session, agent string }

type callKey struct{ session, call string }

// real gives the record that stands for a subagent now, nil if it is forgotten.
func (c *child) real() *child {
	for c != nil && c.into != nil {
		c = c.into
	}
	if c == nil || c.gone {
		return nil
	}
	return c
}

// A mention is a message's word of a subagent.
type mention struct {
	link dialect.Link
	at   place
	// report says that it is a vendor's private message, works that it speaks of
	// a subagent at work, history that it was replayed.
	report, works, history bool
}

// locate finds the subagent that a message means, or makes it, and adds the names
// in it. News says that some were not known; task that the tool call is a task
// after the one that is known.
func (s *State) locate(m mention) (c *child, news, task bool) {
	l, p := m.link, m.at
	if p.names != (dialect.Link{}) {
		l = p.names
	}
	l = s.hint(l, p)
	if l.ToolCallID == "" && l.ChildSessionID == "" && l.AgentID == "" {
		return &child{names: names{session: p.session}, history: m.history}, false, false // nobody can speak of it again
	}
	meet := func(found *child) {
		switch {
		case found == nil || found == c || contradicts(found, l):
		case c == nil:
			c = found
		default:
			c, news = s.merge(c, found), true
		}
	}
	if l.ChildSessionID != "" {
		meet(s.byChild[l.ChildSessionID])
	}
	if l.ToolCallID != "" {
		meet(s.ofCall(p, l.ToolCallID, m.report && !m.history))
	}
	if l.AgentID != "" {
		if known := s.byAgent[agentKey{p.id, l.AgentID}]; known != nil && (known.toolCallID == "" || l.ToolCallID == "") {
			meet(known)
		}
	}
	switch {
	case c == nil:
		c = s.newChild(m.history)
	case c.history && !m.history:
		s.revive(c)
	}
	learned, task := s.identify(c, l, p, m.works)
	return c, news || learned, task
}

// revive makes a subagent of what was replayed of one. Its tool call was replayed
// too, and is nothing to it any more.
func (s *State) revive(c *child) {
	if c.call != nil {
		c.call.spawned = nil
	}
	c.history, c.runs = false, runs{}
	s.setCall(c, "", nil)
}

// contradicts reports whether a link names another session than the child's.
func contradicts(c *child, l dialect.Link) bool {
	return c.childSession != "" && l.ChildSessionID != "" && c.childSession != l.ChildSessionID
}

// hint adds the tool call that a report which still waits has for the subagent.
func (s *State) hint(l dialect.Link, p place) dialect.Link {
	if l.ToolCallID != "" {
		return l
	}
	for _, w := range s.waiting {
		if _, ok := w.finding.Event.(dialect.Subagent); !ok || w.id != p.id {
			continue
		}
		o := w.finding.Link
		if l.AgentID != "" && l.AgentID == o.AgentID || l.ChildSessionID != "" && l.ChildSessionID == o.ChildSessionID {
			l.ToolCallID = o.ToolCallID
			break
		}
	}
	return l
}

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

// newChild makes a subagent's record. The oldest that has ended makes room.
func (s *State) newChild(history bool) *child {
	if len(s.children) >= maxChildren {
		i := slices.IndexFunc(s.children, func(c *child) bool { return c.phase != running })
		s.dropChild(s.children[max(i, 0)], "")
	}
	c := &child{history: history, born: s.seq}
	s.children = append(s.children, c)
	return c
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

// nameAgent makes a subagent known by a vendor's id: the last that had it counts.
func (s *State) nameAgent(c *child, key agentKey) {
	if s.byAgent[key] == c {
		return
	}
	s.byAgent[key] = c
	if !slices.Contains(c.agentKeys, key) {
		c.agentKeys = append(c.agentKeys, key)
	}
}

// unname takes a subagent out of every table.
func (s *State) unname(c *child) {
	c.gone = true
	s.children = slices.DeleteFunc(s.children, func(o *child) bool { return o == c })
	if s.byChild[c.childSession] == c {
		delete(s.byChild, c.childSession)
	}
	for _, key := range c.agentKeys {
		if s.byAgent[key] == c {
			delete(s.byAgent, key)
		}
	}
	if s.byCall[c.callKey] == c {
		delete(s.byCall, c.callKey)
	}
}
