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
		if _, ok := w.finding.Event.(dialect.SubagentPatch); !ok || w.id != p.id {
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

// newChild makes a subagent's record. The oldest that has ended makes room.
func (s *State) newChild(history bool) *child {
	if len(s.children) >= maxChildren {
		s.dropOldest(nil)
	}
	c := &child{history: history, born: s.seq}
	s.children = append(s.children, c)
	return c
}

// dropOldest drops the oldest subagent that does not run or, if all do, the oldest.
func (s *State) dropOldest(but *child) {
	i := slices.IndexFunc(s.children, func(c *child) bool { return c != but && c.phase != running })
	if i < 0 {
		i = slices.IndexFunc(s.children, func(c *child) bool { return c != but })
	}
	s.dropChild(s.children[i], "")
}

// childBytes counts what agents have written about subagents.
func (s *State) childBytes() int {
	n := 0
	for _, c := range s.children {
		n += c.bytes()
	}
	return n
}

func (c *child) bytes() int {
	return len(c.title.value) + len(c.description.value) + len(c.prompt.value) + len(c.agentType.value) +
		len(c.model.value) + len(c.errorText.value) + len(c.summary.value)
}

// slimChildren makes room for the texts about a subagent.
func (s *State) slimChildren(c *child) {
	if c.bytes() <= longText {
		return
	}
	for len(s.children) > 1 && s.childBytes() > maxChildBytes {
		s.dropOldest(c)
	}
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
	if len(c.agentKeys) > maxAgentKeys {
		if oldest := c.agentKeys[0]; s.byAgent[oldest] == c {
			delete(s.byAgent, oldest)
		}
		c.agentKeys = slices.Delete(c.agentKeys, 0, 1)
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
