package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// After the agent's end what had arrived is told first, then Prompt fails with an
// error that says so, then Done is closed.
func TestEndOfTheAgent(t *testing.T) {
	var got notes
	begun, slow := make(chan struct{}), make(chan struct{})
	r := newRig(t, nil, &client.Options{
		Registry: acme(),
		OnUpdate: func(ctx context.Context, u client.Update) {
			if textOf(u) == "0" {
				close(begun)
			}
			<-slow
			if ctx.Err() != nil {
				t.Error("the context of a callback ended before the callbacks did")
			}
			got.noteUpdates(ctx, u)
		},
		OnEvent: func(_ context.Context, ev client.Event) {
			s, _ := ev.Payload.(dialect.Subagent)
			got.add("subagent %s", s.Change)
		},
	}).open()
	p := r.prompt(t.Context(), "s1")
	list := make(chan error, 1)
	go func() {
		_, err := r.conn.ListSessions(t.Context(), acp.ListSessionsRequest{})
		list <- err
	}()
	r.call("session/list", 1)
	r.write(request(`1`, "acme/task", `{"toolCallId":"t1","description":"waits for its call"}`))
	var want []string
	for i := range 100 {
		r.write(chunk("s1", fmt.Sprint(i)))
		want = append(want, fmt.Sprint(i))
	}
	within(t, "the first callback", begun)
	r.hangUp()
	// A call that is no prompt fails at once, for a callback may wait for it.
	if err := within(t, "session/list", list); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("session/list gave %v", err)
	}
	select {
	case <-p.done:
		t.Error("Prompt returned before the callbacks had run")
	case <-r.conn.Done():
		t.Error("Done is closed before the callbacks had run")
	default:
	}
	close(slow)
	if _, err := p.wait(); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("Prompt gave %v", err)
	}
	want = append(want, "subagent started", "subagent ended")
	if diff := cmp.Diff(want, got.all()); diff != "" {
		t.Error(diff)
	}
	within(t, "Done", r.conn.Done())
	if _, err := r.conn.Prompt(t.Context(), acp.PromptRequest{SessionId: "s1"}); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("a later Prompt gave %v", err)
	}
}

// A callback that waits for an answer when the agent goes away does not hold the
// end up.
func TestEndWhileACallbackWaitsForAnAnswer(t *testing.T) {
	for _, own := range []bool{false, true} {
		t.Run(fmt.Sprintf("with a context of its own: %t", own), func(t *testing.T) {
			var r *rig
			result := make(chan error, 2)
			r = newRig(t, nil, &client.Options{OnUpdate: func(ctx context.Context, _ client.Update) {
				if own {
					ctx = t.Context()
				}
				_, err := r.conn.Call(ctx, "session/list", nil)
				result <- err
			}}).open()
			p := r.prompt(t.Context(), "s1")
			r.write(chunk("s1", "x"), chunk("s1", "y"))
			r.call("session/list", 1)
			r.hangUp()
			for range 2 {
				if err := within(t, "the callback's call", result); !errors.Is(err, client.ErrDisconnected) {
					t.Errorf("the callback's call gave %v", err)
				}
			}
			if _, err := p.wait(); !errors.Is(err, client.ErrDisconnected) {
				t.Errorf("Prompt gave %v", err)
			}
			within(t, "Done", r.conn.Done())
		})
	}
}

// Close cancels every context, fails every call, drops what was not told and
// returns, though a callback and a handler are stuck. Done waits for those.
func TestClose(t *testing.T) {
	var got notes
	stuck := make(chan struct{})
	entered := make(chan struct{}, 2)
	hold := func(ctx context.Context) {
		entered <- struct{}{}
		<-ctx.Done()
		<-stuck
	}
	host := permissionHost{decide: func(ctx context.Context, _ acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		hold(ctx)
		return choose("allow-once")
	}}
	r := newRig(t, host, &client.Options{OnUpdate: func(ctx context.Context, u client.Update) {
		got.noteUpdates(ctx, u)
		hold(ctx)
	}}).open()
	p := r.prompt(t.Context(), "s1")
	answered := r.prompt(t.Context(), "s1") // its callbacks are what is stuck
	r.write(permission(`1`, "s2"), chunk("s1", "first"), chunk("s1", "dropped"))
	within(t, "the callback", entered)
	within(t, "the handler", entered)
	answered.end("end_turn")
	r.write(request(`2`, "acme/unknown", `{}`))
	r.answer(`2`)
	r.close()
	for _, p := range []*prompting{p, answered} {
		if _, err := p.wait(); !errors.Is(err, client.ErrClosed) {
			t.Errorf("Prompt gave %v", err)
		}
	}
	if a := r.answer(`1`); !contains(a.Line, "cancelled") {
		t.Errorf("the permission request got %s", a.Line)
	}
	if err := r.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: "s1"}); !errors.Is(err, client.ErrClosed) {
		t.Errorf("a later call gave %v", err)
	}
	select {
	case <-r.conn.Done():
		t.Error("Done is closed while a callback runs")
	default:
	}
	close(stuck)
	within(t, "Done", r.conn.Done())
	if diff := cmp.Diff([]string{"first"}, got.all()); diff != "" {
		t.Error(diff)
	}
}

// Close may be called from anywhere, and by many.
func TestCloseFromEverywhere(t *testing.T) {
	var r *rig
	closed := make(chan struct{}, 100)
	shut := func() {
		r.close()
		closed <- struct{}{}
	}
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		shut()
		return choose("allow-once")
	}}
	for _, from := range []string{"OnUpdate", "OnStray", "a handler", "Tap"} {
		t.Run(from, func(t *testing.T) {
			opts := &client.Options{}
			line := chunk("s1", "x")
			switch from {
			case "OnUpdate":
				opts.OnUpdate = func(context.Context, client.Update) { shut() }
			case "OnStray":
				opts.OnStray = func(client.Stray) { shut() }
				line = "noise"
			case "a handler":
				line = permission(`1`, "s1")
			case "Tap":
				opts.Tap = func(_ string, line []byte) {
					if slices.Contains([]string{"noise"}, string(line)) {
						shut()
					}
				}
				line = "noise"
			}
			r = newRig(t, host, opts).open()
			r.write(line)
			within(t, "Close", closed)
			within(t, "Done", r.conn.Done())
			r.close()
		})
	}
}

// Streams that cannot be closed do not keep Close or a call from returning.
func TestCloseWithStreamsThatCannotBe(t *testing.T) {
	fromAgent, out := io.Pipe()
	in, toAgent := io.Pipe()
	conn := client.Connect(nil, struct{ io.Writer }{toAgent}, struct{ io.Reader }{fromAgent}, nil)
	errs := make(chan error, 2)
	go func() { errs <- conn.NotifyExtension(t.Context(), "_acme/x", nil) }()
	go func() { errs <- second(conn.Call(t.Context(), "session/list", nil)) }()
	one := make([]byte, 1)
	if _, err := in.Read(one); err != nil { // one of them is being written
		t.Fatal(err)
	}
	conn.Close()
	for range 2 {
		if err := within(t, "a call", errs); !errors.Is(err, client.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	in.Close()
	out.Close()
	within(t, "Done", conn.Done())
}
