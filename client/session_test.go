package client_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// sessionHost is told which sessions there are.
type sessionHost struct {
	client.Base
	told *notes
}

func (h sessionHost) SessionOpened(id acp.SessionId, cwd string, dirs []string) {
	h.told.add("opened %s in %s %q", id, cwd, dirs)
}
func (h sessionHost) SessionChild(child, parent acp.SessionId) {
	h.told.add("%s is in %s", child, parent)
}
func (h sessionHost) SessionClosed(id acp.SessionId) { h.told.add("closed %s", id) }

func (h sessionHost) SessionUpdate(context.Context, acp.SessionNotification) error { return nil }

// A host is told of sessions that are opened, loaded, resumed and forked, of
// children, and of their end, each in the order of its session.
func TestTheHostIsToldOfSessions(t *testing.T) {
	var told notes
	r := newRig(t, sessionHost{told: &told}, &client.Options{})
	for method, result := range map[string]string{
		"session/new": `{"sessionId":"new"}`, "session/load": `{}`, "session/resume": `null`,
		"session/fork": `{"sessionId":"forked"}`, "session/close": `{}`, "session/delete": `{}`,
	} {
		r.auto[method] = result
	}
	ctx := t.Context()
	steps := []struct {
		call func() error
		want string
	}{
		{func() error {
			_, err := r.conn.NewSession(ctx, acp.NewSessionRequest{Cwd: "/a", AdditionalDirectories: []string{"/b"}})
			return err
		}, `opened new in /a ["/b"]`},
		{func() error {
			_, err := r.conn.LoadSession(ctx, acp.LoadSessionRequest{SessionId: "loaded", Cwd: "/c"})
			return err
		}, `opened loaded in /c []`},
		{func() error {
			_, err := r.conn.ResumeSession(ctx, acp.ResumeSessionRequest{SessionId: "resumed", Cwd: "/d"})
			return err
		}, `opened resumed in /d []`},
		{func() error {
			_, err := r.conn.UnstableForkSession(ctx, acp.UnstableForkSessionRequest{SessionId: "new", Cwd: "/e"})
			return err
		}, `opened forked in /e []`},
		{func() error {
			r.write(update("new", `{"sessionUpdate":"subagent_update","sessionId":"child"}`))
			return nil
		}, `child is in new`},
		{func() error {
			_, err := r.conn.CloseSession(ctx, acp.CloseSessionRequest{SessionId: "new"})
			return err
		}, `closed new`},
		{func() error {
			_, err := r.conn.UnstableDeleteSession(ctx, acp.UnstableDeleteSessionRequest{SessionId: "loaded"})
			return err
		}, `closed loaded`},
	}
	for _, s := range steps {
		if err := s.call(); err != nil {
			t.Error(err)
		}
		told.await(t, s.want)
	}
	told.await(t, "closed child")
}

// Law 12: with two turns in flight a report goes to the one that knows its call,
// and to none where it could be of either; nothing is lost and nothing guessed.
func TestLaw12TwoTurnsInFlight(t *testing.T) {
	var told notes
	r := newRig(t, nil, &client.Options{Registry: acme(), OnEvent: told.noteEvents}).open()
	first, second := r.prompt(t.Context(), "s1"), r.prompt(t.Context(), "s2")
	task := func(id, call string) string {
		return request(id, "acme/task", fmt.Sprintf(`{"toolCallId":%q,"description":%q}`, call, "task "+id))
	}
	r.write(
		task(`1`, "t2"),
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1"}`),
		update("s2", `{"sessionUpdate":"tool_call","toolCallId":"t2"}`),
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"both"}`),
		update("s2", `{"sessionUpdate":"tool_call","toolCallId":"both"}`),
		task(`2`, "t1"), task(`3`, "both"), task(`4`, "neither"),
		request(`5`, "acme/task", `{"sessionId":"s2","toolCallId":"both","description":"task 5"}`),
	)
	first.ends("end_turn")
	second.ends("end_turn")
	told.await(t, ":unknown started /both// running  task 3")
	told.await(t, ":unknown started /neither// running  task 4")
	for _, want := range []string{
		"s2:tool_call matched started s2/t2// running  task 1",
		"s1:tool_call matched started s1/t1// running  task 2",
		"s2:vendor matched started s2/both// running  task 5",
	} {
		if !told.holds(want) {
			t.Errorf("%q was not told; told: %q", want, told.all())
		}
	}
	if n := len(r.conn.Subagents("s1")); n != 1 {
		t.Errorf("s1 has %d subagents", n)
	}
}

// Section 6: what a load replays is history, also from an agent that replays
// after it has answered; the first prompt ends it.
func TestHistoryOnTheWire(t *testing.T) {
	var told notes
	opts := &client.Options{
		Registry: acme(), OnEvent: told.noteEvents,
		OnUpdate: func(_ context.Context, u client.Update) { told.add("%s %v", textOf(u), u.History) },
	}
	r := newRig(t, nil, opts)
	loaded := make(chan error, 1)
	go func() {
		_, err := r.conn.LoadSession(t.Context(), acp.LoadSessionRequest{SessionId: "s1", Cwd: "/"})
		loaded <- err
	}()
	id := string(r.call("session/load", 1).ID)
	r.write(
		chunk("s1", "before the answer"),
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","status":"completed"}`),
		fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id),
	)
	if err := within(t, "LoadSession", loaded); err != nil {
		t.Error(err)
	}
	r.write(
		chunk("s1", "after the answer"),
		update("s1", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"c1","name":"old"}`),
	)
	told.await(t, "s1:vendor history updated s1//c1/ running  old")
	r.write(chunk("c1", "of a child")) // whose callbacks run beside its parent's
	told.await(t, "of a child true")
	p := r.prompt(t.Context(), "s1")
	r.write(request(`1`, "acme/task", `{"toolCallId":"t1","description":"not of the history"}`), chunk("s1", "live"))
	p.ends("end_turn")
	want := []string{
		"before the answer true", "tool_call true", "after the answer true",
		"subagent_spawned true", "s1:vendor history updated s1//c1/ running  old", "of a child true",
		"live false",
		"s1:turn started s1/t1// running  not of the history",
		"s1:vendor ended s1/t1// ended unknown not of the history",
	}
	if d := cmp.Diff(want, told.all()); d != "" {
		t.Error(d)
	}
}

// COR-06: thousands of reports of calls that never come are all answered at once;
// the turn's end lets them go, and a call of the next turn finds nothing.
func TestCOR06GhostsOnTheWire(t *testing.T) {
	const count = 5000
	var told notes
	delivered := 0
	r := newRig(t, nil, &client.Options{Registry: acme(), OnEvent: func(ctx context.Context, ev client.Event) {
		if a := ev.Payload.(dialect.Subagent); a.Change == dialect.ChangeStarted {
			if delivered++; ev.Matched {
				told.noteEvents(ctx, ev)
			}
		}
	}}).open()
	p := r.prompt(t.Context(), "s1")
	fill := strings.Repeat("x", 2048)
	for i := range count {
		r.write(request(fmt.Sprintf(`"x%d"`, i), "acme/task", fmt.Sprintf(`{"toolCallId":"ghost-%d","prompt":"%s","description":"d"}`, i, fill)))
	}
	r.answer(fmt.Sprintf(`"x%d"`, count-1))
	p.ends("end_turn")
	if delivered != count {
		t.Errorf("%d of %d reports were delivered", delivered, count)
	}
	p = r.prompt(t.Context(), "s1")
	r.write(update("s1", `{"sessionUpdate":"tool_call","toolCallId":"ghost-5","status":"in_progress"}`))
	p.ends("end_turn")
	if delivered != count || len(told.all()) > 0 {
		t.Errorf("%d reports were delivered, of which joined: %q", delivered, told.all())
	}
}

// 3,000 sessions opened, prompted and closed leave nothing behind.
func TestSessionsLeaveNothing(t *testing.T) {
	var base runtime.MemStats
	r := newRig(t, nil, &client.Options{Registry: acme(), OnEvent: func(context.Context, client.Event) {}})
	r.auto["session/prompt"] = `{"stopReason":"end_turn"}`
	r.auto["session/close"] = `{}`
	for i := range 3000 {
		id := fmt.Sprint("s", i)
		r.mu.Lock()
		r.auto["session/new"] = fmt.Sprintf(`{"sessionId":%q}`, id)
		r.got = r.got[:0]
		r.mu.Unlock()
		session, err := r.conn.NewSession(t.Context(), acp.NewSessionRequest{Cwd: "/"})
		if err != nil || string(session.SessionId) != id {
			t.Fatal(session, err)
		}
		r.write(
			update(id, `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"`+strings.Repeat("x", 1000)+`"}`),
			update(id, `{"sessionUpdate":"subagent_spawned","subagentSessionId":"c`+id+`"}`),
			notification("acme/task", fmt.Sprintf(`{"sessionId":%q,"toolCallId":"never"}`, id)),
		)
		if _, err := r.conn.Prompt(t.Context(), acp.PromptRequest{SessionId: session.SessionId}); err != nil {
			t.Fatal(err)
		}
		if _, ok := r.conn.ToolCall(session.SessionId, "t1"); !ok {
			t.Fatalf("the call of %s is not known", id)
		}
		if _, err := r.conn.CloseSession(t.Context(), acp.CloseSessionRequest{SessionId: session.SessionId}); err != nil {
			t.Fatal(err)
		}
		if _, ok := r.conn.ToolCall(session.SessionId, "t1"); ok || len(r.conn.Subagents(session.SessionId)) > 0 {
			t.Fatalf("%s is closed and known", id)
		}
		if i == 300 {
			runtime.GC()
			runtime.ReadMemStats(&base)
		}
	}
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	if grown := int64(now.HeapAlloc) - int64(base.HeapAlloc); grown > 2<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

// Prompt waits for the callbacks before its answer also when its session was closed
// meanwhile.
func TestPromptOfAClosedSession(t *testing.T) {
	var told notes
	release := make(chan struct{})
	r := newRig(t, nil, &client.Options{OnUpdate: func(ctx context.Context, u client.Update) {
		<-release
		told.noteUpdates(ctx, u)
	}})
	r.auto["session/close"] = `{}`
	r.open()
	p := r.prompt(t.Context(), "s1")
	r.write(chunk("s1", "before"))
	if _, err := r.conn.CloseSession(t.Context(), acp.CloseSessionRequest{SessionId: "s1"}); err != nil {
		t.Error(err)
	}
	p.end("cancelled")
	r.write(request(`9`, "acme/unknown", `{}`))
	r.answer(`9`) // the prompt's answer has been taken in
	select {
	case <-p.done:
		t.Error("Prompt returned before its session's callback")
	default:
	}
	close(release)
	if _, err := p.wait(); err != nil || !told.holds("before") {
		t.Errorf("Prompt gave %v, told %q", err, told.all())
	}
}
