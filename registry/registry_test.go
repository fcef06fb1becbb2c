package registry_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

type none struct{}

func report(name string, aliases ...string) dialect.Method {
	return dialect.Report[none]{Name: name, Aliases: aliases, Correlate: func(none) []dialect.Finding { return nil }}
}

func named(name string, methods ...dialect.Method) dialect.Dialect {
	return dialect.Dialect{Name: name, Methods: methods}
}

// found gives "dialect method" for what a lookup finds, "" for nothing.
func found(r *registry.Registry, name string) string {
	m, ok := r.Lookup(name)
	if !ok {
		return ""
	}
	return m.Dialect + " " + m.Name
}

func lookups(t *testing.T, r *registry.Registry, want map[string]string) {
	t.Helper()
	for name, w := range want {
		if got := found(r, name); got != w {
			t.Errorf("Lookup(%q) finds %q, want %q", name, got, w)
		}
	}
}

func TestZeroRegistryIsEmptyAndReady(t *testing.T) {
	var r registry.Registry
	lookups(t, &r, map[string]string{"acme/x": "", "": "", "_": ""})
	if got := r.Dialects(); got != nil {
		t.Errorf("dialects are %v", got)
	}
	if got, err := r.Advertise(true); err != nil || len(got) != 0 {
		t.Errorf("it advertises %v (%v)", got, err)
	}
	c := r.Clone()
	if err := c.Register(named("acme", report("acme/x"))); err != nil {
		t.Error(err)
	}
	lookups(t, c, map[string]string{"acme/x": "acme acme/x"})
	lookups(t, &r, map[string]string{"acme/x": ""})
}

func TestRegisterRefuses(t *testing.T) {
	ask := dialect.Ask[none, none]{Name: "acme/ask"}
	for _, c := range []struct {
		name    string
		dialect dialect.Dialect
		want    []string // parts of the error
	}{
		{"no name", named("", report("acme/new")), []string{`registry: dialect "": has no name`}},
		{"nothing at all", named("acme2"), []string{`registry: dialect "acme2": has neither methods nor Observe`}},
		{"a nil method", named("acme2", nil), []string{"method 0 is nil"}},
		{"an empty method name", named("acme2", report("")), []string{`method 0 has the empty name ""`}},
		{"a name of underscores", named("acme2", report("__")), []string{`method 0 has the empty name "__"`}},
		{"an empty alias", named("acme2", report("acme/new", "")), []string{`has the empty name ""`}},
		{"a report without Correlate", named("acme2", dialect.Report[none]{Name: "acme/new"}), []string{`method "acme/new" has no Correlate`}},
		{"an ask without hooks", named("acme2", ask), []string{`method "acme/ask" has no Correlate`}},
		{"a core name", named("acme2", report("initialize")), []string{`"initialize"`, "the protocol keeps this name for itself"}},
		{"a core alias", named("acme2", report("acme/new", "session/new")), []string{"the protocol keeps this name for itself"}},
		{"a name that is taken", named("acme2", report("acme/x")), []string{`method "acme/x" of dialect "acme2" is taken by method "acme/x" of dialect "acme"`}},
		{"an alias that is taken", named("acme2", report("acme/new", "acme.x")), []string{`method "acme.x" of dialect "acme2" is taken by method "acme/x" of dialect "acme"`}},
		{"a name twice in one dialect", named("acme2", report("acme/new"), report("acme/new")), []string{`"acme/new" of dialect "acme2" is taken by method "acme/new" of dialect "acme2"`}},
		{"a dialect's name that is taken", named("acme", report("acme/new")), []string{`a dialect named "acme" is registered already`}},
		{"several problems, all named", named("acme2", report("initialize"), nil, ask), []string{"keeps this name", "method 1 is nil", "has no Correlate"}},
		{"several clashes, all named", named("acme2", report("acme/new"), report("acme/x"), report("acme/y")), []string{`"acme/x" of dialect "acme2"`, `"acme/y" of dialect "acme2"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r registry.Registry
			r.MustRegister(named("acme", report("acme/x", "acme.x"), report("acme/y")))
			err := r.Register(c.dialect)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if !strings.HasPrefix(err.Error(), "registry: ") {
				t.Errorf("error %q does not begin with the package's name", err)
			}
			lookups(t, &r, map[string]string{"acme/new": "", "acme/x": "acme acme/x", "acme.x": "acme acme/x", "acme/y": "acme acme/y", "_acme/y": "acme acme/y"})
			if got := len(r.Dialects()); got != 1 {
				t.Errorf("%d dialects are registered, want 1", got)
			}
		})
	}
}

func TestObserveAloneIsADialect(t *testing.T) {
	var r registry.Registry
	d := dialect.Dialect{Name: "acme", Observe: func(dialect.Frame) []dialect.Finding { return nil }}
	if err := r.Register(d); err != nil {
		t.Error(err)
	}
}

func TestMustRegisterPanicsWithTheErrorsText(t *testing.T) {
	var r registry.Registry
	want := r.Register(named("")).Error()
	defer func() {
		if got := recover(); got != want {
			t.Errorf("panic %v, want %v", got, want)
		}
	}()
	r.MustRegister(named(""))
}

func TestPackageMustRegisterAddsToDefault(t *testing.T) {
	name := fmt.Sprintf("acme-%d", len(registry.Default().Dialects())) // unique if the test is run again
	registry.MustRegister(named(name, report(name+"/x")))
	lookups(t, registry.Default(), map[string]string{name + "/x": name + " " + name + "/x"})
}

func TestCore(t *testing.T) {
	for name, want := range map[string]bool{
		"initialize": true, "authenticate": true, "logout": true,
		"session/update": true, "session/": true, "fs/x": true, "terminal/x": true, "elicitation/x": true, "mcp/x": true,
		"document/x": true, "nes/x": true, "providers/x": true, "auth/x": true, "$/cancel_request": true,
		"": false, "_": false, "_initialize": false, "_session/list/changes": false, "authenticate/update": false,
		"session": false, "sessions/x": false, "fs": false, "Session/x": false, "acme/session/x": false, "initialize/": false,
	} {
		if got := registry.Core(name); got != want {
			t.Errorf("Core(%q) is %v", name, got)
		}
	}
}

func TestCloneIsIndependent(t *testing.T) {
	var r registry.Registry
	r.MustRegister(named("a", report("a/x")))
	c := r.Clone()
	r.MustRegister(named("b", report("b/x")))
	c.MustRegister(named("b", report("b/y")))
	lookups(t, &r, map[string]string{"a/x": "a a/x", "b/x": "b b/x", "b/y": ""})
	lookups(t, c, map[string]string{"a/x": "a a/x", "b/x": "", "b/y": "b b/y"})
}

func TestDialectsComeInTheOrderOfRegistration(t *testing.T) {
	var r registry.Registry
	for _, name := range []string{"c", "a", "b"} {
		r.MustRegister(named(name, report(name+"/x")))
	}
	names := func() (out []string) {
		for _, d := range r.Dialects() {
			out = append(out, d.Name)
		}
		return out
	}
	want := []string{"c", "a", "b"}
	if d := cmp.Diff(want, names()); d != "" {
		t.Errorf("dialects (-want +got):\n%s", d)
	}
	r.Dialects()[0].Name = "mine"
	if d := cmp.Diff(want, names()); d != "" {
		t.Errorf("after a caller changed its slice (-want +got):\n%s", d)
	}
}

// What a caller does to the dialect that it has registered changes nothing.
func TestRegistryKeepsItsOwnMethods(t *testing.T) {
	var r registry.Registry
	methods := []dialect.Method{report("acme/x")}
	r.MustRegister(dialect.Dialect{Name: "acme", Methods: methods})
	methods[0] = report("acme/y")
	lookups(t, &r, map[string]string{"acme/x": "acme acme/x", "acme/y": ""})
	if got := r.Dialects()[0].Methods[0].Spec().Name; got != "acme/x" {
		t.Errorf("the dialect's method is %q", got)
	}
}

func TestRegisterCloneAndLookupAtOnce(t *testing.T) {
	var r registry.Registry
	const dialects, each = 8, 20
	var all sync.WaitGroup
	for i := range dialects {
		all.Go(func() {
			for n := range each {
				name := fmt.Sprintf("d%d.%d", i, n)
				if err := r.Register(named(name, report(name+"/x"))); err != nil {
					t.Error(err)
				}
				if got := found(&r, "_"+name+"/x"); got == "" {
					t.Errorf("%s is not there after it was registered", name)
				}
			}
		})
		all.Go(func() {
			for n := range each {
				c := r.Clone()
				have := len(c.Dialects())
				c.MustRegister(named(fmt.Sprintf("c%d.%d", i, n), report("c/x")))
				if got := len(c.Dialects()); got != have+1 {
					t.Errorf("a clone of %d dialects has %d after one more", have, got)
				}
				if got := found(&r, "c/x"); got != "" {
					t.Errorf("a clone's method is in the original: %s", got)
				}
				if _, err := r.Advertise(true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := len(r.Dialects()); got != dialects*each {
		t.Errorf("%d dialects, want %d", got, dialects*each)
	}
}

func TestOneOfTwoThatClashAtOnceWins(t *testing.T) {
	var r registry.Registry
	errs := make([]error, 2)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			errs[i] = r.Register(named(fmt.Sprint("d", i), report("acme/x"), report(fmt.Sprint("acme/", i))))
		})
	}
	all.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Fatalf("errors are %v and %v", errs[0], errs[1])
	}
	loser := 0
	if errs[0] == nil {
		loser = 1
	}
	lookups(t, &r, map[string]string{fmt.Sprint("acme/", loser): "", "acme/x": fmt.Sprintf("d%d acme/x", 1-loser)})
}
