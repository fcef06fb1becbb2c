package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// $/cancel_request of the agent ends its request at once, and the handler's
// context with it.
func TestAgentCancelsItsRequest(t *testing.T) {
	ended := make(chan string, 3)
	entered := make(chan struct{}, 3)
	wait := func(ctx context.Context, what string) {
		entered <- struct{}{}
		<-ctx.Done()
		ended <- what
	}
	host := waitingHost{wait: wait}
	r := newRig(t, host, &client.Options{Registry: acme(), OnAsk: func(ctx context.Context, a *client.Ask) error {
		wait(ctx, "ask")
		if err := a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted}); err != client.ErrSettled {
			t.Errorf("an answer to a cancelled ask gave %v", err)
		}
		return nil
	}}).open()
	r.write(permission(`1`, "s1"), request(`"two"`, "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`), request(`3`, "acme/ask", `{"sessionId":"s1"}`))
	for range 3 {
		within(t, "a handler", entered)
	}
	for _, id := range []string{`1`, `"two"`, `3`, `99`, `null`} {
		r.write(notification("$/cancel_request", `{"requestId":`+id+`}`))
	}
	for range 3 {
		within(t, "a handler's context to end", ended)
	}
	for id, want := range map[string]string{`1`: `"cancelled"`, `"two"`: `-32800`, `3`: `"cancelled"`} {
		if a := r.answer(id); !strings.Contains(a.Line, want) {
			t.Errorf("%s got %s", id, a.Line)
		}
	}
}

// waitingHost waits in its handlers.
type waitingHost struct {
	client.Base
	wait func(context.Context, string)
}

func (h waitingHost) RequestPermission(ctx context.Context, _ acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	h.wait(ctx, "permission")
	return choose("allow-once")
}

func (h waitingHost) ReadTextFile(ctx context.Context, _ acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	h.wait(ctx, "file")
	return acp.ReadTextFileResponse{}, ctx.Err()
}

// A call that is given up is told to the agent, and its late answer is dropped;
// one that was not written yet never is.
func TestClientCancelsItsCall(t *testing.T) {
	r := newRig(t, nil, nil).open()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- second(r.conn.Call(ctx, "session/list", nil)) }()
	id := string(r.call("session/list", 1).ID)
	cancel()
	if err := within(t, "the call", done); !errors.Is(err, context.Canceled) {
		t.Errorf("the call gave %v", err)
	}
	if got := string(r.call("$/cancel_request", 1).Params); got != `{"requestId":`+id+`}` {
		t.Errorf("cancelled with %s", got)
	}
	r.write(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
	if err := second(r.conn.Call(ctx, "session/list", nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a call with a context that is over gave %v", err)
	}

	r = unreadRig(t, nil, nil)
	blocked := make(chan error, 1)
	go func() {
		blocked <- r.conn.NotifyExtension(t.Context(), "_acme/x", strings.Repeat("x", 1<<20))
	}()
	one := make([]byte, 1)
	if _, err := r.in.Read(one); err != nil || one[0] != '{' {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	for _, method := range []string{"session/list", "session/prompt"} {
		go func() { done <- second(r.conn.Call(ctx, method, map[string]string{"sessionId": "s1"})) }()
	}
	cancel()
	for range 2 {
		if err := within(t, "a call that was not written", done); !errors.Is(err, context.Canceled) {
			t.Errorf("it gave %v", err)
		}
	}
	rest := make([]byte, 1<<20) // of the frame that was being written
	for n := 0; !strings.Contains(string(rest[:n]), "\n"); {
		n, _ = r.in.Read(rest)
	}
	if err := within(t, "the notification", blocked); err != nil {
		t.Error(err)
	}
	go r.listen()
	r.write(request(`1`, "acme/unknown", `{}`))
	r.answer(`1`)
	if got := r.transcript(); strings.Contains(got, "session/") || strings.Contains(got, "$/") {
		t.Errorf("written: %s", got)
	}
}
