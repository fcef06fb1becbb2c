//go:build unix

package client

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

// termed gives a connection with terminals and one root.
func termed(t *testing.T, w *Workspace) (*loop, string) {
	t.Helper()
	ws := tempDir(t)
	w.Terminal = true
	t.Cleanup(func() { _ = w.Close() })
	return looped(t, w, nil, ws), ws
}

// create starts a command; rest are more members of the params.
func (l *loop) create(rest string) string {
	l.t.Helper()
	var resp acp.CreateTerminalResponse
	l.result("terminal/create", `{"sessionId":"s1",`+rest+`}`, &resp)
	return resp.TerminalId
}

func termParams(id string) string { return fmt.Sprintf(`{"sessionId":"s1","terminalId":%q}`, id) }

// exit waits for a command and gives its status as the wire has it.
func (l *loop) exit(id string) string {
	l.t.Helper()
	return string(l.ask("terminal/wait_for_exit", termParams(id)).Result)
}

func (l *loop) output(id string) acp.TerminalOutputResponse {
	l.t.Helper()
	var resp acp.TerminalOutputResponse
	l.result("terminal/output", termParams(id), &resp)
	return resp
}

// ran runs a command to its end and gives its output.
func (l *loop) ran(rest string) string {
	l.t.Helper()
	id := l.create(rest)
	l.exit(id)
	return l.output(id).Output
}

// quoted makes a command of sh that runs a script.
func script(text string) string { return fmt.Sprintf(`"command":"sh","args":["-c",%q]`, text) }

func TestOutputIsCutAtACharacter(t *testing.T) {
	l, _ := termed(t, &Workspace{})
	for _, limit := range []int{1001, 1000, 3, 2, 1, 0} {
		id := l.create(script("i=0; while [ $i -lt 400 ]; do printf '€😀'; i=$((i+1)); done") + `,"outputByteLimit":` + strconv.Itoa(limit))
		if diff := cmp.Diff(`{"exitCode":0}`, l.exit(id)); diff != "" {
			t.Error(diff)
		}
		got := l.output(id)
		whole := strings.Repeat("€😀", 400)
		if !got.Truncated || !strings.HasSuffix(whole, got.Output) || len(got.Output) > limit || len(got.Output) < limit-3 {
			t.Errorf("limit %d: %d bytes, %+v", limit, len(got.Output), got)
		}
		if got.ExitStatus == nil || got.ExitStatus.ExitCode == nil || *got.ExitStatus.ExitCode != 0 {
			t.Errorf("the exit status is %+v", got.ExitStatus)
		}
	}
	if f := l.ask("terminal/create", `{"sessionId":"s1","command":"true","outputByteLimit":-1}`); f.Error == nil || f.Error.Code != -32602 {
		t.Errorf("a negative limit gave %+v", f)
	}
}

func TestOutputIsBoundedByTheHostToo(t *testing.T) {
	l, _ := termed(t, &Workspace{OutputLimit: 10})
	for _, limit := range []string{"", `,"outputByteLimit":1000000`, `,"outputByteLimit":null`} {
		id := l.create(script("echo 123456789012345") + limit)
		l.exit(id)
		if got := l.output(id); got.Output != "789012345\n" || !got.Truncated {
			t.Errorf("%s: %+v", limit, got)
		}
	}
	id := l.create(script("echo 789012345"))
	l.exit(id)
	if got := l.output(id); got.Output != "789012345\n" || got.Truncated {
		t.Errorf("%+v", got)
	}
}

func TestLargeOutputIsReadWhole(t *testing.T) {
	l, _ := termed(t, &Workspace{})
	got := l.ran(script("i=0; while [ $i -lt 8000 ]; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; i=$((i+1)); done"))
	if len(got) != 8000*71 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestExitCodeOrSignal(t *testing.T) {
	l, _ := termed(t, &Workspace{})
	for text, want := range map[string]string{
		"exit 0": `{"exitCode":0}`, "exit 3": `{"exitCode":3}`, "exit 255": `{"exitCode":255}`,
		"kill -9 $$": `{"signal":"SIGKILL"}`, "kill -TERM $$": `{"signal":"SIGTERM"}`, "kill -SEGV $$": `{"signal":"SIGSEGV"}`,
	} {
		if diff := cmp.Diff(want, l.exit(l.create(script(text)))); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Nor does one that is never quiet.
func TestNoisyBackgroundChildDoesNotHoldTheCommand(t *testing.T) {
	l, _ := termed(t, &Workspace{})
	id := l.create(script("(while :; do echo tick; sleep 0.02; done) & exit 3"))
	if diff := cmp.Diff(`{"exitCode":3}`, l.exit(id)); diff != "" {
		t.Error(diff)
	}
	if f := l.ask("terminal/release", termParams(id)); f.Error != nil {
		t.Error(f.Error)
	}
}

// A background child holds the pipe and goes on writing: the command is over all
// the same, its output is there, and release ends the child.
func TestBackgroundChildDoesNotHoldTheCommand(t *testing.T) {
	l, ws := termed(t, &Workspace{})
	if err := syscall.Mkfifo(filepath.Join(ws, "go"), 0o666); err != nil {
		t.Fatal(err)
	}
	id := l.create(script("(echo $$; read x < go; echo late; exec sleep 300) & echo early; exit 4"))
	if diff := cmp.Diff(`{"exitCode":4}`, l.exit(id)); diff != "" {
		t.Error(diff)
	}
	out := l.output(id).Output
	if !strings.Contains(out, "early\n") || strings.Contains(out, "late") {
		t.Errorf("the output is %q", out)
	}
	put(t, filepath.Join(ws, "go"), "x\n")
	for !strings.Contains(l.output(id).Output, "late\n") { // it is read on
	}
	var pid int
	for _, line := range strings.Fields(out) {
		if n, err := strconv.Atoi(line); err == nil {
			pid = n // the group's
		}
	}
	if f := l.ask("terminal/release", termParams(id)); f.Error != nil {
		t.Error(f.Error)
	}
	if left := group(pid); len(left) > 0 {
		t.Errorf("processes %v of the command are left", left)
	}
	for _, method := range []string{"output", "wait_for_exit", "kill", "release"} {
		if f := l.ask("terminal/"+method, termParams(id)); f.Error == nil || f.Error.Code != -32002 {
			t.Errorf("%s of a terminal that was released: %+v", method, f)
		}
	}
}

func TestKillEndsTheGroupAndKeepsTheTerminal(t *testing.T) {
	l, _ := termed(t, &Workspace{})
	for text, want := range map[string]string{
		"echo $$; sleep 300 & wait":                              `{"signal":"SIGTERM"}`,
		"trap '' TERM; echo $$; sleep 300; sleep 301":            `{"signal":"SIGKILL"}`,
		"trap 'exit 7' TERM; echo $$; sleep 300 & wait":          `{"exitCode":7}`,
		"kill -STOP $$; echo never":                              `{"signal":"SIGTERM"}`,
		"trap '' TERM; echo $$; (sleep 300; sleep 301) & exit 5": `{"exitCode":5}`,
	} {
		id := l.create(script(text))
		exit := l.start("terminal/wait_for_exit", termParams(id))
		pid := l.pid(id, text)
		if f := l.ask("terminal/kill", termParams(id)); f.Error != nil {
			t.Error(f.Error)
		}
		if diff := cmp.Diff(want, string((<-exit).Result)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if left := group(pid); len(left) > 0 {
			t.Errorf("%s: processes %v are left", text, left)
		}
		if got := l.output(id); got.ExitStatus == nil {
			t.Errorf("%s: a killed command's output has no exit status: %+v", text, got)
		}
		if f := l.ask("terminal/kill", termParams(id)); f.Error != nil {
			t.Errorf("%s: to kill it again: %v", text, f.Error)
		}
		l.ask("terminal/release", termParams(id))
	}
}

// pid waits until a command has written its process number, and gives it.
func (l *loop) pid(id, text string) int {
	if !strings.Contains(text, "echo $$") {
		return 0
	}
	for {
		if line, _, ok := strings.Cut(l.output(id).Output, "\n"); ok {
			pid, err := strconv.Atoi(line)
			if err != nil {
				l.t.Fatal(err)
			}
			return pid
		}
	}
}

// group gives the processes of a group that run; there is no group 0.
func group(id int) []int {
	var left []int
	for pid, of := range running() {
		if of == id && id != 0 {
			left = append(left, pid)
		}
	}
	return left
}

func TestTerminalsEndWithTheirSession(t *testing.T) {
	w := &Workspace{}
	l, ws := termed(t, w)
	w.SessionChild("kid", "s1")
	w.SessionOpened("other", ws, nil)
	pids := map[string]int{}
	for _, session := range []string{"s1", "kid", "other"} {
		var resp acp.CreateTerminalResponse
		l.result("terminal/create", fmt.Sprintf(`{"sessionId":%q,%s}`, session, script("echo $$; sleep 300 & wait")), &resp)
		pids[session] = l.pid(resp.TerminalId, "echo $$")
	}
	w.SessionClosed("s1")
	for session, pid := range pids {
		if got, want := len(group(pid)) > 0, session == "other"; got != want {
			t.Errorf("after s1 was closed, the command of %s runs: %v", session, got)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if left := group(pids["other"]); len(left) > 0 {
		t.Errorf("after Close, processes %v are left", left)
	}
}

func TestWaitForExitEndsWithItsContext(t *testing.T) {
	w := &Workspace{Terminal: true, Roots: []string{tempDir(t)}}
	defer w.Close()
	resp, err := w.CreateTerminal(t.Context(), acp.CreateTerminalRequest{Command: "sleep", Args: []string{"300"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := w.WaitForTerminalExit(ctx, acp.WaitForTerminalExitRequest{TerminalId: resp.TerminalId}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
