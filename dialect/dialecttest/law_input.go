package dialecttest

import (
	"bytes"
	"reflect"
	"strings"
	"sync"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func total(s *suite, r *complaints) {
	s.each(func(o outcome) {
		if o.panicked != "" {
			r.Errorf("%s: panic in %s\n%s", o.name, o.panicked, excerpt(o.raw))
		}
	})
	for _, o := range s.hostile {
		if o.spec == nil || o.panicked != "" {
			continue
		}
		text := bytes.TrimSpace(o.raw)
		absent := len(text) == 0 || string(text) == "null"
		if !absent && text[0] != '{' && dialect.Usable(o.err) {
			r.Errorf("%s: params that are no object must be a hard error\n%s", o.name, excerpt(o.raw))
		}
	}
}

// times a message is run at once.
const times = 4

func pure(s *suite, r *complaints) {
	s.each(func(o outcome) {
		if o.mutated != "" {
			r.Errorf("%s: %s\n%s", o.name, o.mutated, excerpt(o.raw))
		}
	})
	for _, w := range s.rows {
		got := make([]outcome, times)
		var all sync.WaitGroup
		for i := range got {
			all.Go(func() { got[i] = s.run(w.message) })
		}
		all.Wait()
		for _, o := range got {
			if !same(o, w.out) {
				r.Errorf("%s: two runs give two results", w.Name)
				break
			}
		}
	}
}

// same reports whether two outcomes of one message are equal.
func same(a, b outcome) bool {
	a.message, b.message = message{}, message{}
	if a.panicked != "" || b.panicked != "" {
		return true // the law of totality tells it
	}
	a.mutated, b.mutated = "", ""
	return reflect.DeepEqual(a, b)
}

func unknownFields(s *suite, r *complaints) {
	for _, w := range s.rows {
		for _, raw := range widened(w.raw) {
			o := s.run(w.with("an unknown field", raw))
			if o.panicked != "" || w.out.panicked != "" {
				continue
			}
			a, b := w.out, o
			// What a dialect hands on as it came may hold the new field.
			a.params, b.params = nil, nil
			a.err, b.err = kindOf(a.err), kindOf(b.err)
			a.findings, b.findings = withoutOther(a.findings), withoutOther(b.findings)
			if !same(a, b) {
				r.Errorf("%s: an unknown field changes the result\n%s", w.Name, excerpt(raw))
			}
		}
	}
}

// kindOf gives an error without its details.
func kindOf(err error) error {
	switch {
	case err == nil:
		return nil
	case dialect.Usable(err):
		return &dialect.SoftError{}
	}
	return &dialect.ParamsError{}
}

// widened gives the document with a field that nobody knows, at the top and in
// its _meta.
func widened(raw []byte) [][]byte {
	const field = `"x-unknown-field":{"a":[1,null]}`
	m, ok := rawjson.Members(raw)
	if !ok {
		return nil
	}
	wide := func(raw []byte, empty bool) []byte {
		at := bytes.IndexByte(raw, '{') + 1
		comma := ","
		if empty {
			comma = ""
		}
		return bytes.Join([][]byte{raw[:at], []byte(field + comma), raw[at:]}, nil)
	}
	out := [][]byte{wide(raw, len(m) == 0)}
	if meta, ok := rawjson.Members(m["_meta"]); ok {
		if i := bytes.Index(raw, m["_meta"]); i >= 0 && bytes.Count(raw, m["_meta"]) == 1 {
			out = append(out, bytes.Join([][]byte{raw[:i], wide(m["_meta"], len(meta) == 0), raw[i+len(m["_meta"]):]}, nil))
		}
	}
	return out
}

func withoutOther(findings []dialect.Finding) []dialect.Finding {
	var out []dialect.Finding
	for _, f := range findings {
		if o, ok := f.Event.(dialect.Other); ok {
			o.Value = nil
			f.Event = o
		}
		out = append(out, f)
	}
	return out
}

func wrongTypes(s *suite, r *complaints) {
	for _, w := range s.rows {
		if !dialect.Usable(w.out.err) || w.out.panicked != "" {
			continue
		}
		for _, v := range w.variants {
			if !dialect.Usable(v.removed.err) || v.removed.panicked != "" {
				continue // the method cannot do without it
			}
			optional := len(links(w.out)) > 0 && reflect.DeepEqual(links(v.removed), links(w.out))
			for _, o := range v.wrong {
				// A value of the type that was there may be a right one, and so
				// may any where there was null.
				differs := o.kind != v.kind && v.kind != 'n'
				switch {
				case o.panicked != "" || strings.HasSuffix(o.name, deeply) && !dialect.Usable(o.err):
				case !dialect.Usable(o.err):
					r.Errorf("%s: a hard error where the field may be absent: %v", o.name, o.err)
				case optional && differs && !reflect.DeepEqual(links(o.outcome), links(w.out)):
					r.Errorf("%s: the link is %+v, without the field it is %+v", o.name, links(o.outcome), links(w.out))
				}
			}
		}
	}
}

// links gives every place that an outcome belongs to, once.
func links(o outcome) map[dialect.Link]bool {
	out := map[dialect.Link]bool{}
	if o.spec != nil && o.spec.Ask {
		out[o.link] = true
	}
	for _, f := range o.findings {
		out[f.Link] = true
	}
	return out
}

func noEcho(s *suite, r *complaints) {
	s.each(func(o outcome) {
		if o.err != nil && strings.Contains(o.err.Error(), marker) {
			r.Errorf("%s: the error repeats what the agent sent: %v", o.name, o.err)
		}
	})
}

// excerpt shows the beginning of a document.
func excerpt(raw []byte) string {
	const most = 300
	if len(raw) > most {
		return string(raw[:most]) + "..."
	}
	return string(raw)
}
