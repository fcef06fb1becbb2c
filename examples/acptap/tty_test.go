//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A person sits at a terminal that acptap runs in.
type person struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	more sync.Cond
	seen bytes.Buffer
	read int // up to here it was waited for
	over bool
}

func sit(t *testing.T, env string, args ...string) *person {
	t.Helper()
	p := &person{t: t, cmd: exec.Command(acptap, args...)}
	p.more.L = &p.mu
	// What says of colour where the tests run must not decide what is tested.
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "CI=", "NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE=", env)
	var err error
	if p.tty, err = pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop(); p.cmd.Process.Kill(); p.tty.Close() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := p.tty.Read(buf)
			p.mu.Lock()
			p.seen.Write(buf[:n])
			p.over = err != nil
			p.more.Broadcast()
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}

// sees waits until something is shown after what it waited for before.
func (p *person) sees(text string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if at := strings.Index(p.seen.String()[p.read:], text); at >= 0 {
			p.read += at + len(text)
			return
		}
		if p.over {
			p.t.Fatalf("%q was not shown after\n%s\nbut\n%s", text, p.seen.String()[:p.read], p.seen.String()[p.read:])
		}
		p.more.Wait()
	}
}

func (p *person) types(text string) { io.WriteString(p.tty, text) }

// ends waits for the program's end and gives all that was shown.
func (p *person) ends(code int) string {
	p.t.Helper()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.over {
		p.more.Wait()
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, want %d, after\n%s", got, code, p.seen.String())
	}
	return p.seen.String()
}

const endOfInput = "\x04"

func TestPersonTakesTheTour(t *testing.T) {
	p := sit(t, "NO_COLOR=1", "run", "--", scripted)
	p.sees("cursor-tour 2026.09")
	p.sees("› ")
	p.types("hi\r")
	p.sees("Welcome to the tour.")
	p.sees("Which database?")
	p.sees("2 SQLite")
	p.sees("› ")
	p.types("5\r")
	p.sees("a number from 1 to 2")
	p.types("2\r")
	p.sees("accepted · database: sqlite")
	p.sees("picked: sqlite.")
	p.sees("│ # Add a cache")
	p.sees("1 accepted")
	p.sees("› ")
	p.types("1\r")
	p.sees("The plan was accepted.")
	p.sees("subagents")
	p.sees("Count files completed in 4.21s")
	p.sees("composer-2.5-fast")
	p.sees("Count the *.go files and say how many there are.")
	p.sees("end_turn")
	p.sees("The plan is accepted")
	p.types("n\r")
	p.sees("› ")
	p.types(endOfInput)
	p.sees("exit code 0")
	p.ends(0)
}

func TestPlanIsFollowedUpInAnotherMode(t *testing.T) {
	agent := script(t,
		`{"on":"session/new"}`, `{"result":{"sessionId":"s1","modes":{"currentModeId":"plan","availableModes":[{"id":"plan","name":"Plan"},{"id":"agent","name":"Agent"}]}}}`,
		onPrompt, plan,
		`{"on":"session/set_mode"}`, `{"result":{}}`,
		onPrompt, `{"say":"in ${params:session/set_mode.modeId}: ${params.prompt.0.text}"}`)
	p := sit(t, "NO_COLOR=1", append([]string{"run", "--prompt", "hi"}, agent...)...)
	p.sees("1 accepted")
	p.types("1\r")
	p.sees("2 Agent")
	p.sees("› ")
	p.types("2\r")
	p.sees("Carry out the plan.")
	p.types("\r")
	p.sees("in agent: Carry out the plan.")
	p.ends(0)
}

func TestPersonDecidesOnPermissions(t *testing.T) {
	const options = `[{"optionId":"o1","name":"Once","kind":"allow_once"},{"optionId":"o2","name":"For ever","kind":"allow_persistent"},{"optionId":"o3","name":"No","kind":"reject_once"}]`
	agent := script(t, onPrompt, permission(options), `{"say":"<${result.outcome.optionId}>"}`, permission(options), `{"say":"<${result.outcome.optionId}>"}`)
	p := sit(t, "NO_COLOR=1", append([]string{"run", "--prompt", "hi"}, agent...)...)
	p.sees("2 For ever")
	p.sees("› ")
	p.types("2\r")
	p.sees("<o2>")
	p.sees("3 No")
	p.sees("› ")
	p.types("\r")
	p.sees("<o3>")
	p.ends(0)
}

// What nobody answers in time is declined, and nobody is asked any longer.
func TestAskTimeoutDeclines(t *testing.T) {
	p := sit(t, "NO_COLOR=1", append([]string{"run", "--prompt", "hi", "--ask-timeout", "200ms"}, script(t, onPrompt, plan, `{"say":"${result.outcome.outcome}"}`)...)...)
	p.sees("1 accepted")
	p.sees("declined (deadline)")
	p.sees("cancelled")
	p.ends(0)
}

func TestCtrlCCancelsTheTurnThenEndsTheRun(t *testing.T) {
	p := sit(t, "NO_COLOR=1", append([]string{"run"}, script(t, onPrompt, `{"say":"working"}`, `{"wait":"session/cancel"}`, `{"result":{"stopReason":"cancelled"}}`)...)...)
	p.sees("› ")
	p.types("hi\r")
	p.sees("working")
	p.types("\x03")
	p.sees("cancelled")
	p.sees("› ")
	p.types("\x03")
	p.sees("interrupted")
	p.ends(1)
}

func TestColourIsForTerminalsWithoutNoColor(t *testing.T) {
	args := append([]string{"run", "--prompt", "hi"}, script(t, onPrompt)...)
	if shown := sit(t, "CI=", args...).ends(0); !strings.Contains(shown, "\x1b[1m") {
		t.Errorf("there is no colour in %q", shown)
	}
	if shown := sit(t, "NO_COLOR=1", args...).ends(0); strings.Contains(shown, "\x1b[1m") {
		t.Errorf("there is colour in %q", shown)
	}
}

func TestAgentCannotDriveTheTerminal(t *testing.T) {
	p := sit(t, "NO_COLOR=1", append([]string{"run", "--prompt", "hi"}, script(t, onPrompt, `{"say":"a\u001b]0;pwned\u0007b\u009bc\r\u202ed"}`)...)...)
	shown := p.ends(0)
	if strings.Contains(shown, "\x1b]") || strings.ContainsAny(shown, "\a\u009b\u202e") || !strings.Contains(shown, "a␛]0;pwned␇b\uFFFDc␍\uFFFDd") {
		t.Errorf("shown is %q", shown)
	}
}

// With --json a person is asked on stderr, and stdout has lines only.
func TestJSONOnATerminal(t *testing.T) {
	p := sit(t, "NO_COLOR=1", append([]string{"run", "--json", "--prompt", "hi"}, script(t, onPrompt, plan)...)...)
	p.sees("1 accepted")
	p.types("1\r")
	p.sees(`"answer":{"outcome":"accepted"}`)
	p.sees("The plan is accepted")
	p.types("n\r")
	p.ends(0)
}

func TestNotATerminal(t *testing.T) {
	var stdout bytes.Buffer
	cmd := exec.Command(acptap, append([]string{"run", "--prompt", "hi"}, script(t, onPrompt, `{"say":"hello"}`)...)...)
	cmd.Stdout = &stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if text := stdout.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "› hi\n\nhello\n\n· end_turn\n") {
		t.Errorf("stdout is %q", text)
	}
}
