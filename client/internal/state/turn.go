package state

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// endTurn ends a turn: its asks are declined, what waited for it is delivered,
// the calls it left open are closed and the children they held have ended.
func (s *State) endTurn(t *turn, stopReason string) *Turn {
	sess := t.session
	i := slices.Index(sess.flight, t)
	if i < 0 {
		return nil // ended already, by a later prompt
	}
	sess.flight = slices.Delete(sess.flight, i, i+1)
	s.flight = slices.DeleteFunc(s.flight, func(o *turn) bool { return o == t })
	sess.last = t

	for _, r := range s.open {
		if j := slices.Index(r.turns, t); j >= 0 {
			r.turns = slices.Delete(r.turns, j, j+1)
			if len(r.turns) == 0 {
				s.emit(Effect{End: &End{Request: r, Reason: TurnEnd}})
			}
		}
	}
	for _, w := range slices.Clone(s.waiting) {
		if j := slices.Index(w.turns, t); j >= 0 {
			w.turns = slices.Delete(w.turns, j, j+1)
			if len(w.turns) == 0 {
				s.release(w)
			}
		}
	}
	s.closeCalls(sess, t)
	s.endForeground(t)

	lanes := []string{}
	for _, member := range s.family(sess) {
		lanes = append(lanes, member.id)
	}
	out := &Turn{SessionID: sess.id, Prompt: t.prompt, Ended: true, StopReason: stopReason, Lanes: lanes}
	s.emit(Effect{Turn: out})
	return out
}

// turnsOf gives the turns that something arriving for a session now belongs to:
// the session's own in flight, or for an unknown session all there are.
func (s *State) turnsOf(sess *session) []*turn {
	if sess == nil {
		return slices.Clone(s.flight)
	}
	return slices.Clone(s.root(sess).flight)
}

// A turnMark is a vendor's mark of a turn, to tell repeats.
type turnMark struct {
	session, id string
	began       bool
}

// markTurn takes a vendor's mark in and reports whether it is news.
func (s *State) markTurn(sess *session, t dialect.Turn) bool {
	if sess != nil && t.Began {
		s.endHistory(sess)
	}
	if t.ID == "" {
		return true
	}
	m := turnMark{id: t.ID, began: t.Began}
	if sess != nil {
		m.session = sess.id
	}
	if s.marks[m] {
		return false
	}
	s.marks[m] = true
	s.markAge = append(s.markAge, m)
	if len(s.markAge) > maxTurnMarks {
		delete(s.marks, s.markAge[0])
		s.markAge = s.markAge[1:]
	}
	return true
}

// promptFrame is what dialects see of a prompt's result.
func promptFrame(sess *session, result json.RawMessage) dialect.Frame {
	return dialect.Frame{SessionID: sess.id, Kind: dialect.FramePromptResult, Raw: result, Meta: dialect.At(result, "_meta")}
}

// promptResult delivers what a prompt's result says besides its stop reason.
func (s *State) promptResult(sess *session, result json.RawMessage, seen []observation) {
	if u := coreUsage(dialect.At(result, "usage")); u != nil {
		s.find(source{dialect: coreName, method: dialect.FramePromptResult, raw: result}, sess,
			[]dialect.Finding{{Link: dialect.Link{SessionID: sess.id}, Event: *u}})
	}
	s.told(sess, result, seen)
}
