//go:build unix

package client

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// quick are steps for agents that are known not to go.
var quick = steps{eof: 50 * time.Millisecond, term: 200 * time.Millisecond, rest: 200 * time.Millisecond}

// patient are steps that nothing here needs.
var patient = steps{eof: 20 * time.Second, term: 20 * time.Second, rest: 200 * time.Millisecond}

// crewed starts a chain, makes the handshake and opens a session.
func crewed(t *testing.T, c *crew, host acp.Client, opts *Options, st steps) *Agent {
	t.Helper()
	a, err := start(t.Context(), c.cmd, host, opts, st)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	if _, err := a.Initialize(t.Context(), acp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.NewSession(t.Context(), acp.NewSessionRequest{Cwd: tempDir(t)}); err != nil {
		t.Fatal(err)
	}
	return a
}

func prompted(t *testing.T, a *Agent, text string) error {
	t.Helper()
	_, err := a.Prompt(context.Background(), acp.PromptRequest{SessionId: "s1", Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
	return err
}

// holding sends a prompt that is not answered, and returns when the agent has it.
func holding(t *testing.T, c *crew, st steps) (*Agent, <-chan error) {
	t.Helper()
	there := make(chan struct{})
	a := crewed(t, c, nil, &Options{OnUpdate: func(context.Context, Update) { close(there) }}, st)
	failed := make(chan error, 1)
	go func() { failed <- prompted(t, a, "hold") }()
	<-there
	return a, failed
}

// noGoroutines checks that none of the package's is left that looks after a
// process.
func noGoroutines(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	buf := make([]byte, 1<<20)
	for {
		stacks := string(buf[:runtime.Stack(buf, true)])
		left := ""
		for stack := range strings.SplitSeq(stacks, "\n\n") {
			for _, of := range []string{"client.(*agentProcess)", "client.(*child)", "client.(*pipe)", "client.launch", "client.startAgent", "client.start.", "client.(*Conn)", "wire.(*Writer)"} {
				if strings.Contains(stack, of) && !strings.Contains(stack, "testing.tRunner") {
					left = stack
				}
			}
		}
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("a goroutine is left:\n%s", left)
			return
		}
		runtime.Gosched()
	}
}

func TestCloseEndsWrapperAndAgent(t *testing.T) {
	for _, chain := range []string{"agent", "wrapper/agent", "wrapper/agent:stubborn", "wrapper:stubborn/agent:stubborn/child:stubborn"} {
		st := patient
		if strings.Contains(chain, "stubborn") {
			st = quick
		}
		c := crewOf(t, chain)
		a := crewed(t, c, nil, nil, st)
		c.wait(strings.Count(chain, "/") + 1)
		var closers sync.WaitGroup
		for range 3 {
			closers.Go(func() {
				if err := a.Close(); err != nil {
					t.Errorf("%s: %v", chain, err)
				}
				c.gone()
			})
		}
		closers.Wait()
		if exit := a.Exit(); exit == nil {
			t.Errorf("%s: nothing is known of its end", chain)
		} else if st == patient && exit.Code != 0 {
			t.Errorf("%s: it was not left to end by itself: %v", chain, exit)
		}
		if err := prompted(t, a, "hold"); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: a call after Close gave %v", chain, err)
		}
		<-a.Done()
	}
	noGoroutines(t)
}

func TestContextEndsTheAgent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := crewOf(t, "wrapper/agent:stubborn")
	a, err := start(ctx, c.cmd, nil, nil, quick)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Initialize(ctx, acp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	c.wait(2)
	cancel()
	<-a.Done()
	<-a.process.over
	c.gone()
	if _, err := Start(ctx, exec.Command("true"), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Start with a context that has ended: %v", err)
	}
	noGoroutines(t)
}

func TestClosingTheConnectionEndsTheAgent(t *testing.T) {
	c := crewOf(t, "wrapper/agent:stubborn")
	a := crewed(t, c, nil, nil, quick)
	c.wait(2)
	if err := a.Conn.Close(); err != nil {
		t.Error(err)
	}
	<-a.process.over
	c.gone()
}

func TestCloseInACallbackReturns(t *testing.T) {
	c := crewOf(t, "agent")
	closed := make(chan error, 1)
	var a *Agent
	a = crewed(t, c, nil, &Options{OnUpdate: func(context.Context, Update) { closed <- a.Close() }}, patient)
	c.wait(1)
	if err := prompted(t, a, "hold"); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	c.gone()
}

func TestLastWordsAreNotRefused(t *testing.T) {
	c := crewOf(t, "agent")
	a := crewed(t, c, nil, nil, patient)
	if err := prompted(t, a, "goodbye"); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if exit := a.Exit(); exit.Code != 0 {
		t.Errorf("the agent could not say goodbye: %v", exit)
	}
}

func TestHostsOwnGroupIsNotTheAgents(t *testing.T) {
	c := crewOf(t, "wrapper/agent")
	a := crewed(t, c, nil, nil, patient)
	c.wait(2)
	for name, pid := range c.pids {
		got, err := syscall.Getpgid(pid)
		if err != nil || got != c.pids["wrapper"] || got == syscall.Getpgrp() {
			t.Errorf("%s is in group %d of %v, the host in %d: %v", name, got, c.pids, syscall.Getpgrp(), err)
		}
	}
	_ = a.Close()
}

func TestTerminalsEndWithTheAgent(t *testing.T) {
	for _, end := range []func(*Agent, *crew){
		func(a *Agent, _ *crew) { _ = a.Close() },
		func(a *Agent, c *crew) {
			_ = syscall.Kill(c.pids["agent"], syscall.SIGKILL)
			<-a.Done()
		},
	} {
		c := crewOf(t, "agent")
		w := &Workspace{Terminal: true, Roots: []string{os.TempDir()}}
		host := &ending{Workspace: w, ended: make(chan struct{})}
		a := crewed(t, c, host, nil, patient)
		c.wait(1)
		resp, err := w.CreateTerminal(t.Context(), acp.CreateTerminalRequest{SessionId: "s1", Command: "sleep", Args: []string{"300"}})
		if err != nil {
			t.Fatal(err)
		}
		term, err := w.terminal("", resp.TerminalId)
		if err != nil {
			t.Fatal(err)
		}
		pid := term.tree.leader
		end(a, c)
		<-host.ended
		if left := group(pid); len(left) > 0 {
			t.Errorf("processes %v are left", left)
		}
	}
}

// ending is a workspace whose end can be waited for.
type ending struct {
	*Workspace
	once  sync.Once
	ended chan struct{}
}

func (e *ending) Disconnected() {
	e.Workspace.Disconnected()
	e.once.Do(func() { close(e.ended) })
}
