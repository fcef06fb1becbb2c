package state

import "github.com/acpdialects/acpdialects/dialect"

// A voice is what one layer says of a subagent's run. The layers do not know of
// each other and are not ordered among each other, so each counts the runs for
// itself: the subagent is in the last run that any of them knows, and who still
// speaks of an earlier one is late, and not heard.
type voice struct {
	run  int
	turn uint64 // number of the turn in which it spoke last
	seq  uint64

	activity dialect.Activity
	outcome  dialect.SubagentOutcome
	launched bool // in the background
	ended    bool // says that the run is over
	idle     bool // or that the subagent does not work
}

// works reports whether an activity is work: after an end, a new run.
func works(a dialect.Activity) bool {
	return a == dialect.ActivityRunning || a == dialect.ActivityRequiresAction
}

// ends reports whether a patch ends a run.
func ends(p dialect.SubagentPatch) bool {
	if a, set := p.Activity.Get(); set {
		return a == dialect.ActivityEnded
	}
	switch o, _ := p.Outcome.Get(); o {
	case "", dialect.SubagentLaunched:
		return false
	}
	return true
}

// speak takes in what a patch says of a run, if anything, and begins the run if
// nobody has spoken of it yet.
func (s *State) speak(c *child, src source, p place, patch dialect.SubagentPatch) {
	if patch.Activity.Absent() && patch.Outcome.Absent() {
		return
	}
	a, _ := patch.Activity.Get()
	v := &c.voices[src.layer]
	now := s.turnNumber(c.session)
	run := v.run
	switch {
	case p.own && p.call == c.call:
		run = c.task
	case v.run == 0 || now > v.turn:
		if run = c.firstIn(now); c.phase == over && works(a) && now > c.ended {
			run = c.run + 1
		}
	case p.own: // several calls speak of one run
	case ends(patch) && v.ended && v.run < c.run: // the next one has ended too
		run++
	case works(a) && (v.ended || v.idle && v.run == c.run && c.phase == over):
		run++
	}
	if works(a) && (v.ended || v.idle) && src.layer > layerReport {
		s.part(c)
	}
	if run != v.run {
		*v = voice{run: run}
	}
	v.turn, v.seq = now, src.seq
	v.say(patch, a)
	if v.run > c.run {
		c.begin(v.run, s.turnAt(p), now)
	}
}

// say takes in a patch's activity and outcome. An end is no activity, and what
// says nothing of how the work came out is no outcome.
func (v *voice) say(patch dialect.SubagentPatch, a dialect.Activity) {
	v.ended = ends(patch)
	if !patch.Activity.Absent() {
		v.idle = !works(a)
		if a != dialect.ActivityEnded {
			v.activity = a
		}
	}
	switch o, _ := patch.Outcome.Get(); {
	case patch.Outcome.Absent(), o == dialect.SubagentUnknown:
	case o == dialect.SubagentLaunched:
		v.launched = true
	default:
		v.outcome = o
	}
}
