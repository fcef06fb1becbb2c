//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// family is an agent with a child that outlives it: the child's process id is in
// the file that it names.
func family(t *testing.T, steps ...string) (command []string, pidFile string) {
	t.Helper()
	pidFile = filepath.Join(t.TempDir(), "pid")
	sh := fmt.Sprintf("sleep 1000 & echo $! > %s; exec %s %s", pidFile, scripted, file(t, strings.Join(steps, "\n")))
	return []string{"--", "sh", "-c", sh}, pidFile
}

// gone fails the test if the child is still there. What was killed may take the
// system a moment to end, and there is no notice of it for who is not its parent.
func gone(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	late := time.After(time.Second)
	for syscall.Kill(pid, 0) == nil && !zombie(pid) {
		select {
		case <-time.After(time.Millisecond):
		case <-late:
			syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("the agent's child, process %d, was left running", pid)
			return
		}
	}
}

// zombie reports whether a process has ended and nobody has asked for it.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestNothingOfTheAgentIsLeft(t *testing.T) {
	for name, test := range map[string]struct {
		steps []string
		flags []string
		code  int
	}{
		"after the prompts":          {[]string{onPrompt}, nil, 0},
		"after a time that is over":  {[]string{onPrompt, `{"ignore":"eof"}`, `{"wait":"acme/never"}`}, []string{"--timeout", "300ms"}, 124},
		"when it ended in a turn":    {[]string{onPrompt, `{"exit":1}`}, nil, 1},
		"when it has no handshake":   {[]string{`{"on":"initialize"}`, `{"error":{"code":1,"message":"no"}}`}, nil, 1},
		"when it speaks and ignores": {[]string{onPrompt, `{"ignore":"eof"}`, `{"result":{"stopReason":"refusal"}}`, `{"wait":"acme/never"}`}, nil, 3},
	} {
		t.Run(name, func(t *testing.T) {
			agent, pidFile := family(t, test.steps...)
			args := append([]string{"run", "--json", "--prompt", "hi"}, test.flags...)
			if r := run(t, append(args, agent...)...); r.code != test.code {
				t.Errorf("exit code %d, want %d: %s", r.code, test.code, r.stderr)
			}
			gone(t, pidFile)
		})
	}
}

// Neither is what left the agent's group and session, however the agent ends.
func TestNothingThatDetachedItselfIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // nothing shows whose it was
	}
	for end, code := range map[string]int{`{"exit":3}`: 1, `{"result":{"stopReason":"end_turn"}}`: 0} {
		pidFile := filepath.Join(t.TempDir(), "pid")
		sh := fmt.Sprintf("setsid sh -c 'setsid sleep 1000 & echo $! > %s' & wait; exec %s %s", pidFile, scripted, file(t, onPrompt+"\n"+end))
		if r := run(t, "run", "--json", "--prompt", "hi", "--", "sh", "-c", sh); r.code != code {
			t.Errorf("exit code %d: %s", r.code, r.stderr)
		}
		gone(t, pidFile)
	}
}

// started runs acptap and gives the lines that it prints, as they come.
func started(t *testing.T, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(acptap, args...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = new(bytes.Buffer)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewScanner(stdout)
}

// until reads lines up to one that has a word in it.
func until(t *testing.T, s *bufio.Scanner, word string) {
	t.Helper()
	for s.Scan() {
		if strings.Contains(s.Text(), word) {
			return
		}
	}
	t.Fatalf("no line has %q", word)
}

// A turn that an interrupt cancels is a turn that was cancelled, whatever the
// agent calls its end: what was still to be said is not.
func TestInterruptCancelsTheTurn(t *testing.T) {
	for _, c := range []struct {
		reason string
		code   int
	}{{"cancelled", 3}, {"end_turn", 1}} {
		agent, pidFile := family(t, onPrompt, `{"say":"working"}`, `{"wait":"session/cancel"}`, `{"result":{"stopReason":"`+c.reason+`"}}`)
		cmd, lines := started(t, append([]string{"run", "--json", "--prompt", "hi", "--prompt", "more"}, agent...)...)
		until(t, lines, "working")
		cmd.Process.Signal(syscall.SIGINT)
		until(t, lines, `"stopReason":"`+c.reason+`"`)
		until(t, lines, `"closed"`)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", c.reason, code, c.code, cmd.Stderr)
		}
		gone(t, pidFile)
	}
}

func TestTerminationTakesTheAgentAlong(t *testing.T) {
	agent, pidFile := family(t, onPrompt, `{"say":"working"}`, `{"wait":"acme/never"}`)
	cmd, lines := started(t, append([]string{"run", "--json", "--prompt", "hi"}, agent...)...)
	until(t, lines, "working")
	cmd.Process.Signal(syscall.SIGTERM)
	until(t, lines, `"turn_end"`)
	until(t, lines, `"message":"interrupted"`)
	until(t, lines, `"closed"`)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1: %s", code, cmd.Stderr)
	}
	gone(t, pidFile)
}

// When nobody reads what is printed any more, as behind head, the agent goes too.
func TestBrokenPipeTakesTheAgentAlong(t *testing.T) {
	agent, pidFile := family(t, onPrompt, `{"say":"${i}","repeat":1000000000}`)
	cmd := exec.Command(acptap, append([]string{"run", "--json", "--prompt", "hi"}, agent...)...)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	until(t, bufio.NewScanner(r), `"text":"10"`)
	r.Close()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "cannot be written") {
		t.Errorf("exit code %d, want 1; stderr %q", code, stderr)
	}
	gone(t, pidFile)
}

func TestTapIsTheAgentByteForByte(t *testing.T) {
	capture := filepath.Join(t.TempDir(), "c.jsonl")
	steps := []string{onPrompt, `{"raw":"odd  {\"a\" : 1}\r"}`, `{"hex":"ff00fe0a"}`, `{"say":"tail"}`, `{"notify":"acme/x","params":{"apiKey":"hunter2"}}`}
	said := strings.Join([]string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}`,
	}, "\n") + "\n"
	agent := script(t, steps...)
	direct := exec.Command(agent[1], agent[2:]...)
	direct.Stdin = strings.NewReader(said)
	want, err := direct.Output()
	if err != nil {
		t.Fatal(err)
	}
	r := runWith(t, said, append([]string{"tap", "--record", capture}, agent...)...)
	if r.stdout != string(want) || r.code != 0 || r.stderr != "" {
		t.Errorf("exit code %d, stderr %q, stdout\n%q\nwant\n%q", r.code, r.stderr, r.stdout, want)
	}
	if got := len(wire(t, capture, "out")); got != 3 {
		t.Errorf("%d messages of the client were recorded, want 3", got)
	}
	text, _ := os.ReadFile(capture)
	if strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), `"apiKey":"***"`) {
		t.Errorf("the capture is\n%s", text)
	}
	if r := run(t, "replay", "--json", capture); r.code != 0 {
		t.Errorf("the capture cannot be replayed: %s", r.stderr)
	} else {
		find(t, r.lines(t), line{"type": "noise"})
		find(t, r.lines(t), line{"type": "turn_end", "stopReason": "end_turn"})
	}
}

func TestTapEndsAsTheAgentEnds(t *testing.T) {
	for command, want := range map[string]int{"exit 7": 7, "kill -9 $$": 137, "true": 0} {
		r := run(t, "tap", "--", "sh", "-c", "echo on stderr >&2; "+command)
		if r.code != want || r.stderr != "on stderr\n" {
			t.Errorf("%s: exit code %d, want %d; stderr %q", command, r.code, want, r.stderr)
		}
	}
	if r := run(t, "tap", "--", filepath.Join(t.TempDir(), "missing")); r.code != 1 || !strings.Contains(r.stderr, "cannot be started") {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
}

func TestTapPassesSignalsOnAndLeavesNothing(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	sh := fmt.Sprintf(`trap 'echo caught; exit 9' TERM; sleep 1000 & echo $! > %s; echo ready; wait`, pidFile)
	cmd, lines := started(t, "tap", "--", "sh", "-c", sh)
	until(t, lines, "ready")
	cmd.Process.Signal(syscall.SIGTERM)
	until(t, lines, "caught")
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 9 {
		t.Errorf("exit code %d, want 9", code)
	}
	gone(t, pidFile)
}

func TestTapHandsOnTheEndOfItsOutput(t *testing.T) {
	cmd := exec.Command(acptap, "tap", "--", "sh", "-c", "trap '' TERM; while echo x; do :; done; exit 8")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	io.ReadFull(r, make([]byte, 10))
	r.Close()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 8 && code != 128+int(syscall.SIGPIPE) {
		t.Errorf("exit code %d, want the agent's, which could not write any more", code)
	}
}
