//go:build unix

package client

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestDeathFailsEveryCallWithItsReason(t *testing.T) {
	c := crewOf(t, "agent")
	asked, dropped := make(chan struct{}), make(chan struct{})
	host := &permissionHost{gone: make(chan struct{}, 2), ask: func(ctx context.Context) {
		close(asked)
		<-ctx.Done()
		close(dropped)
	}}
	var text atomic.Value
	opts := &Options{OnUpdate: func(_ context.Context, u Update) { text.Store(string(u.Raw)) }}
	a := crewed(t, c, host, opts, patient)
	c.wait(1)
	go func() {
		<-asked
		_, _ = a.CallExtension(context.Background(), "_acme/now", nil)
	}()
	err := prompted(t, a, "die")
	var exit *ExitError
	if !errors.As(err, &exit) || !errors.Is(err, ErrDisconnected) {
		t.Fatalf("%v", err)
	}
	if diff := cmp.Diff(ExitError{Command: c.cmd.Path, Code: -1, Signal: "SIGKILL", Stderr: "fatal: out of memory"}, *exit, cmp.AllowUnexported(ExitError{})); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"was ended by SIGKILL", "fatal: out of memory", c.cmd.Path} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if got, _ := text.Load().(string); !strings.Contains(got, "last words") {
		t.Errorf("what came before the death was not delivered: %q", got)
	}
	<-dropped
	if again := prompted(t, a, "hold"); !errors.As(again, &exit) {
		t.Errorf("a later call gave %v", again)
	}
	<-a.Done()
	<-a.process.over
	c.gone()
	<-host.gone // told without Close
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if exit := a.Exit(); exit == nil || exit.Signal != "SIGKILL" {
		t.Errorf("%+v", exit)
	}
	if len(host.gone) > 0 {
		t.Error("the host was told twice")
	}
	noGoroutines(t)
}

// A permissionHost asks a function and is told that there is no agent any more.
type permissionHost struct {
	Base
	ask  func(context.Context)
	gone chan struct{}
}

func (h *permissionHost) RequestPermission(ctx context.Context, _ acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	h.ask(ctx)
	return acp.RequestPermissionResponse{}, ctx.Err()
}

func (h *permissionHost) Disconnected() { h.gone <- struct{}{} }

func TestExitStatusIsInTheError(t *testing.T) {
	c := crewOf(t, "wrapper/agent")
	a := crewed(t, c, nil, nil, patient)
	c.wait(2)
	err := prompted(t, a, "exit 3")
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Code != 3 || !strings.Contains(err.Error(), "exited with status 3") {
		t.Errorf("%v", err)
	}
	<-a.process.over
	c.gone()
}

// TestNothingIsLeft: a wrapper starts the agent, the agent starts a child; each
// is killed in turn.
func TestNothingIsLeft(t *testing.T) {
	for _, victim := range []string{"wrapper", "agent", "child"} {
		c := crewOf(t, "wrapper/agent/child:stubborn")
		a, failed := holding(t, c, quick)
		c.wait(3)
		if err := syscall.Kill(c.pids[victim], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		want := ExitError{Command: c.cmd.Path, Code: -1, Signal: "SIGKILL"}
		switch victim {
		case "agent":
			want = ExitError{Command: c.cmd.Path, Code: 137}
		case "child": // the agent lives on
			if left := c.left(); left["wrapper"] == 0 || left["agent"] == 0 {
				t.Errorf("only %v are left when the child was killed", left)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
			c.gone()
			if err := <-failed; !errors.Is(err, ErrClosed) {
				t.Errorf("%v", err)
			}
			continue
		}
		var exit *ExitError
		if err := <-failed; !errors.As(err, &exit) {
			t.Fatalf("%s: %v", victim, err)
		}
		if diff := cmp.Diff(want, *exit, cmp.AllowUnexported(ExitError{})); diff != "" {
			t.Errorf("%s: %s", victim, diff)
		}
		<-a.process.over
		c.gone()
	}
	noGoroutines(t)
}

func TestAgentThatClosesItsOutputIsEnded(t *testing.T) {
	c := crewOf(t, "agent:stubborn")
	a := crewed(t, c, nil, nil, quick)
	c.wait(1)
	err := prompted(t, a, "shut")
	var exit *ExitError
	if !errors.As(err, &exit) || !strings.Contains(err.Error(), "closed its output without exiting") {
		t.Errorf("%v", err)
	}
	<-a.process.over
	c.gone()
}
