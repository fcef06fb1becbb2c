package acpdialects_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// renamed is where the fork's generated types, of a newer schema, differ from the
// SDK's so that code which names them does not build with both: FORK.md and
// types_gen.go of github.com/kdlbs/acp-go-sdk, commits 1ce4653527f6 (2026-07-22)
// and 8ddad6c9a17a.
var renamed = []struct{ in, out string }{
	{`UnstableDeleteSession`, `DeleteSession`},
	{`(TerminalId +)string( +\x60json)`, `${1}TerminalId${2}`},
	{`(MethodId +)string( +\x60json)`, `${1}AuthMethodId${2}`},
	{`(MessageId +\*)string( +\x60json)`, `${1}MessageId${2}`},
	{`(TerminalId: )terminalID`, `${1}TerminalId(terminalID)`},
}

const newTypes = `package acp

type (
	TerminalId   string
	AuthMethodId string
	MessageId    string
)
`

// A program that replaces the SDK by its fork builds. The fork is not served by
// the module proxy, so the SDK is given the names that the fork has.
func TestBuildsWithTheFork(t *testing.T) {
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	const sdk = "github.com/coder/acp-go-sdk"
	fork := t.TempDir()
	from := run("go", "list", "-m", "-f", "{{.Dir}}", sdk)
	files, err := filepath.Glob(filepath.Join(from, "*"))
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]bool{}
	for _, file := range files {
		name := filepath.Base(file)
		if name != "go.mod" && name != "go.sum" && (!strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go")) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range renamed {
			if re := regexp.MustCompile(r.in); re.Match(text) {
				changed[r.in] = true
				text = re.ReplaceAll(text, []byte(r.out))
			}
		}
		if err := os.WriteFile(filepath.Join(fork, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(changed) != len(renamed) {
		t.Errorf("the SDK has changed: of the names to replace it has only %v", changed)
	}
	if err := os.WriteFile(filepath.Join(fork, "fork.go"), []byte(newTypes), 0o600); err != nil {
		t.Fatal(err)
	}
	mod := filepath.Join(t.TempDir(), "go.mod")
	for _, ext := range []string{".mod", ".sum"} {
		text, err := os.ReadFile("go" + ext)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(strings.TrimSuffix(mod, ".mod")+ext, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("go", "mod", "edit", "-replace", sdk+"="+fork, mod)
	run("go", "build", "-modfile", mod, "./...")
}
