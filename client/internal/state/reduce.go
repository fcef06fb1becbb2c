package state

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// reduce takes a patch to a subagent in and tells what it changed; quiet says
// that a patch which changes nothing is no news.
//
// A run starts when the child is first seen, or seen running again after an end.
// It ends once. What was replayed opens no runs.
func (s *State) reduce(ev *Event, by layer, p place, patch dialect.Subagent, quiet bool) {
	c := s.locate(ev.Link, p)
	changed := c.patch(patch, by)
	changed = s.wake(c, patch, by) || changed

	started := false
	if !c.history && !c.running && (c.run == 0 || s.again(c, patch, by)) {
		started = true
		c.begin(s.turnAt(p))
	}
	switch {
	case started:
		s.tell(ev, c, Started)
	case changed || !quiet:
		s.tell(ev, c, Updated)
	}
	if c.running && over(patch) {
		s.finish(ev, c, "")
	}
	if by != layerReport {
		return // what the call's own frame ends is ended when all have spoken
	}
	if c.call != nil {
		s.callEnded(c.call)
	} else if c.running && c.callBound() && c.childSession == "" && !slices.Contains(s.flight, c.turn) {
		s.finish(s.derived("session/prompt", c), c, dialect.OutcomeUnknown)
	}
}

// turnAt gives the turn that a run beginning now belongs to.
func (s *State) turnAt(p place) *turn {
	if p.call != nil && p.call.turn != nil {
		return p.call.turn
	}
	if p.turn != nil || p.session == nil {
		return p.turn
	}
	return s.root(p.session).current()
}

// wake takes a patch's activity in. An end is taken in by finish, and an ended
// child stays so until it is seen running again.
func (s *State) wake(c *child, patch dialect.Subagent, by layer) bool {
	a, set := patch.Activity.Get()
	if !set || a == dialect.Ended {
		return false
	}
	if c.run > 0 && !c.running && !s.again(c, patch, by) {
		return false
	}
	return c.activity.apply(patch.Activity, by)
}

// again reports whether a patch says that an ended child runs anew. What is
// observed of the tool call that ended the run does not.
func (s *State) again(c *child, patch dialect.Subagent, by layer) bool {
	a, _ := patch.Activity.Get()
	if a != dialect.Running && a != dialect.RequiresAction {
		return false
	}
	return by > layerObserved || c.call == nil || !c.call.Ended
}

// over reports whether a patch ends a run.
func over(p dialect.Subagent) bool {
	if a, set := p.Activity.Get(); set {
		return a == dialect.Ended
	}
	switch o, _ := p.Outcome.Get(); o {
	case dialect.Completed, dialect.Failed, dialect.Cancelled, dialect.OutcomeUnknown:
		return true
	}
	return false
}

func (c *child) begin(t *turn) {
	c.run++
	c.running = true
	c.turn = t
	if c.run > 1 && c.outcome.value != "" && c.outcome.value != dialect.Launched {
		c.outcome = slot[dialect.SubagentOutcome]{}
	}
	if c.activity.value == "" || c.activity.value == dialect.Ended {
		c.activity = slot[dialect.Activity]{value: dialect.Running}
	}
}

// finish ends a run. The outcome is the one that was told, else the one given,
// else unknown.
func (s *State) finish(ev *Event, c *child, outcome dialect.SubagentOutcome) {
	c.running = false
	c.activity = slot[dialect.Activity]{value: dialect.Ended, by: layerDerived, set: false}
	if o := c.outcome.value; o == "" || o == dialect.Launched {
		if outcome == "" {
			outcome = dialect.OutcomeUnknown
		}
		c.outcome = slot[dialect.SubagentOutcome]{value: outcome, by: layerDerived, set: true}
	}
	s.tell(ev, c, Ended)
	if kid := s.sessions[c.childSession]; kid != nil && kid.child() {
		s.closeCalls(kid, nil)
	}
}

// callEnded ends the run of a subagent whose tool call is over: finished by the
// agent, unless it was only launched in the background, or closed by its turn.
func (s *State) callEnded(c *call) {
	kid := c.spawned
	if kid == nil || !kid.running || kid.background.value || !c.Ended || kid.call != c {
		return
	}
	if !c.Finished() {
		s.finish(s.derived("session/prompt", kid), kid, dialect.OutcomeUnknown)
		return
	}
	outcome := dialect.Completed
	if c.Status == "failed" {
		outcome = dialect.Failed
	}
	s.finish(s.derived("session/update", kid), kid, outcome)
}

// endForeground ends the runs that a turn held and whose call never ended.
func (s *State) endForeground(t *turn) {
	for _, c := range slices.Clone(s.children) {
		if c.running && c.turn == t && c.callBound() {
			s.finish(s.derived("session/prompt", c), c, dialect.OutcomeUnknown)
		}
	}
}

// dropChildren ends and forgets all subagents of a session.
func (s *State) dropChildren(sess *session, src source) {
	for _, c := range slices.Clone(s.children) {
		if c.session != sess {
			continue
		}
		if c.running {
			s.finish(s.derived(src.method, c), c, dialect.OutcomeUnknown)
		}
		s.dropChild(c)
	}
}

// listed takes a whole list in: who was on the source's last list and is not on
// this one has ended.
func (s *State) listed(ev *Event, by layer, p place, l dialect.SubagentList) {
	list := ev.Dialect + " " + ev.Method
	told := len(s.out)
	seen := map[*child]bool{}
	for _, m := range l.Members {
		one := *ev
		one.Link = m.Link
		at := p
		if m.Link.SessionID != "" || m.Link.ToolCallID != "" {
			at = s.resolve(m.Link)
			one.SessionID, one.How = at.id, at.how
		}
		c := s.locate(m.Link, at)
		c.list = list
		seen[c] = true
		s.reduce(&one, by, at, m.Subagent, true)
	}
	for _, c := range slices.Clone(s.children) {
		if c.list == list && !seen[c] {
			c.list = ""
			if c.running {
				one := *ev
				s.finish(&one, c, dialect.OutcomeUnknown)
			}
		}
	}
	if len(s.out) == told {
		ev.Payload = l // nothing is news, but nothing is lost
		s.emit(Effect{Event: ev})
	}
}
