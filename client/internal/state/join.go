package state

import (
	"cmp"
	"math"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// A waiting report names a tool call that has not been seen yet.
type waiting struct {
	place
	token   uint64
	src     source
	finding dialect.Finding
	epoch   uint64 // the last turn begun when it came
	timed   bool   // no turn was in flight: it waits for its Timer
	loose   bool   // its session was not known, or nobody's: any turn may be its
	size    int
}

// placeReport delivers a report's finding, or lets it wait for the call it names.
func (s *State) placeReport(src source, f dialect.Finding) {
	p := s.resolve(f.Link)
	if !s.waits(f, p) {
		s.deliver(src, f, p, p.call != nil)
		return
	}
	p.turn = s.turn(p.session)
	s.nextToken++
	w := &waiting{place: p, token: s.nextToken, src: src, finding: f, epoch: s.turns, size: len(src.raw)}
	w.loose = !p.session.placed()
	w.timed = !s.awaited(w)
	s.waiting = append(s.waiting, w)
	s.waitingBytes += w.size
	for len(s.waiting) > maxWaiting || s.waitingBytes > maxWaitingBytes {
		s.release(s.waiting[0])
	}
	if w.timed {
		s.emit(Effect{Timer: &Timer{Token: w.token}})
	}
}

// waits reports whether a finding waits for its tool call: not where the call is
// known, nor in a replay, which nothing joins, nor what only mentions a call.
func (s *State) waits(f dialect.Finding, p place) bool {
	switch f.Event.(type) {
	case dialect.Withdrawn, dialect.TurnMark:
		return false
	}
	return f.Link.ToolCallID != "" && !f.Link.Connection && p.call == nil && !s.replaying(p.session)
}

// awaited reports whether a prompt that was in flight when a report came is still
// to be answered: one of its session or, where that is not known, any.
func (s *State) awaited(w *waiting) bool {
	if w.loose {
		return s.anyInFlight(w.epoch)
	}
	return slices.ContainsFunc(s.root(w.session).flight, func(t *turn) bool { return !t.over && t.number <= w.epoch })
}

// release delivers a waiting report that its call never came for.
func (s *State) release(w *waiting) {
	if s.unwait(w) {
		s.deliver(w.src, w.finding, w.place, false)
	}
}

func (s *State) unwait(w *waiting) bool {
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.waitingBytes -= w.size
	return true
}

// oldestWaiting gives the number of the oldest frame that waits.
func (s *State) oldestWaiting() uint64 {
	if len(s.waiting) == 0 {
		return math.MaxUint64
	}
	return s.waiting[0].src.seq
}

// join gives a record the reports that waited for it. It is done once, when all
// else that the record's first frame says has been told.
func (s *State) join(c *call) {
	if c.joined {
		return
	}
	c.joined = true
	if len(s.waiting) == 0 || !s.joinable(c) {
		return
	}
	for _, w := range slices.Clone(s.waiting) {
		l := w.finding.Link
		if l.ToolCallID != c.ID || l.SessionID != "" && l.SessionID != c.SessionID {
			continue
		}
		if c.number > w.epoch {
			continue // the report came before that turn began
		}
		p := s.resolve(l)
		p.turn = w.turn
		if p.call == c && s.unwait(w) {
			s.deliver(w.src, w.finding, p, true)
		}
	}
}

// Waits reports whether the report of a Timer still waits. Reports wait in the
// order of their tokens.
func (s *State) Waits(token uint64) bool {
	_, found := slices.BinarySearchFunc(s.waiting, token, func(w *waiting, token uint64) int { return cmp.Compare(w.token, token) })
	return found
}

// Expire delivers the report of a Timer, and those whose time was up before it,
// as far as they still wait.
func (s *State) Expire(token uint64) []Effect {
	for _, w := range slices.Clone(s.waiting) {
		if w.timed && w.token <= token {
			s.release(w)
		}
	}
	return s.flush()
}
