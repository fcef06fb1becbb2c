package dialecttest

import (
	"errors"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func described(s *suite, r *complaints) {
	if s.registered != nil {
		r.Errorf("cannot be registered: %v", s.registered)
	}
	if s.dialect.Name != strings.ToLower(s.dialect.Name) {
		r.Errorf("the name %q is not lower case", s.dialect.Name)
	}
	line := func(what, text string) {
		switch {
		case strings.TrimSpace(text) == "":
			r.Errorf("%s is empty", what)
		case strings.ContainsAny(text, "\n\r"):
			r.Errorf("%s is more than a line", what)
		}
	}
	line("the dialect's Doc", s.dialect.Doc)
	for _, m := range s.specs {
		line(m.Name+": Doc", m.Doc)
		line(m.Name+": Source", m.Source)
	}
}

func registered(s *suite, r *complaints) {
	for _, m := range s.specs {
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if found, ok := registry.Default().Lookup(name); !ok || found.Dialect != s.dialect.Name {
				r.Errorf("registry.Default does not find %q in dialect %q", name, s.dialect.Name)
			}
		}
	}
	for _, d := range registry.Default().Dialects() {
		if d.Name == s.dialect.Name {
			return
		}
	}
	r.Errorf("registry.Default holds no dialect %q", s.dialect.Name)
}

func covered(s *suite, r *complaints) {
	type seen struct{ good, refused bool }
	have := map[string]*seen{}
	frames := 0
	for _, w := range s.rows {
		if w.spec == nil {
			if len(w.Findings) > 0 {
				frames++
			}
			continue
		}
		if have[w.spec.Name] == nil {
			have[w.spec.Name] = &seen{}
		}
		if w.Refused == "" {
			have[w.spec.Name].good = true
		} else {
			have[w.spec.Name].refused = true
		}
	}
	for _, m := range s.specs {
		h := have[m.Name]
		if h == nil || !h.good {
			r.Errorf("%s has no case of good params", m.Name)
		}
		if h == nil || !h.refused {
			r.Errorf("%s has no case of refused params", m.Name)
		}
	}
	if s.dialect.Observe != nil && frames == 0 {
		r.Errorf("Observe has no case that finds something")
	}
}

func tabled(s *suite, r *complaints) {
	names := map[string]bool{}
	for i, c := range s.cases {
		switch {
		case c.Name == "":
			r.Errorf("case %d has no name", i)
		case names[c.Name]:
			r.Errorf("two cases are named %q", c.Name)
		case (c.Method == "") == (c.Frame == nil):
			r.Errorf("case %q must have either Method or Frame", c.Name)
		default:
			if _, ok := s.message(c); !ok {
				r.Errorf("case %q: the dialect has no method %q, or no Observe for a frame", c.Name, c.Method)
			}
		}
		names[c.Name] = true
	}
	for _, w := range s.rows {
		r.Run(w.Name, func(r reporter) { w.check(s, r) })
	}
}

// options compare what decoders and hooks give: nil and empty lists alike, and
// a number by its value.
var options = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Exporter(func(t reflect.Type) bool { return true }),
	cmp.Comparer(func(a, b dialect.Number) bool { return a.Value == b.Value && a.Valid == b.Valid }),
}

func (w row) check(s *suite, r reporter) {
	o := w.out
	if o.panicked != "" {
		return // told by the law of totality
	}
	if w.spec == nil {
		diff(r, "findings", w.Findings, o.findings)
		return
	}
	if w.spec.Ask {
		defer w.checkDecline(s, r)
	}
	if w.Refused != "" {
		w.checkRefused(r)
		return
	}
	var soft *dialect.SoftError
	switch isSoft := errors.As(o.err, &soft); {
	case !dialect.Usable(o.err):
		r.Errorf("decode: %v", o.err)
		return
	case isSoft && !w.Soft:
		r.Errorf("decode gives a soft error that the case does not expect: %v", o.err)
	case !isSoft && w.Soft:
		r.Errorf("decode gives no soft error")
	}
	if w.Want != nil {
		diff(r, "params", w.Want, o.params)
	}
	if !w.spec.Ask {
		diff(r, "findings", w.Findings, o.findings)
		return
	}
	diff(r, "link", w.Link, o.link)
	diff(r, "question", w.Question, o.question)
	for _, a := range w.Answers {
		if err := o.question.Check(a.Answer); err != nil {
			r.Errorf("answer %+v is not on offer: %v", a.Answer, err)
			continue
		}
		got, err := s.reply(w.spec, o.params, a.Answer)
		if err != nil || !sameJSON([]byte(a.Result), got) {
			r.Errorf("answer %+v becomes %s (error %v), want %s", a.Answer, got, err, a.Result)
		}
	}
	for _, a := range w.Refuses {
		if o.question.Check(a) == nil {
			r.Errorf("answer %+v must be refused", a)
		}
	}
}

func (w row) checkRefused(r reporter) {
	if dialect.Usable(w.out.err) {
		r.Errorf("decode accepts these params (error %v), want a hard error about %q", w.out.err, w.Refused)
		return
	}
	var bad *dialect.ParamsError
	if !errors.As(w.out.err, &bad) {
		r.Errorf("decode gives %v, want a *dialect.ParamsError about %q", w.out.err, w.Refused)
		return
	}
	field := bad.Field
	if field == "" {
		field = "params"
	}
	if field != w.Refused {
		r.Errorf("decode refuses %q, want %q: %v", field, w.Refused, w.out.err)
	}
}

func (w row) checkDecline(s *suite, r reporter) {
	if w.out.params == nil || w.Refused != "" && w.Decline == "" && w.NoAnswer == 0 {
		return
	}
	got, err := s.reply(w.spec, w.out.params, dialect.Answer{})
	switch {
	case (w.Decline == "") == (w.NoAnswer == 0):
		r.Errorf("the case of an ask must have either Decline or NoAnswer; it gives %s (error %v)", got, err)
	case w.NoAnswer != 0 && code(err) != w.NoAnswer:
		r.Errorf("the decline is %s (error %v), want no answer with the code %d", got, err, w.NoAnswer)
	case w.Decline != "" && (err != nil || !sameJSON([]byte(w.Decline), got)):
		r.Errorf("the decline is %s (error %v), want %s", got, err, w.Decline)
	}
}

func diff(r reporter, what string, want, got any) {
	if d := cmp.Diff(want, got, options); d != "" {
		r.Errorf("%s (-want +got):\n%s", what, d)
	}
}
