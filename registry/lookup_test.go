package registry_test

import (
	"fmt"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func TestLookupIsExactFirst(t *testing.T) {
	var r registry.Registry
	r.MustRegister(named("acme", report("acme/x", "acme.x"), report("_acme/y"), report("acme/twice"), report("__acme/__z"), report("authenticate/update"), report("_session/list/changes")))
	r.MustRegister(named("other", report("_acme/twice"), report("session.list")))
	lookups(t, &r, map[string]string{
		"acme/x":     "acme acme/x",
		"acme.x":     "acme acme/x",
		"_acme/x":    "acme acme/x",
		"___acme/x":  "acme acme/x",
		"_acme.x":    "acme acme/x",
		"acme/y":     "acme _acme/y",
		"_acme/y":    "acme _acme/y",
		"acme/__z":   "acme __acme/__z",
		"_acme/__z":  "acme __acme/__z",
		"acme/z":     "",
		"acme/twice": "acme acme/twice", "_acme/twice": "other _acme/twice",
		"__acme/twice": "", // two fit, and neither exactly
		"Acme/x":       "",
		"acme/x ":      "",
		"acme/X":       "",
		"acme":         "",
		"":             "",
		"_":            "",
		// A vendor's name that only looks like the protocol's.
		"authenticate/update":   "acme authenticate/update",
		"_authenticate/update":  "acme authenticate/update",
		"_session/list/changes": "acme _session/list/changes",
		// The protocol's own, which underscores do not lead to.
		"session/list/changes": "",
		"session.list":         "other session.list",
	})
}

func TestNameOfTwoMethodsOfOneDialectIsAmbiguousToo(t *testing.T) {
	var r registry.Registry
	r.MustRegister(named("acme", report("acme/x"), report("_acme/x"), report("acme/y", "_acme/y", "__acme/y")))
	lookups(t, &r, map[string]string{
		"acme/x": "acme acme/x", "_acme/x": "acme _acme/x", "__acme/x": "",
		"acme/y": "acme acme/y", "_acme/y": "acme acme/y", "___acme/y": "acme acme/y",
	})
}

// A third method must not make an ambiguous name look unambiguous.
func TestAmbiguousNameStaysAmbiguous(t *testing.T) {
	var r registry.Registry
	r.MustRegister(named("a", report("x")))
	r.MustRegister(named("b", report("_x")))
	r.MustRegister(named("c", report("__x")))
	lookups(t, &r, map[string]string{"x": "a x", "_x": "b _x", "__x": "c __x", "___x": ""})
}

func TestLookupAllocatesNothing(t *testing.T) {
	r := filled(100)
	for what, name := range lookupNames {
		if n := testing.AllocsPerRun(1000, func() { r.Lookup(name) }); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

var lookupNames = map[string]string{
	"hit": "acme/0", "alias hit": "acme.0", "underscore hit": "_acme/0", "miss": "acme/none", "underscore miss": "_acme/none", "core": "session/update",
}

// filled gives a registry of n methods with an alias each.
func filled(n int) *registry.Registry {
	r := new(registry.Registry)
	var methods []dialect.Method
	for i := range n {
		methods = append(methods, report(fmt.Sprint("acme/", i), fmt.Sprint("acme.", i)))
	}
	r.MustRegister(dialect.Dialect{Name: "acme", Methods: methods})
	return r
}

func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		r := filled(n)
		for _, what := range []string{"hit", "alias hit", "underscore hit", "miss"} {
			b.Run(fmt.Sprintf("%s/%d", what, n), func(b *testing.B) {
				name := lookupNames[what]
				b.ReportAllocs()
				for b.Loop() {
					r.Lookup(name)
				}
			})
		}
	}
}
