package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The programs under test, built by TestMain.
var acptap, scripted string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acptap")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	if raceEnabled {
		args = append(args, "-race")
		os.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each process, otherwise
	}
	cmd := exec.Command("go", append(args, ".", "github.com/acpdialects/acpdialects/examples/scriptedagent")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	acptap, scripted = filepath.Join(dir, "acptap"), filepath.Join(dir, "scriptedagent")
	return m.Run()
}

// patience bounds a test's process; none should need it.
const patience = time.Minute

// A result is what a run of acptap gave.
type result struct {
	stdout, stderr string
	code           int
}

// run runs acptap to its end.
func run(t *testing.T, args ...string) result {
	t.Helper()
	return runWith(t, "", args...)
}

// runWith gives it something on stdin.
func runWith(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, acptap, args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("acptap %q: %v, %v\n%s", args, err, ctx.Err(), stderr.String())
	}
	if strings.Contains(stderr.String(), "DATA RACE") {
		t.Fatalf("acptap %q: %s", args, stderr.String())
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// A line is a line of --json.
type line map[string]any

// lines reads what --json printed, all of it.
func (r result) lines(t *testing.T) []line {
	t.Helper()
	var out []line
	for text := range strings.Lines(r.stdout) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil || l["type"] == nil {
			t.Fatalf("stdout has the line %q: %v", text, err)
		}
		out = append(out, l)
	}
	return out
}

// of gives the lines of some types, in their order.
func of(lines []line, types ...string) []line {
	return slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return !slices.Contains(types, l["type"].(string)) })
}

// script writes a script for scriptedagent and gives the agent's command.
func script(t *testing.T, steps ...string) []string {
	t.Helper()
	return []string{"--", scripted, file(t, strings.Join(steps, "\n"))}
}

// file writes a file and gives its name.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// wire reads a capture: the messages of one direction.
func wire(t *testing.T, name, dir string) []line {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []line
	for text := range strings.Lines(string(text)) {
		var l struct {
			Dir string
			Msg line
		}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("the capture has the line %q: %v", text, err)
		}
		if l.Dir == dir && l.Msg != nil {
			out = append(out, l.Msg)
		}
	}
	return out
}

// answerTo finds our answer to the agent's request of a method.
func answerTo(t *testing.T, capture, method string) line {
	t.Helper()
	for _, in := range wire(t, capture, "in") {
		if in["method"] != method {
			continue
		}
		for _, out := range wire(t, capture, "out") {
			if out["method"] == nil && out["id"] == in["id"] {
				return out
			}
		}
	}
	t.Fatalf("the capture has no answer to a %s", method)
	return nil
}

// find gives the first line whose members have these values.
func find(t *testing.T, lines []line, want line) line {
	t.Helper()
	for _, l := range lines {
		same := true
		for name, value := range want {
			same = same && l[name] == value
		}
		if same {
			return l
		}
	}
	t.Fatalf("no line has %v; there are %v", want, lines)
	return nil
}

// parse reads JSON that a test wrote.
func parse[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
