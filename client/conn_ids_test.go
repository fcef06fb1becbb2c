package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
)

// IDS-01: a frame with a method is never an answer, whatever its id is.
func TestIDS01TheirIdsAreNotOurs(t *testing.T) {
	var got notes
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		return choose("allow-once")
	}}
	r := newRig(t, host, &client.Options{Registry: acme(), OnUpdate: got.noteUpdates}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(permission(p.id, "s1"), request(p.id, "acme/task", `{"toolCallId":"t1","prompt":"p"}`), chunk("s1", "still running"))
	got.await(t, "still running")
	select {
	case <-p.done:
		t.Errorf("a request ended the prompt: %+v, %v", p.resp, p.err)
	default:
	}
	r.await("two answers", func(f seen) bool { return f.Method == "" && string(f.Result) == "{}" })
	r.await("two answers", func(f seen) bool { return f.Method == "" && contains(f.Line, "allow-once") })
	p.ends("end_turn")
}

// IDS-02, and every other id: tokens come back byte for byte.
func TestIDS02IdsAreTokens(t *testing.T) {
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		return choose("allow-once")
	}}
	r := newRig(t, host, nil).open()
	ids := []string{`"6f1d2c3e-0000-4000-8000-000000000001"`, `"str-7"`, `0`, `-1`, `1.50`, `1e3`, `""`, `null`, `"a\u0062\n"`,
		`123456789012345678901234567890`, `"` + strings.Repeat("x", 5000) + `"`, `"\ud83d\ude00"`, `true`}
	for _, id := range ids {
		r.write(permission(id, "s1"))
		if got := r.answer(id); !contains(got.Line, `"id":`+id+`,`) || !contains(got.Line, "allow-once") {
			t.Errorf("%s was answered with %s", id, got.Line)
		}
	}
	for _, id := range ids {
		r.write(request(id, "acme/unknown", `{}`))
	}
}

// IDS-05: an answer that comes after its caller gave up is nobody else's.
func TestIDS05LateAnswers(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates}).open()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	first := r.prompt(ctx, "s1")
	if _, err := first.wait(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the first prompt gave %v", err)
	}
	if p := string(r.call("session/cancel", 1).Params); p != `{"sessionId":"s1"}` {
		t.Errorf("cancelled with %s", p)
	}
	second := r.prompt(t.Context(), "s1")
	first.end("cancelled")
	r.write(chunk("s1", "answer two"))
	second.ends("end_turn")
	if diff := cmp.Diff([]string{"answer two"}, got.all()); diff != "" {
		t.Error(diff)
	}
	if first.id == second.id {
		t.Error("an id was used twice")
	}
}

// Two requests in flight with one id are two requests, and $/cancel_request ends
// both.
func TestSameIdTwiceInFlight(t *testing.T) {
	entered := make(chan struct{}, 2)
	host := permissionHost{decide: func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return choose("allow-once")
	}}
	r := newRig(t, host, nil).open()
	r.write(permission(`5`, "s1"), permission(`5`, "s1"))
	within(t, "the first handler", entered)
	within(t, "the second handler", entered)
	r.write(notification("$/cancel_request", `{"requestId":5}`))
	cancelled := 0
	r.await("two answers", func(f seen) bool {
		if string(f.Result) == `{"outcome":{"outcome":"cancelled"}}` {
			cancelled++
		}
		return cancelled == 2
	})
}

// An answer needs the version, an open id, and a result or an error. Nothing else
// resolves a call.
func TestWhatIsNoAnswer(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnStray: got.noteStrays})
	done := make(chan string)
	go func() {
		raw, err := r.conn.Call(t.Context(), "session/list", nil)
		done <- fmt.Sprint(string(raw), err)
	}()
	id := string(r.call("session/list", 1).ID)
	for _, form := range []string{
		`{"id":%s,"result":{"n":1}}`, `{"jsonrpc":"1.0","id":%s,"result":{"n":2}}`, `{"jsonrpc":"2.0","id":%s}`,
		`{"jsonrpc":"2.0","id":"%s","result":{"n":3}}`, `{"jsonrpc":"2.0","id":%s.0,"result":{"n":4}}`,
		`{"jsonrpc":"2.0","method":null,"id":%s,"result":{"n":5}}`, `{"jsonrpc":"2.0","id":[%s],"result":{"n":6}}`,
		`{"jsonrpc":"2.0","id":%s,"result":{"n":7}`, `{"jsonrpc":"2.0","id":%s,"method":"acme/x","result":{"n":8}}`,
		`{"jsonrpc":"2.0","id":7%s,"result":{"n":9}}`, `{"jsonrpc":"2.0","id":null,"result":{"n":10},"x":%s}`,
		`{"jsonrpc":"2.0","error":{"code":-32601,"message":"no id"},"x":%s}`,
	} {
		r.count(fmt.Sprintf(form, id))
		r.raw(fmt.Sprintf(form, id) + "\n")
	}
	r.mu.Lock()
	delete(r.asked, id) // the one with a method is asked below
	r.mu.Unlock()
	r.count(request(id, "acme/x", "{}"))
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"n":0}}`, id))
	if got := within(t, "the call", done); got != `{"n":0}<nil>` {
		t.Errorf("the call gave %s", got)
	}
}

// A program that sends back what it reads is no agent: the call fails at once,
// and what came back is answered like every request.
func TestEchoedCall(t *testing.T) {
	r := newRig(t, nil, nil)
	done := make(chan error)
	go func() {
		_, err := r.conn.Call(t.Context(), "session/list", map[string]any{"cwd": "/w"})
		done <- err
	}()
	id := string(r.call("session/list", 1).ID)
	r.write(request(id, "session/list", `{"cwd":"/elsewhere"}`)) // not what was sent
	r.await("an answer", func(f seen) bool { return f.Method == "" && contains(f.Line, "-32601") })
	select {
	case err := <-done:
		t.Errorf("a request with the call's id ended it: %v", err)
	default:
	}
	r.write(request(id, "session/list", `{"cwd":"/w"}`))
	if err := within(t, "the call", done); !errors.Is(err, client.ErrEcho) {
		t.Errorf("the call gave %v", err)
	}
}

// A null result is a result.
func TestNullResult(t *testing.T) {
	r := newRig(t, nil, nil)
	r.auto["session/list"] = `null`
	if raw, err := r.conn.Call(t.Context(), "session/list", nil); err != nil || string(raw) != "null" {
		t.Errorf("got %s, %v", raw, err)
	}
	if _, err := r.conn.ListSessions(t.Context(), acp.ListSessionsRequest{}); err != nil {
		t.Error(err)
	}
}

// What sends our own frames back (a program that is no agent) fails the call and
// starts no loop.
func TestOwnFramesComingBack(t *testing.T) {
	var got notes
	r := unreadRig(t, nil, &client.Options{OnStray: got.noteStrays})
	r.deaf = true
	go io.Copy(r.out, r.in)
	if _, err := r.conn.Initialize(t.Context(), acp.InitializeRequest{}); !errors.Is(err, client.ErrEcho) {
		t.Errorf("Initialize gave %v", err)
	}
	got.await(t, "stray initialize: nobody registered this method")
	got.await(t, "stray : an answer nobody waits for") // ours to what came back
	if err := r.conn.NotifyExtension(t.Context(), "_acme/x", nil); err != nil {
		t.Error(err)
	}
	got.await(t, "stray _acme/x: nobody registered this method")
	if n := len(got.all()); n != 3 {
		t.Errorf("%d strays: %q", n, got.all())
	}
}
