package registry_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

type object = map[string]any

func advertising(name string, caps func(asks bool) dialect.Capabilities) dialect.Dialect {
	return dialect.Dialect{Name: name, Methods: []dialect.Method{report(name + "/x")}, Advertise: caps}
}

func always(caps dialect.Capabilities) func(bool) dialect.Capabilities {
	return func(bool) dialect.Capabilities { return caps }
}

func TestAdvertise(t *testing.T) {
	for _, c := range []struct {
		name    string
		ofA     dialect.Capabilities
		ofB     dialect.Capabilities
		want    object
		clashes string // a part of the error
	}{
		{"nothing", nil, nil, object{}, ""},
		{"one", dialect.Capabilities{"x": true}, nil, object{"x": true}, ""},
		{"objects are merged", dialect.Capabilities{"_meta": object{"a": object{"v": 1.0}}}, dialect.Capabilities{"_meta": object{"a": object{"w": 2.0}, "b": true}},
			object{"_meta": object{"a": object{"v": 1.0, "w": 2.0}, "b": true}}, ""},
		{"equal values agree", dialect.Capabilities{"x": []any{"a"}, "y": object{"z": nil}}, dialect.Capabilities{"x": []any{"a"}, "y": object{"z": nil}},
			object{"x": []any{"a"}, "y": object{"z": nil}}, ""},
		{"two values for one key", dialect.Capabilities{"_meta": object{"x": true, "y": 1.0}}, dialect.Capabilities{"_meta": object{"x": false, "z": 2.0}},
			object{"_meta": object{"x": true, "y": 1.0, "z": 2.0}}, `clientCapabilities/_meta/x: dialect "a" wants true, dialect "b" wants false`},
		{"a value and an object", dialect.Capabilities{"x": true}, dialect.Capabilities{"x": object{}}, object{"x": true}, `clientCapabilities/x: dialect "a" wants true, dialect "b" wants map[]`},
		{"an object and a value", dialect.Capabilities{"x": object{"y": 1.0}}, dialect.Capabilities{"x": true}, object{"x": object{"y": 1.0}}, `dialect "a" wants map[y:1], dialect "b" wants true`},
		{"nested Capabilities are objects", dialect.Capabilities{"x": dialect.Capabilities{"y": 1.0}}, dialect.Capabilities{"x": object{"z": 2.0}},
			object{"x": object{"y": 1.0, "z": 2.0}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r registry.Registry
			r.MustRegister(advertising("a", always(c.ofA)))
			r.MustRegister(advertising("b", always(c.ofB)))
			r.MustRegister(advertising("c", nil))
			got, err := r.Advertise(true)
			if d := cmp.Diff(c.want, object(got)); d != "" {
				t.Errorf("capabilities (-want +got):\n%s", d)
			}
			if (err == nil) != (c.clashes == "") || err != nil && !strings.Contains(err.Error(), c.clashes) {
				t.Errorf("error %v, want one about %q", err, c.clashes)
			}
		})
	}
}

func TestAdvertiseSkipsAndTellsWhetherAsksAreAnswered(t *testing.T) {
	var r registry.Registry
	r.MustRegister(advertising("a", func(asks bool) dialect.Capabilities { return dialect.Capabilities{"asks": asks} }))
	r.MustRegister(advertising("b", always(dialect.Capabilities{"asks": "odd"})))
	r.MustRegister(advertising("c", always(dialect.Capabilities{"c": true})))
	for _, c := range []struct {
		asks bool
		skip []string
		want object
	}{
		{true, []string{"b"}, object{"asks": true, "c": true}},
		{false, []string{"b"}, object{"asks": false, "c": true}},
		{true, []string{"a", "c", "unknown"}, object{"asks": "odd"}},
		{true, []string{"a", "b", "c"}, object{}},
	} {
		got, err := r.Advertise(c.asks, c.skip...)
		if err != nil {
			t.Errorf("without %v: %v", c.skip, err)
		}
		if d := cmp.Diff(c.want, object(got)); d != "" {
			t.Errorf("without %v (-want +got):\n%s", c.skip, d)
		}
	}
}

// A dialect may give the same map each time: merging must not write into it.
func TestAdvertiseLeavesADialectsMapsAlone(t *testing.T) {
	ofA := dialect.Capabilities{"_meta": object{"a": true}}
	var r registry.Registry
	r.MustRegister(advertising("a", always(ofA)))
	r.MustRegister(advertising("b", always(dialect.Capabilities{"_meta": object{"b": true}, "b": true})))
	for range 2 {
		if _, err := r.Advertise(true); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(dialect.Capabilities{"_meta": object{"a": true}}, ofA); d != "" {
		t.Errorf("a dialect's own map (-want +got):\n%s", d)
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name         string
		host, others object
		want         object
	}{
		{"nothing", nil, nil, object{}},
		{"others alone", nil, object{"x": 1.0}, object{"x": 1.0}},
		{"host alone", object{"x": 1.0}, nil, object{"x": 1.0}},
		{"the host's value wins", object{"x": 1.0}, object{"x": 2.0, "y": 3.0}, object{"x": 1.0, "y": 3.0}},
		{"objects are merged", object{"m": object{"x": 1.0}}, object{"m": object{"x": 2.0, "y": 3.0}}, object{"m": object{"x": 1.0, "y": 3.0}}},
		{"the host's value wins over an object", object{"m": false}, object{"m": object{"x": 2.0}}, object{"m": false}},
		{"the host's object wins over a value", object{"m": object{"x": 1.0}}, object{"m": true}, object{"m": object{"x": 1.0}}},
		{"the host's null wins", object{"m": nil}, object{"m": true}, object{"m": nil}},
		{"the host's list wins whole", object{"l": []any{"a"}}, object{"l": []any{"b"}}, object{"l": []any{"a"}}},
		{"Capabilities are objects", object{"m": dialect.Capabilities{"x": 1.0}}, object{"m": object{"y": 2.0}}, object{"m": object{"x": 1.0, "y": 2.0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			host, others := maps.Clone(c.host), maps.Clone(c.others)
			if d := cmp.Diff(c.want, registry.Merge(c.host, c.others)); d != "" {
				t.Errorf("merged (-want +got):\n%s", d)
			}
			if cmp.Diff(host, c.host) != "" || cmp.Diff(others, c.others) != "" {
				t.Error("an argument was changed")
			}
		})
	}
}
