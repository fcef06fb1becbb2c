package dialecttest

import (
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
	kind    byte // of the JSON value that was there; see kind
	removed outcome
	wrong   []wrong
}

// A wrong is a variant with another value.
type wrong struct {
	kind byte
	outcome
}

func newSuite(d dialect.Dialect, cases []Case, depth int) *suite {
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
			v := variant{kind: e.kind(), removed: s.run(m.with(e.path+" removed", e.removed))}
			for _, value := range wrongValues {
				v.wrong = append(v.wrong, wrong{kind(value), s.run(m.with(e.path+" is "+value, e.put(value)))})
			}
			if key := m.hook() + e.shape; !deep[key] {
				deep[key] = true
				for _, value := range deepValues(depth) {
					v.wrong = append(v.wrong, wrong{kind(value), s.run(m.with(e.path+deeply, e.put(value)))})
				}
			}
			w.variants = append(w.variants, v)
		}
		s.rows = append(s.rows, w)
	}
	for name, raw := range hostileDocuments(depth) {
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

// each calls f with every outcome there is.
func (s *suite) each(f func(outcome)) {
	for _, w := range s.rows {
		f(w.out)
		for _, v := range w.variants {
			f(v.removed)
			for _, o := range v.wrong {
				f(o.outcome)
			}
		}
	}
	for _, o := range s.hostile {
		f(o)
	}
}
