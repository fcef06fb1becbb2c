package dialecttest

import (
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

// Run checks d against its table of cases and against every law of this
// package. Each law is a subtest, so that a failure names what was broken, and
// each says why it is one.
//
// The table must hold a good and a refused case for every method, and a frame
// if there is Observe. The package under test must register the dialect with
// registry.Default from init, as a blank import of it would.
func Run(t *testing.T, d dialect.Dialect, cases []Case) {
	t.Helper()
	check(tester{t}, d, cases, depth)
}

// A reporter is what the laws need of testing.T; the kit's own tests have
// another one.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Run(name string, f func(reporter))
}

type tester struct{ *testing.T }

func (t tester) Run(name string, f func(reporter)) {
	t.T.Run(name, func(t *testing.T) { f(tester{t}) })
}

func check(r reporter, d dialect.Dialect, cases []Case, depth int) {
	s := newSuite(d, cases, depth)
	for _, l := range laws {
		r.Run(l.name, func(r reporter) {
			r.Helper()
			c := &complaints{reporter: r, why: l.why}
			l.check(s, c)
			c.end()
		})
	}
}

// A law is a promise that clients rely on.
type law struct {
	name  string
	why   string // why a client needs it
	check func(*suite, *complaints)
	// anyBytes says that the law holds for each message by itself, whatever
	// its bytes.
	anyBytes bool
}

// complaints reports the first few violations of a law and counts the rest: one
// fault in a decoder shows in hundreds of inputs.
type complaints struct {
	reporter
	why   string
	count int
}

const shown = 5

func (c *complaints) Errorf(format string, args ...any) {
	c.Helper()
	c.count++
	if c.count <= shown {
		c.reporter.Errorf(format, args...)
	}
}

func (c *complaints) end() {
	c.Helper()
	if c.count > shown {
		c.reporter.Errorf("and %d more like these", c.count-shown)
	}
	if c.count > 0 {
		c.reporter.Errorf("why this is a law: %s", c.why)
	}
}
