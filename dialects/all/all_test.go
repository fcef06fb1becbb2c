package all_test

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	_ "github.com/acpdialects/acpdialects/dialects/all"
	"github.com/acpdialects/acpdialects/registry"
)

func TestEveryVendorPackageIsImported(t *testing.T) {
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range folders {
		if f.IsDir() && f.Name() != "all" {
			want = append(want, f.Name())
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "all.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, imp := range file.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, path.Base(name))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("vendor packages and imports of all.go (-want +got):\n%s", d)
	}
	for _, name := range want {
		if !slices.ContainsFunc(registry.Default().Dialects(), named(name)) {
			t.Errorf("package %s registers no dialect of its name", name)
		}
	}
}

func TestAllDialectsLiveInOneRegistry(t *testing.T) {
	var r registry.Registry
	for _, d := range registry.Default().Dialects() {
		if err := r.Register(d); err != nil {
			t.Error(err)
		}
	}
	for _, asks := range []bool{false, true} {
		if _, err := r.Advertise(asks); err != nil {
			t.Errorf("Advertise(%v): %v", asks, err)
		}
	}
}

// BenchmarkStart is what the blank imports cost a program when it starts, less
// the building of the values themselves: each dialect registered in a fresh
// registry. The time and the bytes are asked to stay under 1 ms and 1 MB.
func BenchmarkStart(b *testing.B) {
	dialects := registry.Default().Dialects()
	b.ReportAllocs()
	for b.Loop() {
		var r registry.Registry
		for _, d := range dialects {
			if err := r.Register(d); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func named(name string) func(dialect.Dialect) bool {
	return func(d dialect.Dialect) bool { return d.Name == name }
}
