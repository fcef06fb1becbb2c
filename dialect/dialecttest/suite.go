package dialecttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A suite is a dialect, its table, and everything an agent might send instead.
type suite struct {
	dialect    dialect.Dialect
	cases      []Case
	registry   registry.Registry // holds the dialect alone
	registered error
	specs      []dialect.Spec
	rows       []row
	hostile    []outcome // of bytes that belong to no row
}

// A row is a case that can be run, and what became of its variants.
type row struct {
	Case
	message
	out      outcome
	variants []variant
}

// A variant is a row with one member of its JSON removed or replaced.
type variant struct {
	path    string
	removed outcome // no member: the document emptied
	wrong   []outcome
}

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

func newSuite(d dialect.Dialect, cases []Case) *suite {
	s := &suite{dialect: d, cases: cases}
	s.registered = s.registry.Register(d)
	for _, m := range d.Methods {
		if m == nil {
			continue
		}
		if spec := m.Spec(); spec.Missing() == "" {
			s.specs = append(s.specs, spec)
		}
	}
	deep := map[string]bool{}
	for _, c := range cases {
		m, ok := s.message(c)
		if !ok {
			continue
		}
		w := row{Case: c, message: m, out: s.run(m)}
		for _, e := range edits(m.raw) {
			v := variant{path: e.path, removed: s.run(m.with(e.path+" removed", e.removed))}
			for _, value := range wrongValues {
				v.wrong = append(v.wrong, s.run(m.with(e.path+" is "+value, e.put(value))))
			}
			if key := m.hook() + e.shape; !deep[key] {
				deep[key] = true
				for _, value := range deepValues {
					v.wrong = append(v.wrong, s.run(m.with(e.path+" is nested deeply", e.put(value))))
				}
			}
			w.variants = append(w.variants, v)
		}
		s.rows = append(s.rows, w)
	}
	for name, raw := range hostileDocuments() {
		for i := range s.specs {
			s.hostile = append(s.hostile, s.run(message{name: s.specs[i].Name + ": " + name, spec: &s.specs[i], raw: raw}))
		}
		if d.Observe == nil {
			continue
		}
		for _, kind := range s.kinds() {
			f := dialect.Frame{SessionID: "s", Kind: kind, Raw: raw, Meta: raw, OuterMeta: raw}
			f.Call = dialect.ToolCall{SessionID: "s", ID: "c", Status: "completed", RawInput: raw, RawOutput: raw, Content: raw, Locations: raw, Meta: raw}
			s.hostile = append(s.hostile, s.run(message{name: kind + ": " + name, frame: f}))
		}
	}
	return s
}

// kinds lists the frame kinds that Observe must survive.
func (s *suite) kinds() []string {
	kinds := []string{"", "tool_call", "tool_call_update", "agent_message_chunk", dialect.FramePermission, dialect.FramePromptResult}
	have := map[string]bool{}
	for _, k := range kinds {
		have[k] = true
	}
	for _, c := range s.cases {
		if c.Frame != nil && !have[c.Frame.Kind] {
			have[c.Frame.Kind] = true
			kinds = append(kinds, c.Frame.Kind)
		}
	}
	return kinds
}

// message gives the input of a case, false if the case names no hook.
func (s *suite) message(c Case) (message, bool) {
	if c.Frame != nil {
		if s.dialect.Observe == nil {
			return message{}, false
		}
		m := message{name: c.Name, raw: c.Frame.Raw, frame: *c.Frame}
		m.frame.Call = record(m.frame)
		return m, true
	}
	found, ok := s.registry.Lookup(c.Method)
	if !ok {
		return message{}, false
	}
	return message{name: c.Name, spec: &found.Spec, raw: []byte(c.Params)}, true
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

// each calls f with every outcome there is.
func (s *suite) each(f func(outcome)) {
	for _, w := range s.rows {
		f(w.out)
		for _, v := range w.variants {
			f(v.removed)
			for _, o := range v.wrong {
				f(o)
			}
		}
	}
	for _, o := range s.hostile {
		f(o)
	}
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
		if !reflect.DeepEqual(given, clone(m.frame)) {
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
