package dialecttest

import (
	"encoding/json"
	"runtime"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

// linear compares costs within one run: bytes allocated for nested input, which
// do not vary, and time for long lists, where the shortest of several runs
// counts. An input that is n times as large may cost a few times n, not n*n.
func linear(s *suite, r *complaints) {
	const (
		depth, deeper = 200, 3_200
		count, longer = 200, 2_400
		slack         = 5
	)
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
			for _, brackets := range [][2]string{{`{"custom":`, `}`}, {`[`, `]`}} {
				m := func(depth int) message {
					return w.with("", e.put(nest(brackets[0], brackets[1], depth)))
				}
				little, much := s.allocated(m(depth)), s.allocated(m(deeper))
				if much > slack*deeper/depth*max(little, 1<<16) {
					r.Errorf("%s: %s nested %d deep allocates %d bytes, nested %d deep %d bytes", w.Name, e.path, depth, little, deeper, much)
				}
			}
			list, ok := e.value.([]any)
			if !ok || len(list) == 0 {
				continue
			}
			element, _ := json.Marshal(list[0])
			m := func(count int) message {
				return w.with("", e.put("["+strings.Repeat(string(element)+",", count-1)+string(element)+"]"))
			}
			little, much := s.took(m(count)), s.took(m(longer))
			if much > slack*longer/count*max(little, 50*time.Microsecond) {
				r.Errorf("%s: %d elements at %s take %v, %d elements %v", w.Name, count, e.path, little, longer, much)
			}
		}
	}
}

// allocated gives the bytes allocated for a message.
func (s *suite) allocated(m message) uint64 {
	least := ^uint64(0)
	for range 2 { // another goroutine may allocate meanwhile
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.once(m)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// took gives the time a message takes.
func (s *suite) took(m message) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range 3 {
		start := time.Now()
		s.once(m)
		least = min(least, time.Since(start))
	}
	return least
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
