package state

import (
	"cmp"
	"math"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// The runs of a subagent: how many there were, and all that is about the last. A
// run begins when the subagent is first seen, or seen at work again after an end.
// It ends once. What was replayed is counted too, and has no runs to the host.
type runs struct {
	run   int
	phase phase
	turn  *turn  // in which it began
	began uint64 // number of that turn
	first int    // the first run of that turn
	task  int    // the run that the tool call is
	ended uint64 // number of the turn in which it ended

	endTold bool
	byCall  bool                    // the tool call ended it, and nobody else
	derived dialect.SubagentOutcome // what the end of the tool call says

	voices [layers]voice
}

type phase uint8

const (
	unseen phase = iota
	running
	over
)

// begin starts a run.
func (r *runs) begin(run int, t *turn, number uint64) {
	if r.run == 0 || number != r.began {
		r.began, r.first = number, run
	}
	r.run, r.phase, r.turn = run, running, t
	r.endTold, r.byCall, r.derived = false, false, ""
}

// firstIn gives the run that whoever speaks for the first time in a turn means:
// the first of that turn, for the layers are not ordered among each other.
func (r *runs) firstIn(number uint64) int {
	if number == r.began {
		return max(r.first, 1)
	}
	return max(r.run, 1)
}

// join takes in another view of the same run.
func (r *runs) join(o runs) {
	if o.phase > r.phase {
		r.ended, r.byCall = o.ended, o.byCall
	}
	r.run, r.phase = max(r.run, o.run), max(r.phase, o.phase)
	r.turn = cmp.Or(r.turn, o.turn)
	r.derived = cmp.Or(r.derived, o.derived)
	r.endTold = r.endTold || o.endTold
	for i := range r.voices {
		if v := o.voices[i]; v.run > r.voices[i].run || v.run == r.voices[i].run && v.seq > r.voices[i].seq {
			r.voices[i] = v
		}
	}
}

// after counts the runs of an earlier record before one's own.
func (r *runs) after(earlier int) {
	r.run, r.task, r.first = r.run+earlier, r.task+earlier, r.first+earlier
	for i := range r.voices {
		if r.voices[i].run > 0 {
			r.voices[i].run += earlier
		}
	}
}

// bound reports whether the run is one tool call of the parent, and over with it.
func (c *child) bound() bool {
	return c.toolCallID != "" && c.task == c.run && !c.background.value
}

// state gives what the subagent does, and how its work came out when it is over. A
// known outcome counts more than none, whoever spoke first.
func (c *child) state() (activity dialect.Activity, outcome dialect.SubagentOutcome) {
	launched := false
	for _, v := range slices.Backward(c.voices[:]) {
		if v.run == c.run {
			activity, outcome = cmp.Or(activity, v.activity), cmp.Or(outcome, v.outcome)
			launched = launched || v.launched
		}
	}
	switch {
	case c.phase == over:
		return dialect.ActivityEnded, cmp.Or(outcome, c.derived, dialect.SubagentUnknown)
	case launched:
		return cmp.Or(activity, dialect.ActivityRunning), dialect.SubagentLaunched
	}
	return cmp.Or(activity, dialect.ActivityRunning), ""
}

// reduce takes a patch to a subagent in and tells what it changed; quiet says
// that a patch which changes nothing is no news.
func (s *State) reduce(ev *Event, src source, p place, patch dialect.SubagentPatch, quiet bool) *child {
	a, _ := patch.Activity.Get()
	c, news, task := s.locate(mention{ev.Link, p, src.layer == layerReport, works(a), ev.History})
	if earlier := c.phase != unseen && p.call != nil && p.call != c.call && p.call.spawned.real() == c; earlier {
		if !quiet {
			s.tell(ev, c, dialect.ChangeUpdated)
		}
		return c // the subagent is at another task by now
	}
	activity, outcome := c.state()
	run := c.run
	if c.phase == unseen || task {
		c.begin(c.run+1, s.turnAt(p), s.turnNumber(c.session))
	}
	s.speak(c, src, p, patch)
	begins := c.run > run
	if begins && run > 0 {
		s.part(c)
	}
	nowActive, nowOutcome := c.state()
	changed := c.patch(patch, src) || news || activity != nowActive || outcome != nowOutcome
	ended := ends(patch)
	ends := c.phase == running && ended && c.voices[src.layer].run == c.run
	switch {
	case begins && !c.history:
		s.tell(ev, c, dialect.ChangeStarted)
	case begins || !ends && (changed || !quiet):
		s.tell(ev, c, dialect.ChangeUpdated)
	}
	switch {
	case ends:
		s.finish(ev, c)
	case ended && c.phase == over: // from another side, before all its calls had come
		s.closeKid(c)
	}
	s.touch(c)
	s.slimChildren(c)
	return c
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
	change := dialect.ChangeEnded
	if c.history || c.endTold {
		change = dialect.ChangeUpdated
	}
	c.phase, c.ended, c.byCall, c.endTold = over, s.turnNumber(c.session), false, true
	s.tell(ev, c, change)
	s.closeKid(c)
}

// closeKid closes the calls in a subagent's session, if it has one, and gives it.
func (s *State) closeKid(c *child) *session {
	kid := s.sessions[c.childSession]
	if kid == nil || !kid.child() {
		return nil
	}
	s.closeCalls(kid, math.MaxUint64)
	return kid
}

// part tells what a subagent's session did before from what it does now, as a
// prompt does for a session of ours.
func (s *State) part(c *child) {
	if kid := s.closeKid(c); kid != nil {
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
	finished := done && c.call.Finished()
	late := false
	if finished && c.derived == "" && (!c.history || c.background.set) { // a replay may not say that it only launched
		_, before := c.state()
		c.derived = dialect.SubagentCompleted
		if c.call.Status == "failed" {
			c.derived = dialect.SubagentFailed
		}
		_, now := c.state()
		late = before != now
	}
	method := "session/prompt"
	if finished {
		method = "session/update"
	}
	switch {
	case c.phase == running && done,
		c.phase == running && bound && c.call == nil && c.childSession == "" && !c.turn.inFlight():
		s.finish(s.derived(method, c), c)
		c.byCall = true
	case c.phase == over && c.byCall && !bound:
		c.phase, c.byCall, c.derived = running, false, "" // it was only launched, as we hear now
		s.tell(s.derived(method, c), c, dialect.ChangeUpdated)
	case late:
		s.tell(s.derived(method, c), c, dialect.ChangeUpdated)
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
