package state

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// ours is a call of the client that waits for its answer.
type ours struct {
	method  string
	session string
	params  json.RawMessage
	turn    *turn
	opening uint64 // number of a call that will name a new session
	history bool   // its session was replaying before the call
}

// Call takes in a request of ours, at the moment it is made.
func (s *State) Call(id, method string, params json.RawMessage) []Effect {
	o := ours{method: method, session: sessionOf(params)}
	switch method {
	case "session/new", "session/fork":
		o.params = params
		o.opening = s.beginOpening(method == "session/fork")
	case "session/load", "session/resume":
		o.params = params
		sess := s.session(o.session)
		s.unlink(sess)
		o.history = sess.history
		s.beginHistory(sess, method)
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
			s.unpend(s.abandoned[0])
		}
	}
	return s.flush()
}

// Withdraw says that a call was never sent.
func (s *State) Withdraw(id string) []Effect {
	o, ok := s.unpend(id)
	switch {
	case !ok:
	case o.turn != nil:
		last := o.turn.session.last
		s.endTurn(o.turn, "")
		o.turn.session.last = last
	default:
		s.failed(o)
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

// PromptLanes gives the sessions whose callbacks a prompt waits for that was not
// answered yet: its own and its children.
func (s *State) PromptLanes(id string) []string {
	if o := s.pending[id]; o.turn != nil {
		return s.lanes(o.turn.session)
	}
	return nil
}

// answered takes in the agent's answer to a call of ours.
func (s *State) answered(f *wire.Frame) {
	id := string(f.ID)
	o, ok := s.pending[id]
	if !ok {
		s.astray(f, "an answer nobody waits for")
		return
	}
	var seen []observation
	if o.turn != nil && f.Error == nil {
		seen = s.observe(promptFrame(o.turn.session, f.Result))
	}
	s.unpend(id)
	a := &Answer{ID: id, Method: o.method, Result: f.Result, Error: f.Error}
	switch {
	case o.turn != nil:
		stop, _ := wire.String(rawjson.Get(f.Result, "stopReason"))
		if f.Error == nil {
			s.promptResult(o.turn.session, f.Result, seen)
		}
		lanes := s.lanes(o.turn.session)
		if a.Turn = s.endTurn(o.turn, stop); a.Turn == nil {
			a.Turn = &Turn{Lanes: lanes}
		}
	case f.Error != nil:
		s.failed(o)
	default:
		s.succeeded(o, f.Result)
	}
	s.settle()
	s.emit(Effect{Answer: a})
}

// succeeded follows the answer to a call that is no prompt.
func (s *State) succeeded(o ours, result json.RawMessage) {
	switch o.method {
	case "initialize":
		s.Greeted(result)
	case "session/new", "session/fork":
		if id, ok := wire.String(rawjson.Get(result, "sessionId")); ok {
			sess := s.session(id)
			if o.method == "session/fork" && len(sess.flight) == 0 {
				sess.history = true
			}
			s.adopt(sess, o.params)
		}
		if o.method == "session/fork" {
			s.settleForks()
		}
	case "session/load", "session/resume":
		sess := s.session(o.session)
		s.adopt(sess, o.params)
		if len(sess.flight) > 0 {
			s.endHistory(sess)
		}
	case "session/close", "session/delete":
		if sess := s.sessions[o.session]; sess != nil {
			s.closeSession(sess)
		}
	}
}

// failed follows the failure of a call that is no prompt.
func (s *State) failed(o ours) {
	switch o.method {
	case "session/new", "session/fork":
		s.dropUnopened(o.opening)
		s.settleForks()
	case "session/load", "session/resume":
		switch sess := s.sessions[o.session]; {
		case sess == nil:
		case sess.ours:
			sess.history = o.history
		default:
			s.closeSession(sess)
		}
	}
}

// promptFrame is what dialects see of a prompt's result.
func promptFrame(sess *session, result json.RawMessage) dialect.Frame {
	return dialect.Frame{SessionID: sess.id, Kind: dialect.FramePromptResult, Raw: result, Meta: rawjson.Get(result, "_meta")}
}

// promptResult delivers what a prompt's result says besides its stop reason.
func (s *State) promptResult(sess *session, result json.RawMessage, seen []observation) {
	if u := coreUsage(rawjson.Get(result, "usage")); u != nil {
		src := source{dialect: coreName, method: dialect.FramePromptResult, raw: result}
		s.find(src, sess, nil, []dialect.Finding{{Link: dialect.Link{SessionID: sess.id}, Event: *u}})
	}
	s.told(sess, nil, result, seen, layerObserved)
}

// Greeted takes in what the agent said of itself.
func (s *State) Greeted(result json.RawMessage) {
	info := rawjson.Get(result, "agentInfo")
	s.agent = Agent{
		Name:     rawjson.String(rawjson.Get(info, "name")),
		Title:    rawjson.String(rawjson.Get(info, "title")),
		Version:  rawjson.String(rawjson.Get(info, "version")),
		Protocol: rawjson.Get(result, "protocolVersion"),
	}
	s.observeFor(s.agent.Name)
}

// EndTurn ends the oldest turn of a session, for an owner that does not show
// prompts and their answers.
func (s *State) EndTurn(sessionID string) []Effect {
	if sess := s.sessions[sessionID]; sess != nil && len(sess.flight) > 0 {
		s.endTurn(sess.flight[0], "")
	}
	return s.flush()
}

// unpend takes a call off the table.
func (s *State) unpend(id string) (ours, bool) {
	o, ok := s.pending[id]
	delete(s.pending, id)
	if i := slices.Index(s.abandoned, id); i >= 0 {
		s.abandoned = slices.Delete(s.abandoned, i, i+1)
	}
	s.endOpening(o.opening)
	return o, ok
}
