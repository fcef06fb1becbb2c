package client

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// A Replay feeds a recorded conversation to the state that a Conn drives, and
// calls OnUpdate, OnEvent, OnSettled, OnTurn and OnStray of its Options as the
// connection would have done, one at a time. Turns, joins and answers are the
// recording's own: it asks nobody, answers nothing and knows no time, so that a
// report which waits for a tool call outside a turn waits to the end.
type Replay struct {
	// Answered is told of each of the agent's answers to a call of the client.
	// May be nil.
	Answered func(method string, result json.RawMessage, err error)

	opts Options
	st   *state.State
}

// NewReplay makes a Replay. Of opts it uses the callbacks and the registry.
func NewReplay(opts *Options) *Replay {
	r := &Replay{opts: opts.withDefaults()}
	r.st = state.New(r.opts.Registry, state.Config{})
	return r
}

// In takes in a line that the agent wrote.
func (r *Replay) In(line []byte) {
	if blank(line) {
		return
	}
	frames, errs := wire.ParseAll(line)
	for i := range frames {
		if errs[i] != nil {
			r.stray(&state.Stray{Reason: "noise: " + errs[i].Error(), Raw: frames[i].Line})
			continue
		}
		r.perform(r.st.In(&frames[i]))
	}
}

// Out takes in a line that the client wrote.
func (r *Replay) Out(line []byte) {
	frames, errs := wire.ParseAll(line)
	for i := range frames {
		f := &frames[i]
		switch {
		case errs[i] != nil:
			// What a client writes beside the protocol is not the agent's doing.
		case f.IsRequest():
			r.perform(r.st.Call(string(f.ID), f.Method, f.Params))
		case f.Method != "":
			r.perform(r.st.Notify(f.Method, f.Params))
		default:
			r.answer(f)
		}
	}
}

// Close ends the recording: what was open is told as such.
func (r *Replay) Close() { r.perform(r.st.Disconnect()) }

// Subagents is Conn.Subagents.
func (r *Replay) Subagents(session acp.SessionId) []dialect.Subagent {
	return r.st.Subagents(string(session))
}

// answer settles the oldest open request that the client's answer fits.
func (r *Replay) answer(f *wire.Frame) {
	for _, q := range r.st.OpenRequests() {
		if !bytes.Equal(q.ID, f.ID) {
			continue
		}
		effects, _ := r.st.Settle(q, answerIn(q, f))
		r.perform(effects)
		if code := rawjson.Get(f.Error, "code"); !q.Ask() && !q.Permission() && string(code) == strconv.Itoa(wire.CodeMethodNotFound) {
			s := unserved(q)
			r.stray(&s)
		}
		return
	}
}

// answerIn reads what a recorded answer says.
func answerIn(q *state.Request, f *wire.Frame) state.Settled {
	declined := state.Settled{Reason: state.NoHandler}
	if f.Error != nil {
		return declined
	}
	if q.Permission() {
		outcome := rawjson.Get(f.Result, "outcome")
		if chosen := rawjson.String(rawjson.Get(outcome, "optionId")); rawjson.String(rawjson.Get(outcome, "outcome")) == "selected" {
			return state.Settled{Chosen: chosen}
		}
		return declined
	}
	if !q.Ask() {
		return state.Settled{}
	}
	unguarded := func(_, _ string, hook func()) bool { hook(); return true }
	if v, e := state.Decline(q, unguarded); e == nil {
		if raw, err := marshal(v); err == nil && sameJSON(raw, f.Result) {
			return declined
		}
	}
	if explain := q.Registered.Explain; explain != nil {
		if a, ok := explain(q.Params, json.RawMessage(f.Result)); ok {
			if a.Outcome == dialect.OutcomeDeclined && a.Result == nil {
				return declined
			}
			return state.Settled{Answer: a}
		}
	}
	return state.Settled{Answer: dialect.Answer{Result: json.RawMessage(f.Result)}}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	ca, _ := json.Marshal(x)
	cb, _ := json.Marshal(y)
	return bytes.Equal(ca, cb)
}

func (r *Replay) perform(effects []state.Effect) {
	ctx := context.Background()
	for _, e := range slices.Clone(effects) {
		switch {
		case e.Update != nil && r.opts.OnUpdate != nil:
			r.opts.OnUpdate(ctx, *updateOf(e.Update))
		case e.Event != nil && r.opts.OnEvent != nil:
			r.opts.OnEvent(ctx, eventOf(e.Event))
		case e.Settled != nil && r.opts.OnSettled != nil:
			r.opts.OnSettled(ctx, settledOf(e.Settled))
		case e.Turn != nil && r.opts.OnTurn != nil:
			r.opts.OnTurn(ctx, turnOf(e.Turn))
		case e.End != nil:
			effects, _ := r.st.Settle(e.End.Request, state.Settled{Reason: e.End.Reason})
			r.perform(effects)
		case e.Answer != nil && r.Answered != nil:
			var err error
			if e.Answer.Error != nil {
				err = answerError(e.Answer.Method, e.Answer.Error)
			}
			r.Answered(e.Answer.Method, e.Answer.Result, err)
		case e.Stray != nil:
			r.stray(e.Stray)
		}
	}
}

func (r *Replay) stray(s *state.Stray) {
	if r.opts.OnStray != nil {
		r.opts.OnStray(strayOf(s))
	}
}
