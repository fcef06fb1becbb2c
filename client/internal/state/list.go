package state

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// listed takes a whole list in: who was on the last one and is not on this has
// ended. A list that names no session is of all there are, whichever turn it came
// in. It reports whether anything was told.
func (s *State) listed(ev *Event, src source, p place, l dialect.SubagentList) bool {
	list := ev.Dialect + " " + ev.Method + " " + ev.Link.SessionID
	p.call = nil // the list's, not its members'
	told := len(s.out)
	seen := map[*child]bool{}
	for _, m := range l.Members {
		one := *ev
		one.Link = m.Link
		at := p
		if m.Link.SessionID != "" || m.Link.ToolCallID != "" || m.Link.ChildSessionID != "" {
			if at = s.resolve(m.Link); at.how == HowUnknown {
				at = p
			}
			one.SessionID, one.How = at.id, at.how
		}
		c := s.reduce(&one, src, at, m.Patch, true)
		c.list = list
		seen[c] = true
	}
	for _, c := range slices.Clone(s.children) {
		if c.list != list || seen[c] {
			continue
		}
		c.list = ""
		c.voices[src.layer] = voice{run: c.run, turn: s.turnNumber(c.session), ended: true}
		if c.phase == running {
			one := *ev
			if c.session != nil && c.session != p.session {
				one.SessionID, one.How = c.session.id, HowVendor
			}
			s.finish(&one, c)
		}
	}
	return len(s.out) > told
}
