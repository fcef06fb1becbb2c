package state

import (
	"cmp"
	"math"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// The runs of a subagent: how many there were, and all that is about the last. A
// run begins when the subagent is first seen, or seen at work again after an end.
// It ends once. What was replayed has no runs, but the same states.
type runs struct {
	run   int
	phase phase
	turn  *turn  // in which it began
	task  int    // the run that the tool call is
	ended uint64 // number of the turn in which it ended

	endTold  bool
	byCall   bool                    // the tool call ended it, and nobody else
	derived  dialect.SubagentOutcome // what the tool call's end says
	launched bool                    // in the background
	stopped  [layers]bool            // who said that the subagent does not work any more

	activity slot[dialect.Activity]
	outcome  slot[dialect.SubagentOutcome]
}

type phase uint8

const (
	unseen phase = iota
	running
	over
)

// join takes in another view of the same run.
func (r *runs) join(o runs) {
	if o.phase > r.phase {
		r.ended, r.byCall = o.ended, o.byCall
	}
	r.run, r.phase = max(r.run, o.run), max(r.phase, o.phase)
	if r.turn == nil {
		r.turn = o.turn
	}
	r.endTold = r.endTold || o.endTold
	r.derived = cmp.Or(r.derived, o.derived)
	r.launched = r.launched || o.launched
	for i := range r.stopped {
		r.stopped[i] = r.stopped[i] || o.stopped[i]
	}
	r.activity.put(o.activity)
	r.outcome.put(o.outcome)
}

// begin starts a run.
func (c *child) begin(t *turn) {
	next := runs{run: c.run, phase: running, turn: t, task: c.task}
	if !c.history {
		next.run++
	}
	c.runs = next
}

// bound reports whether the run is one tool call of the parent, and over with it.
func (c *child) bound() bool {
	return c.toolCallID != "" && c.task == max(c.run, 1) && !c.background.value
}

// works reports whether an activity is work, after an end: a run.
func works(a dialect.Activity) bool { return a == dialect.Running || a == dialect.RequiresAction }

// ends reports whether a patch ends a run.
func ends(p dialect.Subagent) bool {
	if a, set := p.Activity.Get(); set {
		return a == dialect.Ended
	}
	switch o, _ := p.Outcome.Get(); o {
	case "", dialect.Launched:
		return false
	}
	return true
}

// reduce takes a patch to a subagent in and tells what it changed; quiet says
// that a patch which changes nothing is no news.
func (s *State) reduce(ev *Event, src source, p place, patch dialect.Subagent, quiet bool) *child {
	a, _ := patch.Activity.Get()
	c, news, task := s.locate(mention{ev.Link, p, src.layer == layerReport, works(a), ev.History})
	if earlier := c.phase != unseen && p.call != nil && p.call != c.call && p.call.spawned.real() == c; earlier {
		if !quiet {
			s.tell(ev, c, Updated)
		}
		return c // the subagent is at another task by now
	}
	begins := c.phase == unseen || c.phase == over && (task || works(a) && s.again(c, src.layer, p))
	resumes := works(a) && c.stopped[src.layer] && src.layer > layerReport
	if begins {
		c.begin(s.turnAt(p))
	}
	if resumes || begins && c.run > 1 {
		s.part(c)
	}
	changed := c.patch(patch, src) || news
	s.touch(c)
	over := c.phase == running && ends(patch)
	switch {
	case begins && !c.history:
		s.tell(ev, c, Started)
	case begins || !over && (changed || !quiet):
		s.tell(ev, c, Updated)
	}
	if over {
		s.finish(ev, c)
	}
	return c
}

// again reports whether work after an end is a new run. The layers are not
// ordered among each other: one that says so for the first time in the turn of
// the end may only be late.
func (s *State) again(c *child, by layer, p place) bool {
	if p.own {
		return p.call.turn != nil && p.call.turn.number > c.ended
	}
	return c.stopped[by] || s.turnNumber(c.session) > c.ended
}

// turnAt gives the turn that a run beginning now belongs to.
func (s *State) turnAt(p place) *turn {
	switch {
	case p.call != nil && p.call.turn != nil && !p.call.session.child():
		return p.call.turn
	case p.turn != nil:
		return p.turn
	}
	return s.turn(p.session)
}

// finish ends a run.
func (s *State) finish(ev *Event, c *child) {
	c.phase, c.ended, c.byCall = over, s.turnNumber(c.session), false
	change := Ended
	if c.history || c.endTold {
		change = Updated
	}
	c.endTold = true
	s.tell(ev, c, change)
	if kid := s.sessions[c.childSession]; kid != nil && kid.child() {
		s.closeCalls(kid, math.MaxUint64)
	}
}

// part tells what a subagent's session did before from what it does now, as a
// prompt does for a session of ours.
func (s *State) part(c *child) {
	if kid := s.sessions[c.childSession]; kid != nil && kid.child() {
		kid.last = &turn{session: kid, number: s.turns, over: true}
	}
}

// touch notes that what a subagent's tool call says of it may have changed.
func (s *State) touch(c *child) {
	if c != nil && !slices.Contains(s.touched, c) {
		s.touched = append(s.touched, c)
	}
}

// settle follows a frame when all have spoken.
func (s *State) settle() {
	for len(s.touched) > 0 {
		c := s.touched[0].real()
		s.touched = s.touched[1:]
		if c != nil {
			s.settleChild(c)
		}
	}
	s.touched = nil
}

// settleChild lets a subagent's tool call speak: a run is over with its call,
// unless that only launched it in the background.
func (s *State) settleChild(c *child) {
	bound := c.bound()
	done := bound && c.call != nil && c.call.Ended
	late := false
	if done && c.call.Finished() && c.derived == "" && (!c.history || c.background.set) { // a replay may not say that it only launched
		_, before := c.state()
		c.derived = dialect.Completed
		if c.call.Status == "failed" {
			c.derived = dialect.Failed
		}
		_, now := c.state()
		late = c.phase == over && before != now
	}
	method := "session/update"
	if !done || !c.call.Finished() {
		method = "session/prompt"
	}
	switch {
	case c.phase == running && done,
		c.phase == running && bound && c.call == nil && c.childSession == "" && !c.turn.inFlight():
		s.finish(s.derived(method, c), c)
		c.byCall = true
	case c.phase == over && c.byCall && !bound:
		c.phase, c.byCall = running, false // it was only launched, as we hear now
		s.tell(s.derived(method, c), c, Updated)
	case late:
		s.tell(s.derived(method, c), c, Updated)
	}
}

// endForeground ends the runs that a turn held and whose call never ended.
func (s *State) endForeground(t *turn) {
	for _, c := range slices.Clone(s.children) {
		held := c.turn == nil && c.session != nil && s.root(c.session) == t.session ||
			c.turn != nil && c.turn.session == t.session && c.turn.number <= t.number
		if c.phase == running && held && c.bound() && !c.history {
			s.finish(s.derived("session/prompt", c), c)
			c.byCall = true
		}
	}
}

// listed takes a whole list in: who was on the last one and is not on this has
// ended. It reports whether anything was told.
func (s *State) listed(ev *Event, src source, p place, l dialect.SubagentList) bool {
	list := ev.Dialect + " " + ev.Method + " " + p.id
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
		c := s.reduce(&one, src, at, m.Subagent, true)
		c.list = list
		seen[c] = true
	}
	for _, c := range slices.Clone(s.children) {
		if c.list != list || seen[c] {
			continue
		}
		c.list = ""
		c.stopped[src.layer] = true
		if c.phase == running {
			one := *ev
			s.finish(&one, c)
		}
	}
	return len(s.out) > told
}
