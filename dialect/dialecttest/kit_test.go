package dialecttest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGoodDialectKeepsEveryLaw(t *testing.T) {
	a := newAcme()
	Run(t, a.dialect(), a.cases)
}

func FuzzGoodDialect(f *testing.F) {
	a := newAcme()
	Fuzz(f, a.dialect(), a.cases)
}

// A recorder is a reporter that keeps what is said, by law.
type recorder struct {
	law  string
	mu   *sync.Mutex
	said map[string][]string
}

func (r recorder) Helper() {}

func (r recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said[r.law] = append(r.said[r.law], fmt.Sprintf(format, args...))
}

func (r recorder) Run(name string, f func(reporter)) {
	if r.law == "" {
		r.law = name
	}
	f(r)
}

func TestBrokenLawAndNoOtherIsReported(t *testing.T) {
	for _, broken := range faults {
		t.Run(broken.law+"/"+broken.what, func(t *testing.T) {
			a := newAcme()
			broken.do(a)
			r := recorder{mu: new(sync.Mutex), said: map[string][]string{}}
			check(r, a.dialect(), a.cases, depth/100) // deep inputs are slow, and no law's fault needs them
			got := slices.Sorted(maps.Keys(r.said))
			if d := cmp.Diff([]string{broken.law}, got); d != "" {
				t.Errorf("broken laws (-want +got):\n%s\n%s", d, said(r))
			}
		})
	}
}

func said(r recorder) string {
	var out []string
	for law, texts := range r.said {
		out = append(out, law+":\n"+strings.Join(texts, "\n"))
	}
	return strings.Join(out, "\n")
}

func TestEveryLawHasAReasonAndIsBrokenOnce(t *testing.T) {
	broken := map[string]bool{}
	for _, f := range faults {
		broken[f.law] = true
	}
	for _, l := range laws {
		if l.why == "" {
			t.Errorf("law %q has no reason", l.name)
		}
		if !broken[l.name] {
			t.Errorf("law %q: no test breaks it", l.name)
		}
	}
}
