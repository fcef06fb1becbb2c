package state

import (
	"cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

// tell makes the event of a change to a subagent.
func (s *State) tell(ev *Event, c *child, change dialect.Change) {
	out := *ev
	record := s.record(c)
	record.Change = change
	out.Payload = record
	out.call = cmp.Or(c.call, ev.call)
	s.emitEvent(&out)
}

// derived makes the event of a change that no message speaks of, but that
// follows from one.
func (s *State) derived(method string, c *child) *Event {
	ev := &Event{
		Dialect: coreName, Method: method, WireName: method,
		Link: dialect.Link{ToolCallID: c.toolCallID, ChildSessionID: c.childSession, AgentID: c.agentID},
		How:  HowUnknown, History: c.history,
	}
	if c.session != nil {
		ev.Link.SessionID, ev.SessionID, ev.How = c.session.id, c.session.id, HowVendor
	}
	if s.frame != nil {
		ev.Raw = s.frame.Params
	}
	return ev
}

// record gives what is known of a subagent.
func (s *State) record(c *child) dialect.Subagent {
	out := dialect.Subagent{
		ToolCallID: c.toolCallID, ChildSessionID: c.childSession, AgentID: c.agentID,
		Title: c.title.value, Description: c.description.value, Prompt: c.prompt.value,
		AgentType: c.agentType.value, Model: c.model.value, Background: c.background.value,
		Error: c.errorText.value, Summary: c.summary.value, Duration: c.duration.value,
		Tokens: c.tokens.value, ToolCalls: c.toolCalls.value, CanCancel: c.canCancel.value,
	}
	if !c.history {
		out.Run = c.run
	}
	out.Activity, out.Outcome = c.state()
	if c.session != nil {
		out.SessionID = c.session.id
	}
	if c.call != nil {
		out.Parent = s.snapshot(c.call).Parent
	}
	return out
}

// Subagents gives the tree of a session's subagents, in the order they were first
// seen. Those of a child session are the child's.
func (s *State) Subagents(sessionID string) []dialect.Subagent {
	sess := s.sessions[sessionID]
	if sess == nil {
		return nil
	}
	kids := map[*child][]*child{}
	for _, c := range s.children {
		if c.history && !s.replaying(c.session) {
			continue // void until it is announced again
		}
		up := s.above(c)
		if up == nil && c.session != sess {
			continue
		}
		kids[up] = append(kids[up], c)
	}
	var build func(of *child) []dialect.Subagent
	build = func(of *child) []dialect.Subagent {
		var out []dialect.Subagent
		for _, c := range kids[of] {
			if of == nil && c.session != sess {
				continue
			}
			one := s.record(c)
			one.Children = build(c)
			out = append(out, one)
		}
		return out
	}
	return build(nil)
}

// above gives the subagent that another runs inside, if any.
func (s *State) above(c *child) *child {
	if c.session == nil {
		return nil
	}
	if c.call != nil {
		if p := c.call.Parent; p != (dialect.Link{}) {
			if up := s.spawner(c.session, p); up != nil && up != c && s.acyclic(up, c) {
				return up
			}
		}
	}
	if up := s.byChild[c.session.id]; up != nil && up != c {
		return up
	}
	return nil
}

// acyclic guards against an agent whose calls claim to hold each other.
func (s *State) acyclic(up, c *child) bool {
	for range maxChildren {
		if up == c {
			return false
		}
		if up == nil || up.call == nil || up.session == nil {
			return true
		}
		up = s.spawner(up.session, up.call.Parent)
	}
	return false
}

func (s *State) spawner(sess *session, l dialect.Link) *child {
	if l.ChildSessionID != "" {
		return s.byChild[l.ChildSessionID]
	}
	if l.ToolCallID != "" {
		if c := sess.calls[l.ToolCallID]; c != nil {
			return c.spawned.real()
		}
		return nil
	}
	if l.AgentID != "" {
		return s.byAgent[agentKey{sess.id, l.AgentID}]
	}
	return nil
}
