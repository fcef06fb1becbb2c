package dialecttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/acpdialects/acpdialects/dialect"
)

// A message is one input for one hook.
type message struct {
	name  string
	spec  *dialect.Spec // nil: for Observe
	raw   []byte
	frame dialect.Frame // for Observe; Raw, Meta and Call are made of raw
}

// An outcome is all that a dialect makes of one message.
type outcome struct {
	message
	params   any
	err      error
	findings []dialect.Finding
	link     dialect.Link
	question dialect.Question
	replies  []reply

	panicked string // the hook, the panic's value and where
	mutated  string // what a hook changed that is not its own
}

// A reply is the result for one answer.
type reply struct {
	answer   dialect.Answer
	result   []byte // JSON
	err      error
	explain  bool // there is an Explain and a result for it
	back     dialect.Answer
	ok       bool
	again    []byte // the result for what Explain gave
	againErr error
}

// hook names what the message is for.
func (m message) hook() string {
	if m.spec != nil {
		return m.spec.Name
	}
	return "Observe " + m.frame.Kind
}

// with gives the same message with another document.
func (m message) with(what string, raw []byte) message {
	old := m.frame
	m.name, m.raw = m.name+": "+what, raw
	if m.spec != nil {
		return m
	}
	m.frame = reframe(old, raw)
	return m
}

// run gives a message to the dialect. It must not be used for two at once where
// a hook may keep state, but for finding that out.
func (s *suite) run(m message) (o outcome) {
	o.message = m
	hook := "Observe"
	defer func() {
		if v := recover(); v != nil {
			o.panicked = fmt.Sprintf("%s: %v\n%s", hook, v, debug.Stack())
		}
	}()
	if m.spec == nil {
		given := clone(m.frame)
		o.findings = s.dialect.Observe(given)
		if !reflect.DeepEqual(given, m.frame) {
			o.mutated = "Observe changed the frame"
		}
		return o
	}

	// Hooks get bytes and params of their own, so that one that changes them
	// does not spoil what comes after it.
	hook = "Decode"
	given := bytes.Clone(m.raw)
	params, err := m.spec.Decode(given)
	o.params, o.err = m.spec.Decode(bytes.Clone(m.raw))
	if !bytes.Equal(given, m.raw) {
		o.mutated = "Decode changed the params' bytes"
		params = o.params
	}
	usable := dialect.Usable(err)
	hook = "Correlate"
	switch {
	case usable && m.spec.Ask:
		o.link, o.question = m.spec.Question(params)
	case usable:
		o.findings = m.spec.Findings(params)
	}
	if m.spec.Ask {
		for _, a := range answers(o.question) {
			hook = "Reply"
			r := reply{answer: a}
			r.result, r.err = s.reply(m.spec, params, a)
			if m.spec.Explain != nil && r.err == nil && usable {
				hook = "Explain"
				r.explain = true
				r.back, r.ok = m.spec.Explain(params, r.result)
				if r.ok && o.question.Check(r.back) == nil {
					hook = "Reply"
					r.again, r.againErr = s.reply(m.spec, params, r.back)
				}
			}
			o.replies = append(o.replies, r)
		}
	}
	if o.mutated == "" && !reflect.DeepEqual(params, o.params) {
		o.mutated = "a hook changed the decoded params, or Decode gives two values for one input"
	}
	return o
}

// reply gives the JSON of the result for an answer.
func (s *suite) reply(spec *dialect.Spec, params any, a dialect.Answer) ([]byte, error) {
	result, err := spec.Reply(params, a)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("the result is no JSON: %w", err)
	}
	return data, nil
}
