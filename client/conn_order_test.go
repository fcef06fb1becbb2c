package client_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// ORD-01: the callbacks of a session come in wire order, whatever the scheduler
// does, and all of them before Prompt returns.
func TestORD01OrderOfASession(t *testing.T) {
	for _, procs := range []int{1, 16} {
		t.Run(fmt.Sprint("GOMAXPROCS ", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			var mu sync.Mutex
			got := map[string][]string{}
			r := newRig(t, nil, &client.Options{OnUpdate: func(_ context.Context, u client.Update) {
				if rand.IntN(50) == 0 {
					time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
				}
				mu.Lock()
				defer mu.Unlock()
				got[u.SessionID] = append(got[u.SessionID], textOf(u))
			}}).open()
			p := r.prompt(t.Context(), "s1")
			want := map[string][]string{}
			var lines []string
			send := func(session, text string) {
				want[session] = append(want[session], text)
				lines = append(lines, chunk(session, text))
			}
			for i := range 2000 {
				send("s1", fmt.Sprint(i))
			}
			for i := range 500 {
				send(fmt.Sprintf("s%d", i%4), fmt.Sprint("m", i))
			}
			r.write(lines...)
			p.ends("end_turn")
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(want["s1"], got["s1"]); diff != "" {
				t.Error("s1 when Prompt returns:", diff)
			}
			for session, texts := range got {
				if !slices.Equal(texts, want[session][:len(texts)]) {
					t.Errorf("%s is out of order", session)
				}
			}
		})
	}
}

// ORD-03: updates for a session that is not known yet come at once, in order.
func TestORD03UpdatesBeforeTheSessionIsKnown(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates})
	delete(r.auto, "session/new")
	done := make(chan error)
	go func() {
		sess, err := r.conn.NewSession(t.Context(), acp.NewSessionRequest{})
		got.add("opened %s", sess.SessionId)
		done <- err
	}()
	id := r.call("session/new", 1).ID
	r.write(update("s-new", `{"sessionUpdate":"available_commands_update","availableCommands":[]}`), update("s-new", `{"sessionUpdate":"usage_update","used":1,"size":2}`))
	got.await(t, "s-new: usage_update")
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s-new"}}`, id), update("s-new", `{"sessionUpdate":"plan","entries":[]}`))
	if err := within(t, "NewSession", done); err != nil {
		t.Error(err)
	}
	got.await(t, "s-new: plan")
	list := slices.DeleteFunc(got.all(), func(s string) bool { return strings.HasPrefix(s, "opened") })
	if diff := cmp.Diff([]string{"s-new: available_commands_update", "s-new: usage_update", "s-new: plan"}, list); diff != "" {
		t.Error(diff)
	}
}

// ORD-05: a burst into a slow host loses nothing, and the load succeeds.
func TestORD05BurstIntoASlowHost(t *testing.T) {
	const count = 20_000
	slow := make(chan struct{})
	next := 0
	done := make(chan struct{})
	r := newRig(t, nil, &client.Options{MaxBacklog: 1 << 20, OnUpdate: func(_ context.Context, u client.Update) {
		<-slow
		if got := textOf(u); got != fmt.Sprint(next) || !u.History {
			t.Errorf("update %d is %q, history %t", next, got, u.History)
		}
		if next++; next == count {
			close(done)
		}
	}})
	loaded := make(chan error, 1)
	go func() {
		_, err := r.conn.LoadSession(t.Context(), acp.LoadSessionRequest{SessionId: "s1"})
		loaded <- err
	}()
	id := r.call("session/load", 1).ID
	go func() {
		for i := range count {
			r.write(chunk("s1", fmt.Sprint(i)))
		}
		r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id))
	}()
	for range 1000 {
		slow <- struct{}{}
	}
	close(slow)
	if err := within(t, "LoadSession", loaded); err != nil {
		t.Error(err)
	}
	within(t, "the last update", done)
}

// ORD-06: a request's handler starts when everything before it on the wire has
// been told, and requests do not block each other.
func TestORD06RequestsDoNotOvertake(t *testing.T) {
	var r *rig
	seen := 0
	both := make(chan struct{}, 2)
	host := permissionHost{decide: func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		both <- struct{}{}
		for len(both) < cap(both) {
			runtime.Gosched() // until the other one runs too
		}
		if call, ok := r.conn.ToolCall("s1", "t1"); !ok || call.Title != "rm -rf build" {
			t.Errorf("the handler finds the call %+v", call)
		}
		return choose("allow-once")
	}}
	r = newRig(t, host, &client.Options{Registry: acme(), OnUpdate: func(context.Context, client.Update) { seen++ }}).open()
	p := r.prompt(t.Context(), "s1")
	for range 500 {
		r.write(chunk("s1", "x"))
	}
	r.write(update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"rm -rf build"}`), permission(`1`, "s1"), permission(`2`, "s1"))
	r.answer(`1`)
	r.answer(`2`)
	if seen != 501 {
		t.Errorf("the requests were answered after %d of 501 updates", seen)
	}
	p.ends("end_turn")
}

// Prompt returns after every callback of its session and of its children that
// precedes its answer, or that the answer causes, in each of 2,000 turns.
func TestPromptWaitsForWhatPrecedesItsAnswer(t *testing.T) {
	var got sync.Map
	r := newRig(t, nil, &client.Options{
		Registry: acme(),
		OnUpdate: func(_ context.Context, u client.Update) { got.Store(u.SessionID+" "+textOf(u), true) },
		OnEvent: func(_ context.Context, ev client.Event) {
			if s, ok := ev.Payload.(dialect.Subagent); ok {
				got.Store(fmt.Sprint(s.Description, " ", s.Change), true)
			}
		},
	}).open()
	first := r.prompt(t.Context(), "s1")
	r.write(update("s1", `{"sessionUpdate":"private","acmeChild":"c1"}`))
	first.ends("end_turn")
	for i := range 2000 {
		p := r.prompt(t.Context(), "s1")
		r.write(
			chunk("c1", fmt.Sprint("child ", i)),
			request(fmt.Sprint(i), "acme/task", fmt.Sprintf(`{"toolCallId":"never seen %d","description":"task %d"}`, i, i)),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, p.id),
		)
		if _, err := p.wait(); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fmt.Sprintf("c1 child %d", i), fmt.Sprintf("task %d started", i)} {
			if _, ok := got.Load(want); !ok {
				t.Fatalf("Prompt returned before %q was told", want)
			}
		}
	}
}

// A blocked session does not block another, nor what needs no host.
func TestSessionsDoNotWaitForEachOther(t *testing.T) {
	var got notes
	block := make(chan struct{})
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: func(ctx context.Context, u client.Update) {
		if u.SessionID == "s1" {
			<-block
		}
		got.noteUpdates(ctx, u)
	}}).open()
	for i := range 3000 {
		r.write(chunk("s1", fmt.Sprint(i)))
	}
	r.write(chunk("s2", "free"), request(`1`, "acme/unknown", `{}`))
	got.await(t, "s2: free")
	r.answer(`1`)
	if _, err := r.conn.SetSessionMode(t.Context(), acp.SetSessionModeRequest{SessionId: "s1"}); err != nil {
		t.Error(err)
	}
	close(block)
	got.await(t, "2999")
}
