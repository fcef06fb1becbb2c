package dialecttest

import (
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

// Fuzz looks for params and frames that break a law which holds for any bytes:
// no panic, equal results for equal input, input left alone, well-formed events
// and questions, and a valid result for every answer. The seeds are the cases.
func Fuzz(f *testing.F, d dialect.Dialect, cases []Case) {
	f.Helper()
	s := &suite{dialect: d, cases: cases}
	if err := s.registry.Register(d); err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		if c.Frame != nil {
			f.Add(c.Frame.Kind, []byte(c.Frame.Raw))
		} else {
			f.Add(c.Method, []byte(c.Params))
		}
	}
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		m := message{name: name, raw: raw}
		if found, ok := s.registry.Lookup(name); ok {
			m.spec = &found.Spec
		} else if d.Observe != nil {
			m.frame = framed("s", name, raw)
		} else {
			return
		}
		first, second := s.run(m), s.run(m)
		one := &suite{dialect: d, hostile: []outcome{first}}
		for _, l := range laws {
			if !l.anyBytes {
				continue
			}
			c := &complaints{reporter: tester{t}, why: l.why}
			l.check(one, c)
			c.end()
		}
		if !same(first, second) {
			t.Errorf("%s: two runs give two results\n%s", name, excerpt(raw))
		}
	})
}
