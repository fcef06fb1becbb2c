package state

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// ours is a call of the client that waits for its answer.
type ours struct {
	method  string
	session string
	params  json.RawMessage
	turn    *turn
}

// Call takes in a request of ours, at the moment it is made.
func (s *State) Call(id, method string, params json.RawMessage) []Effect {
	o := ours{method: method, session: sessionOf(params)}
	switch method {
	case "session/new", "session/load", "session/resume", "session/fork":
		o.params = params
		s.opens[id] = o
		if method == "session/load" || method == "session/resume" {
			s.beginHistory(o.session)
		}
	case "session/prompt":
		o.turn = s.beginTurn(id, o.session, params)
	}
	s.pending[id] = o
	return s.flush()
}

// Notify takes in a notification of ours.
func (s *State) Notify(method string, params json.RawMessage) []Effect {
	if method == "session/cancel" {
		s.cancel(sessionOf(params))
	}
	return s.flush()
}

// Abandon says that nobody waits for a call's answer any more. An abandoned
// prompt is cancelled; its turn stays open until its late answer or the
// session's next prompt. Of other calls only the last few are remembered, for
// what their late answers say.
func (s *State) Abandon(id string) []Effect {
	o, ok := s.pending[id]
	switch {
	case !ok:
	case o.turn != nil:
		o.turn.abandoned = true
		s.cancel(o.turn.session.id)
	default:
		s.abandoned = append(s.abandoned, id)
		if len(s.abandoned) > maxAbandoned {
			delete(s.pending, s.abandoned[0])
			delete(s.opens, s.abandoned[0])
			s.abandoned = s.abandoned[1:]
		}
	}
	return s.flush()
}

// Withdraw says that a call was never sent.
func (s *State) Withdraw(id string) []Effect {
	o := s.pending[id]
	delete(s.pending, id)
	delete(s.opens, id)
	if o.turn != nil {
		s.endTurn(o.turn, "")
	}
	return s.flush()
}

// PromptSession gives the session of a prompt that was not answered yet.
func (s *State) PromptSession(id string) string {
	if o := s.pending[id]; o.turn != nil {
		return o.turn.session.id
	}
	return ""
}

// answered takes in the agent's answer to a call of ours.
func (s *State) answered(f *wire.Frame) {
	id := string(f.ID)
	o, ok := s.pending[id]
	if !ok {
		s.emit(Effect{Stray: &Stray{Reason: "an answer nobody waits for", Raw: f.ID}})
		return
	}
	var seen []observation
	if o.turn != nil && f.Error == nil {
		seen = s.observe(promptFrame(o.turn.session, f.Result))
	}
	delete(s.pending, id)
	delete(s.opens, id)
	a := &Answer{ID: id, Method: o.method, Result: f.Result, Error: f.Error}
	failed := f.Error != nil
	switch o.method {
	case "initialize":
		s.Greeted(f.Result)
	case "session/new", "session/fork":
		if newID, ok := wire.String(dialect.At(f.Result, "sessionId")); ok && !failed {
			s.adopt(newID, o.params)
		}
		s.settleOpening(id, failed)
	case "session/load", "session/resume":
		if !failed {
			s.adopt(o.session, o.params)
		} else if sess := s.sessions[o.session]; sess != nil && !sess.ours {
			s.closeSession(sess.id)
		}
	case "session/close", "session/delete":
		if !failed {
			s.closeSession(o.session)
		}
	case "session/prompt":
		stop, _ := wire.String(dialect.At(f.Result, "stopReason"))
		if !failed {
			s.promptResult(o.turn.session, f.Result, seen)
		}
		a.Turn = s.endTurn(o.turn, stop)
	}
	s.emit(Effect{Answer: a})
}

// settleOpening follows the end of a call that opened a session: if it failed,
// what was heard meanwhile of sessions nobody knows goes with it.
func (s *State) settleOpening(id string, failed bool) {
	for i := len(s.strays) - 1; i >= 0; i-- {
		sess := s.strays[i]
		if sess.opening != id {
			continue
		}
		sess.opening = ""
		if failed {
			s.forget(sess)
		} else if sess.forked {
			s.endHistory(sess) // the fork was another session
		}
	}
}

// Greeted takes in what the agent said of itself.
func (s *State) Greeted(result json.RawMessage) {
	info := dialect.At(result, "agentInfo")
	s.agent = Agent{
		Name:     dialect.Text(dialect.At(info, "name")),
		Title:    dialect.Text(dialect.At(info, "title")),
		Version:  dialect.Text(dialect.At(info, "version")),
		Protocol: dialect.At(result, "protocolVersion"),
	}
	s.observeFor(s.agent.Name)
}

// beginTurn takes in a prompt. It ends the session's replay, and the abandoned
// turns before it.
func (s *State) beginTurn(id, sessionID string, params json.RawMessage) *turn {
	sess := s.session(sessionID)
	for len(sess.flight) > 0 && sess.flight[0].abandoned {
		delete(s.pending, sess.flight[0].id)
		s.endTurn(sess.flight[0], "")
	}
	s.endHistory(sess)
	s.turns++
	t := &turn{session: sess, id: id, number: s.turns, prompt: params}
	sess.flight = append(sess.flight, t)
	s.flight = append(s.flight, t)
	s.emit(Effect{Turn: &Turn{SessionID: sessionID, Prompt: params}})
	return t
}

// EndTurn ends the oldest turn of a session, for an owner that does not show
// prompts and their answers.
func (s *State) EndTurn(sessionID string) []Effect {
	if sess := s.sessions[sessionID]; sess != nil && len(sess.flight) > 0 {
		s.endTurn(sess.flight[0], "")
	}
	return s.flush()
}

// cancel follows our session/cancel: what is open is declined, and so is what
// comes before the turn's answer. Children are cancelled with their parent.
func (s *State) cancel(sessionID string) {
	sess := s.sessions[sessionID]
	if sess == nil {
		return
	}
	for _, t := range sess.flight {
		t.cancelled = true
	}
	for _, sess := range s.family(sess) {
		for _, r := range s.open {
			if r.SessionID == sess.id && (r.Ask() || r.Permission()) {
				s.emit(Effect{End: &End{Request: r, Reason: Cancelled}})
			}
		}
	}
}
