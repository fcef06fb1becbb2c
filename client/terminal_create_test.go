//go:build unix

package client

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestShellLines(t *testing.T) {
	l, ws := termed(t, &Workspace{})
	tool := filepath.Join(ws, "my tool")
	put(t, tool, "#!/bin/sh\necho ok $# \"$0\"\n")
	if err := os.Chmod(tool, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{`"command":"echo one && echo 'two  three' | cat"`, "one\ntwo  three\n"},
		{`"command":"echo one && echo two","args":[]`, "one\ntwo\n"},
		{`"command":"echo","args":["a b","$HOME","*"]`, "a b $HOME *\n"},
		{`"command":"$WS/my tool","args":[]`, "ok 0 $WS/my tool\n"},
		{`"command":"./my tool","args":["x  y"]`, "ok 1 $WS/./my tool\n"},
		{`"command":"echo $((1+1))","args":null`, "2\n"},
		{`"command":"no such program here"`, "sh: 1: no: not found\n"},
	} {
		got := l.ran(params(c.command, ws, ""))
		if strings.Contains(c.want, "not found") { // shells say it in their own way
			if !strings.Contains(got, "not found") {
				t.Errorf("%s: %q", c.command, got)
			}
			continue
		}
		if diff := cmp.Diff(params(c.want, ws, ""), got); diff != "" {
			t.Errorf("%s: %s", c.command, diff)
		}
	}
	for _, c := range []struct {
		command, says string
		code          int
	}{
		{`"command":"no-such-binary-xyz","args":["a"]`, `cannot run "no-such-binary-xyz": there is no such program in the PATH`, -32002},
		{`"command":"no-such-binary-xyz"`, "no such program", -32002},
		{`"command":"no such binary","args":["a"]`, `cannot run "no such binary"`, -32002},
		{`"command":"$WS","args":["a"]`, "is a directory", -32002},
		{`"command":"$WS/no","args":["a"]`, "no such file", -32002},
		{`"command":"  "`, "the command is empty", -32602},
		{`"command":"echo","args":["a\u0000b"]`, "NUL", -32602},
		{`"command":"echo","args":["x"],"env":[{"name":"A=B","value":"x"}]`, "cannot be an environment variable", -32602},
	} {
		f := l.ask("terminal/create", `{"sessionId":"s1",`+params(c.command, ws, "")+`}`)
		if f.Error == nil || f.Error.Code != c.code || !strings.Contains(f.Error.Message, c.says) {
			t.Errorf("%s: %+v", c.command, f)
		}
	}
}

func TestCommandsHaveNothingToRead(t *testing.T) {
	in, hold, err := os.Pipe() // the host's own stdin, open and silent
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer hold.Close()
	old := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = old }()

	l, _ := termed(t, &Workspace{})
	id := l.create(`"command":"cat","args":[]`)
	if diff := cmp.Diff(`{"exitCode":0}`, l.exit(id)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("got:\n", l.ran(script("read x; echo got:$x"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("none\n", l.ran(script("(: < /dev/tty) 2>/dev/null || echo none"))); diff != "" {
		t.Error("a command has a terminal to ask:", diff)
	}
}

func TestEnvironmentAndDirectory(t *testing.T) {
	w := &Workspace{Env: []string{"PATH=" + os.Getenv("PATH"), "FOO=host", "KEPT=yes"}}
	l, ws := termed(t, w)
	mkdir(t, filepath.Join(ws, "sub"))
	put(t, filepath.Join(ws, "file"), "")
	if err := os.Symlink("sub", filepath.Join(ws, "alias")); err != nil {
		t.Fatal(err)
	}
	got := l.ran(params(`"command":"env","args":[],"env":[{"name":"FOO","value":"bar"},{"name":"FOO","value":"baz"}],"cwd":"$WS"`, ws, ""))
	want := params("FOO=baz\nKEPT=yes\nPATH="+os.Getenv("PATH")+"\nPWD=$WS\n", ws, "")
	if diff := cmp.Diff(want, sorted(got)); diff != "" {
		t.Error(diff)
	}
	for cwd, want := range map[string]string{
		``: "$WS\n", `,"cwd":null`: "$WS\n", `,"env":null,"cwd":"$WS/sub"`: "$WS/sub\n", `,"cwd":"$WS/alias"`: "$WS/sub\n",
	} {
		if diff := cmp.Diff(params(want, ws, ""), l.ran(params(`"command":"pwd"`+cwd, ws, ""))); diff != "" {
			t.Errorf("%s: %s", cwd, diff)
		}
	}
	for cwd, says := range map[string]string{
		"/": "outside the session's directories", "$WS/..": "outside", "$WS/none": "no such file or directory",
		"$WS/file": "not a directory", "sub": "must be absolute", "": "no directory",
	} {
		f := l.ask("terminal/create", params(`{"sessionId":"s1","command":"pwd","cwd":"`+cwd+`"}`, ws, ""))
		if f.Error == nil || !strings.Contains(f.Error.Message, says) {
			t.Errorf("%q: %+v", cwd, f)
		}
	}
	// The program comes from the PATH that the command will have.
	put(t, filepath.Join(ws, "bin", "pwd"), "#!/bin/sh\necho mine\n")
	if err := os.Chmod(filepath.Join(ws, "bin", "pwd"), 0o777); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("mine\n", l.ran(params(`"command":"pwd","env":[{"name":"PATH","value":"sub:$WS/bin"}]`, ws, ""))); diff != "" {
		t.Error(diff)
	}
}

func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	for i := range lines {
		for j := i; j > 0 && lines[j] < lines[j-1]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
	return strings.Join(lines, "")
}

// A command that was asked for before its session was closed does not start
// after it.
func TestNoCommandStartsForASessionThatIsGone(t *testing.T) {
	for name, leave := range map[string]func(*Workspace, context.CancelFunc){
		"the session is closed":   func(w *Workspace, _ context.CancelFunc) { w.SessionClosed("s1") },
		"the workspace is closed": func(w *Workspace, _ context.CancelFunc) { _ = w.Close() },
		"the request is given up": func(_ *Workspace, cancel context.CancelFunc) { cancel() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		dir := tempDir(t)
		w := &Workspace{Terminal: true}
		w.SessionOpened("s1", dir, nil)
		w.CommandPolicy = func(context.Context, Command) error {
			leave(w, cancel)
			return nil
		}
		resp, err := w.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s1", Command: "sleep", Args: []string{"300"}})
		if err == nil || len(w.terminals) > 0 {
			t.Errorf("%s: %+v, %v, %d terminals", name, resp, err, len(w.terminals))
		}
		cancel()
	}
}

func TestPolicyRefusesCommands(t *testing.T) {
	var asked []Command
	w := &Workspace{Env: []string{"PATH=" + os.Getenv("PATH")}}
	w.CommandPolicy = func(_ context.Context, c Command) error {
		c.Env = nil
		asked = append(asked, c)
		return errors.New("not on my watch")
	}
	l, ws := termed(t, w)
	for _, command := range []string{`"command":"touch","args":["$WS/made","a b"]`, `"command":"touch $WS/made"`} {
		f := l.ask("terminal/create", params(`{"sessionId":"s1",`+command+`}`, ws, ""))
		if f.Error == nil || f.Error.Code != -32602 || !strings.Contains(f.Error.Message, "the command was refused: not on my watch") {
			t.Errorf("%+v", f)
		}
	}
	if left := names(t, ws); len(left) > 0 {
		t.Errorf("a refused command made %q", left)
	}
	touch, err := lookProgram("touch", "/", w.Env)
	if err != nil {
		t.Fatal(err)
	}
	want := []Command{
		{Session: "s1", Program: touch, Argv: []string{"touch", ws + "/made", "a b"}, Dir: ws},
		{Session: "s1", Program: "/bin/sh", Argv: []string{"sh", "-c", "touch " + ws + "/made"}, Line: "touch " + ws + "/made", Dir: ws},
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

func TestCommandsOfSessionsNobodyOpenedNeedARoot(t *testing.T) {
	w := &Workspace{Terminal: true}
	_, err := w.CreateTerminal(t.Context(), acp.CreateTerminalRequest{SessionId: "unknown", Command: "true"})
	if err == nil || !strings.Contains(err.Error(), "there is no directory to run the command in") {
		t.Errorf("%v", err)
	}
}
