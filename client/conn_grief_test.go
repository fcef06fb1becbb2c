package client_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/hashicorp/go-hclog"

	"github.com/acpdialects/acpdialects/client"
)

// A grief is code of the host's or of a dialect's that comes to grief, once.
type grief struct {
	how  string
	once sync.Once
}

func (g *grief) strike() {
	g.once.Do(func() { trip(g.how) })
}

// griefHost strikes in the protocol's own methods.
type griefHost struct {
	client.Base
	update, permit, read func()
}

func (h griefHost) SessionUpdate(context.Context, acp.SessionNotification) error {
	h.update()
	return nil
}

func (h griefHost) RequestPermission(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	h.permit()
	return choose("allow-once")
}

func (h griefHost) ReadTextFile(context.Context, acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	h.read()
	return acp.ReadTextFileResponse{Content: "text"}, nil
}

// HND-01, law 8: whatever comes to grief, by a panic or by runtime.Goexit, ends
// nothing but itself. Every request is answered once (the rig counts), the
// grief is logged, and everything after it comes.
func TestHND01Grief(t *testing.T) {
	nothing := func() {}
	places := map[string]func(*client.Options, *griefHost, *grief){
		"OnUpdate": func(o *client.Options, _ *griefHost, g *grief) {
			o.OnUpdate = func(context.Context, client.Update) { g.strike() }
		},
		"OnEvent": func(o *client.Options, _ *griefHost, g *grief) {
			o.OnEvent = func(context.Context, client.Event) { g.strike() }
		},
		"OnSettled": func(o *client.Options, _ *griefHost, g *grief) {
			o.OnSettled = func(context.Context, client.Settled) { g.strike() }
		},
		"OnTurn": func(o *client.Options, _ *griefHost, g *grief) {
			o.OnTurn = func(context.Context, client.Turn) { g.strike() }
		},
		"OnStray": func(o *client.Options, _ *griefHost, g *grief) { o.OnStray = func(client.Stray) { g.strike() } },
		"OnAsk": func(o *client.Options, _ *griefHost, g *grief) {
			o.OnAsk = func(context.Context, *client.Ask) error { g.strike(); return nil }
		},
		"Tap in": func(o *client.Options, _ *griefHost, g *grief) {
			o.Tap = func(dir string, line []byte) {
				if dir == "in" && strings.Contains(string(line), "acme/unknown") {
					g.strike()
				}
			}
		},
		"Tap out": func(o *client.Options, _ *griefHost, g *grief) {
			o.Tap = func(dir string, _ []byte) {
				if dir == "out" {
					g.strike()
				}
			}
		},
		"SessionUpdate":     func(_ *client.Options, h *griefHost, g *grief) { h.update = g.strike },
		"RequestPermission": func(_ *client.Options, h *griefHost, g *grief) { h.permit = g.strike },
		"ReadTextFile":      func(_ *client.Options, h *griefHost, g *grief) { h.read = g.strike },
		"hooks":             func(*client.Options, *griefHost, *grief) {},
	}
	for place, arrange := range places {
		for _, how := range []string{"panic", "exit"} {
			t.Run(place+" "+how, func(t *testing.T) {
				var log, got notes
				opts := &client.Options{Registry: acme(), Logger: log.logTo()}
				host := &griefHost{update: nothing, permit: nothing, read: nothing}
				arrange(opts, host, &grief{how: how})
				told := opts.OnUpdate
				opts.OnUpdate = func(ctx context.Context, u client.Update) {
					got.noteUpdates(ctx, u)
					if told != nil {
						told(ctx, u)
					}
				}
				r := newRig(t, host, opts).open()
				p := r.prompt(t.Context(), "s1")
				trap := ""
				if place == "hooks" {
					trap = how
				}
				r.write(
					update("s1", fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"t1","title":"x","acmeHook":%q}`, trap)),
					request(`1`, "acme/unknown", `{}`),
					request(`2`, "acme/task", fmt.Sprintf(`{"toolCallId":"t1","description":%q}`, trap)),
					request(`3`, "acme/ask", fmt.Sprintf(`{"sessionId":"s1","text":%q}`, trap)),
					request(`4`, "acme/ask", fmt.Sprintf(`{"sessionId":"s1","text":%q}`, map[bool]string{true: "the decline panics"}[trap != ""])),
					permission(`5`, "s1"),
					request(`6`, "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`),
					notification("acme/other", `{}`),
					chunk("s1", "fine"),
				)
				for id := range 6 {
					r.answer(fmt.Sprint(id + 1))
				}
				p.ends("end_turn")
				if list := got.all(); !slices.Equal(list, []string{"tool_call", "fine"}) {
					t.Errorf("told: %q", list)
				}
				if e := r.answer(`1`).Error; e == nil || e.Code != -32601 {
					t.Errorf("the unknown method got %+v", e)
				}
				if place == "ReadTextFile" {
					if e := r.answer(`6`).Error; e == nil || e.Code != -32603 || strings.Contains(e.Message, "hook") {
						t.Errorf("the handler's request got %+v", e)
					}
				}
				if place == "RequestPermission" && !strings.Contains(r.answer(`5`).Line, "cancelled") {
					t.Errorf("the permission request got %s", r.answer(`5`).Line)
				}
				if !log.holds("goroutine") { // a stack, or what ended
					t.Errorf("the grief was not logged: %q", log.all())
				}
			})
		}
	}
}

// HND-03: while a handler waits for a person, everything else goes on.
func TestHND03AHandlerThatWaits(t *testing.T) {
	var got notes
	entered, answer := make(chan struct{}), make(chan struct{})
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		close(entered)
		<-answer
		return choose("allow-once")
	}}
	r := newRig(t, host, &client.Options{OnUpdate: got.noteUpdates}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(permission(`1`, "s1"))
	within(t, "the handler", entered)
	r.write(chunk("s1", "meanwhile"), request(`2`, "acme/unknown", `{}`), chunk("s2", "other session"))
	got.await(t, "meanwhile")
	got.await(t, "s2: other session")
	r.answer(`2`)
	if _, err := r.conn.SetSessionMode(t.Context(), acp.SetSessionModeRequest{SessionId: "s1"}); err != nil {
		t.Error(err)
	}
	close(answer)
	if a := r.answer(`1`); !strings.Contains(a.Line, "allow-once") {
		t.Errorf("answered with %s", a.Line)
	}
	p.ends("end_turn")
}

// Prompt does not wait for handlers: their contexts end with the turn, and asks
// and permission requests with their decline.
func TestPromptDoesNotWaitForHandlers(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	entered, ended := make(chan struct{}), make(chan struct{})
	host := permissionHost{decide: func(ctx context.Context, _ acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		close(entered)
		<-ctx.Done()
		close(ended)
		<-stuck
		return choose("allow-once")
	}}
	r := newRig(t, host, nil).open()
	p := r.prompt(t.Context(), "s1")
	r.write(permission(`1`, "s1"))
	within(t, "the handler", entered)
	p.ends("end_turn")
	within(t, "the handler's context to end", ended)
	if a := r.answer(`1`); !strings.Contains(a.Line, "cancelled") {
		t.Errorf("answered with %s", a.Line)
	}
}

// Prompt with the context of a callback is refused; with another connection's it
// is not.
func TestErrNested(t *testing.T) {
	other := newRig(t, nil, nil).open()
	var r *rig
	errs := make(chan error, 2)
	r = newRig(t, nil, &client.Options{OnUpdate: func(ctx context.Context, _ client.Update) {
		_, err := r.conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1"})
		errs <- err
		_, err = other.conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1"})
		errs <- err
	}}).open()
	other.auto["session/prompt"] = `{"stopReason":"end_turn"}`
	r.write(chunk("s1", "x"))
	if err := within(t, "the first", errs); err != client.ErrNested {
		t.Errorf("got %v", err)
	}
	if err := within(t, "the second", errs); err != nil {
		t.Error(err)
	}
}

// What the host's logger writes to may call the connection: nothing is logged under
// the lock.
func TestLoggerMayCallTheConnection(t *testing.T) {
	var logged notes
	var conn atomic.Pointer[client.Conn]
	logger := hclog.New(&hclog.LoggerOptions{Level: hclog.Trace, Output: lineWriter(func(line string) {
		if c := conn.Load(); c != nil {
			c.Subagents("s1")
		}
		logged.add("%s", line)
	})})
	r := newRig(t, client.Base{}, &client.Options{Logger: logger, Registry: acme(), OnEvent: func(context.Context, client.Event) {}}).open()
	conn.Store(r.conn)
	r.write(
		request(`1`, "acme/task", `{"sessionId":"s1","toolCallId":"t","prompt":7}`), // soft
		request(`2`, "acme/ask", `{"sessionId":"s1"}`),                              // declined
		request(`3`, "acme/ask", `[]`),
		permission(`4`, "s1"),
		notification("acme/unknown", `{}`),
	)
	for _, id := range []string{`1`, `2`, `3`, `4`} {
		r.answer(id)
	}
	r.over = true
	r.conn.Close()
	within(t, "Done", r.conn.Done())
	for _, part := range []string{"was not understood", "declined", "not for anybody"} {
		if !logged.holds(part) {
			t.Errorf("%q was never logged", part)
		}
	}
}

// Law 8: a request whose turn is over before its handler could begin is answered.
func TestRequestOfATurnThatIsOver(t *testing.T) {
	entered, block := make(chan struct{}), make(chan struct{})
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: func(context.Context, client.Update) {
		close(entered)
		<-block
	}}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(chunk("s1", "x"), request(`7`, "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`))
	within(t, "the callback", entered)
	p.end("end_turn")
	r.write(request(`9`, "acme/unknown", `{}`))
	r.answer(`9`) // the end has been taken in
	close(block)
	if got := r.answer(`7`); !contains(got.Line, "-32800") {
		t.Errorf("answered with %s", got.Line)
	}
	if _, err := p.wait(); err != nil {
		t.Error(err)
	}
}
