package dialecttest

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

// linear compares times within one run: an input that is n times as large may
// take a few times n, not n*n. Inputs are nested at each place of a document,
// and each list is made long, of equal elements and of different ones.
func linear(s *suite, r *complaints) {
	const count, factor = 100, 24
	seen := map[string]bool{}
	for _, w := range s.rows {
		if w.out.panicked != "" {
			continue
		}
		for _, e := range edits(w.raw) {
			key := w.hook() + e.shape
			if seen[key] {
				continue
			}
			seen[key] = true
			for what, grown := range growths(e.value) {
				small, large := w.with("", e.put(grown(count))), w.with("", e.put(grown(count*factor)))
				if little, much, ok := s.compare(small, large, factor); !ok {
					r.Errorf("%s: %s with %s: %d take %v, %d take %v", w.Name, e.path, what, count, little, count*factor, much)
				}
			}
		}
	}
}

// growths gives ways to make a value of any size.
func growths(value any) map[string]func(n int) string {
	out := map[string]func(int) string{
		"nested objects": func(n int) string { return nest(`{"custom":`, `}`, n) },
		"nested lists":   func(n int) string { return nest(`[`, `]`, n) },
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return out
	}
	grown := func(element any) func(int) string {
		text, _ := json.Marshal(element)
		return func(n int) string {
			elements := make([]string, n)
			for i := range elements {
				elements[i] = strings.ReplaceAll(string(text), "@@", strconv.Itoa(i))
			}
			return "[" + strings.Join(elements, ",") + "]"
		}
	}
	out["equal elements"] = grown(list[0])
	out["different elements"] = grown(numbered(list[0]))
	return out
}

// numbered marks each string in a value for a number.
func numbered(value any) any {
	switch v := value.(type) {
	case string:
		return v + "@@"
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = numbered(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, x := range v {
			out[key] = numbered(x)
		}
		return out
	}
	return value
}

// compare reports whether the large message, factor times the small one, takes
// not much more than factor times as long. Other work on the machine only ever
// makes a run slower, so the shortest of many counts, and there are as many as
// it takes to pass, within bounds.
func (s *suite) compare(small, large message, factor time.Duration) (little, much time.Duration, ok bool) {
	const (
		slack  = 4
		rounds = 40
		least  = 20 * time.Microsecond // below it the clock counts
	)
	little, much = s.took(small), s.took(large)
	for round := range rounds {
		little, much = min(little, s.took(small)), min(much, s.took(large))
		limit := slack * factor * max(least, little)
		if much <= limit {
			return little, much, true
		}
		if round > rounds/4 && much > 2*limit {
			break // beyond doubt
		}
	}
	return little, much, false
}

// took gives the time a message takes.
func (s *suite) took(m message) time.Duration {
	start := time.Now()
	s.once(m)
	return time.Since(start)
}

// once does with a message what a client does with it while nobody answers.
func (s *suite) once(m message) {
	defer func() { _ = recover() }() // told by the law of totality
	if m.spec == nil {
		s.dialect.Observe(m.frame)
		return
	}
	params, err := m.spec.Decode(m.raw)
	switch {
	case m.spec.Ask:
		if dialect.Usable(err) {
			m.spec.Question(params)
		}
		m.spec.Reply(params, dialect.Answer{})
	case dialect.Usable(err):
		m.spec.Findings(params)
	}
}
