package state

import (
	"cmp"
	"slices"
)

// An opening is a call of ours whose answer will name a new session. What is
// heard of a session that nobody knows may be about the new one, before the
// answer says so.
type opening struct {
	number uint64 // such calls count on
	fork   bool
}

func (s *State) beginOpening(fork bool) uint64 {
	s.opened++
	s.opening = append(s.opening, opening{s.opened, fork})
	if fork {
		s.forks++
	}
	return s.opened
}

// endOpening takes an opening off the table; 0 is none.
func (s *State) endOpening(number uint64) {
	i, found := slices.BinarySearchFunc(s.opening, number, func(o opening, number uint64) int {
		return cmp.Compare(o.number, number)
	})
	if !found {
		return
	}
	if s.opening[i].fork {
		s.forks--
	}
	s.opening = slices.Delete(s.opening, i, i+1)
}

// awaits reports whether a session may be the one that some call in flight will
// name.
func (s *State) awaits(sess *session, forks bool) bool {
	return slices.ContainsFunc(s.opening, func(o opening) bool {
		return o.number <= sess.heardAt && (o.fork || !forks)
	})
}

// dropUnopened follows the failure of such a call: what was heard meanwhile of
// sessions nobody knows goes with it, unless another call may still name them.
func (s *State) dropUnopened(number uint64) {
	for _, sess := range slices.Clone(s.strays) {
		if sess.heardAt >= number && !sess.child() && !s.awaits(sess, false) {
			s.closeSession(sess)
		}
	}
}

// settleForks follows the end of a fork: a session that turns out not to be its
// own was not replayed.
func (s *State) settleForks() {
	for _, sess := range s.strays {
		if sess.forked && !s.awaits(sess, true) {
			sess.forked = false
			s.endHistory(sess)
		}
	}
}
