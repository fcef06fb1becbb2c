// Package acpdialects_test holds the module to its own layout: which package may
// import which, and who may name a vendor.
package acpdialects_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/acpdialects/acpdialects"

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Standard     bool
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Standard", "./...")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// Imports go one way. What a package of ours may import of ours, and of others.
func TestImportsGoOneWay(t *testing.T) {
	const (
		jsonv2 = "github.com/go-json-experiment/json"
		sdk    = "github.com/coder/acp-go-sdk"
		hclog  = "github.com/hashicorp/go-hclog"
		cmp    = "github.com/google/go-cmp"
	)
	allowed := map[string][]string{
		"dialect/rawjson":       {jsonv2},
		"dialect":               {"dialect/rawjson", jsonv2},
		"dialect/dialecttest":   {"dialect", "dialect/rawjson", "registry", cmp, jsonv2},
		"registry":              {"dialect"},
		"client/internal/wire":  {jsonv2},
		"client/internal/state": {"dialect", "dialect/rawjson", "registry", "client/internal/wire"},
		"client":                {"dialect", "dialect/rawjson", "registry", "client/internal/wire", "client/internal/state", sdk, hclog, jsonv2},
		"dialects/all":          {"dialects/"},
	}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		may, known := allowed[name]
		switch {
		case known:
		case strings.HasPrefix(name, "dialects/"):
			may = []string{"dialect", "dialect/rawjson", "registry", "dialects/adapters"}
		case strings.HasPrefix(name, "examples/"), strings.HasPrefix(name, "client/"), p.ImportPath == module:
			continue
		default:
			t.Errorf("%s has no place in the layout; give it one here", name)
			continue
		}
		for _, imp := range p.Imports {
			first, _, _ := strings.Cut(imp, "/")
			if !strings.Contains(first, ".") {
				continue // standard library
			}
			imp = strings.TrimPrefix(imp, module+"/")
			if !slices.ContainsFunc(may, func(m string) bool { return imp == m || strings.HasPrefix(imp, under(m)) }) {
				t.Errorf("%s imports %s; it may import %q", name, imp, may)
			}
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if strings.HasPrefix(name, "dialects/") && imp == sdk {
				t.Errorf("the tests of %s import the SDK; a vendor's tests need no connection", name)
			}
		}
	}
}

// under gives the prefix of what lies below an allowed import: all of a module or
// of dialects/, nothing of a package of ours.
func under(may string) string {
	if strings.Contains(may, ".") || strings.HasSuffix(may, "/") {
		return strings.TrimSuffix(may, "/") + "/"
	}
	return may + "//"
}

// The requirements are four and stay four.
func TestRequirements(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	var direct []string
	for _, r := range mod.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	slices.Sort(direct)
	want := []string{
		"github.com/coder/acp-go-sdk", "github.com/go-json-experiment/json",
		"github.com/google/go-cmp", "github.com/hashicorp/go-hclog",
	}
	if !slices.Equal(direct, want) {
		t.Errorf("go.mod requires %q, want %q", direct, want)
	}
}

// A protocol library names no vendor: parsing and correlation live in the
// dialects. Comments and tests count.
func TestNoVendorOutsideItsPackage(t *testing.T) {
	vendors := []string{"aider", "windsurf", "devin", "goose", "iflow", "hermes"}
	entries, err := os.ReadDir("dialects")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "all" && e.Name() != "adapters" {
			vendors = append(vendors, e.Name())
		}
	}
	innocent := regexp.MustCompile(`(?i)decline`) // holds a vendor's name and does not mean it
	named := regexp.MustCompile(`(?i)(` + strings.Join(vendors, "|") + `)`)
	for _, dir := range []string{"client", "registry", "dialect"} {
		err := fs.WalkDir(os.DirFS("."), dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Base(path.Dir(file)) == "fuzz" {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for i, line := range bytes.Split(text, []byte("\n")) {
				line = innocent.ReplaceAll(line, nil)
				if m := named.Find(line); m != nil {
					t.Errorf("%s:%d names %s", file, i+1, m)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
