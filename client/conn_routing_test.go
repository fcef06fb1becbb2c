package client_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// EXT-01: what nobody registered is declined with the id it came with, or, being
// a notification, gets nothing; what follows is not disturbed.
func TestEXT01UnknownMethods(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates, Registry: acme()}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		notification("_other.example/servers/changed", `{"names":["alpha"]}`),
		notification("other/child_update", `{"sessionId":"s1","update":{"sessionUpdate":"other"}}`),
		request(`"r-9"`, "other/unknown", `{"x":1}`),
		request(`4`, "other/drainQueue", `{"sessionId":"s1"}`),
		chunk("s1", "still alive"),
	)
	p.ends("end_turn")
	for _, id := range []string{`"r-9"`, `4`} {
		if e := r.answer(id).Error; e == nil || e.Code != -32601 {
			t.Errorf("%s got %+v, want -32601", id, e)
		}
	}
	if diff := cmp.Diff([]string{"still alive"}, got.all()); diff != "" {
		t.Error(diff)
	}
}

// EXT-02: a registered name is acknowledged with or without its underscore, and
// its event joins the tool call.
func TestEXT02BareNames(t *testing.T) {
	for _, name := range []string{"acme/task", "_acme/task"} {
		t.Run(name, func(t *testing.T) {
			var events []client.Event
			r := newRig(t, nil, &client.Options{Registry: acme(), OnEvent: func(_ context.Context, ev client.Event) { events = append(events, ev) }}).open()
			p := r.prompt(t.Context(), "s1")
			r.write(
				update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task: helper","status":"in_progress"}`),
				request(`12`, name, `{"toolCallId":"t1","agentId":"ag-1","description":"Summarise","prompt":"Summarise src","model":"fast-1"}`),
			)
			p.ends("end_turn")
			if got := string(r.answer(`12`).Result); got != "{}" {
				t.Errorf("the report was answered with %s", got)
			}
			if len(events) == 0 {
				t.Fatal("no event")
			}
			ev := events[0]
			sub, _ := ev.Payload.(dialect.Subagent)
			want := []any{"acme", name, "s1", true, dialect.ChangeStarted, "t1", "ag-1", "Summarise", "Summarise src", "fast-1"}
			have := []any{ev.Dialect, ev.WireName, ev.SessionID, ev.Matched, sub.Change, sub.ToolCallID, sub.AgentID, sub.Description, sub.Prompt, sub.Model}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// EXT-06: there is no answer by class: an unknown name in a known namespace is
// declined.
func TestEXT06UnknownNamesOfKnownNamespaces(t *testing.T) {
	r := newRig(t, client.Base{}, &client.Options{Registry: acme()})
	names := map[string]string{`"a"`: "acme/some_future_method", `"b"`: "terminal/not_a_method", `"c"`: "fs/delete_file", `"d"`: "session/unknown"}
	for id, name := range names {
		r.write(request(id, name, `{"sessionId":"s1","toolCallId":"t1","path":"/x"}`))
	}
	for id, name := range names {
		if e := r.answer(id).Error; e == nil || e.Code != -32601 {
			t.Errorf("%s got %+v, want -32601", name, e)
		}
	}
}

// Law 7: whether a frame is a request is decided by its id alone.
func TestLaw7AnIdMakesARequest(t *testing.T) {
	var got notes
	r := newRig(t, client.Base{}, &client.Options{
		Registry: acme(), OnStray: got.noteStrays,
		OnEvent: func(_ context.Context, ev client.Event) { got.add("event %s", ev.Method) },
	}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		notification("acme/task", `{"sessionId":"s1"}`),
		notification("acme/ask", `{"sessionId":"s1","text":"a plan"}`),
		notification("session/request_permission", `{"sessionId":"s1","options":[]}`),
		notification("fs/read_text_file", `{"sessionId":"s1","path":"/x"}`),
		`{"jsonrpc":"2.0","id":7,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"plan","entries":[]}}}`,
	)
	p.ends("end_turn")
	if a := r.answer(`7`); a.Error != nil {
		t.Errorf("a session/update with an id got %+v", a.Error)
	}
	want := []string{
		"stray session/request_permission: nobody registered this method",
		"stray fs/read_text_file: nobody registered this method",
	}
	events := []string{"event acme/task", "event acme/ask", "event session/update"}
	var strays, told []string
	for _, n := range got.all() {
		if n[0] == 's' {
			strays = append(strays, n)
		} else {
			told = append(told, n)
		}
	}
	if diff := cmp.Diff([][]string{want, events}, [][]string{strays, told}); diff != "" {
		t.Error(diff)
	}
}

// A report whose params cannot be used is refused by name, and nothing of what
// the agent sent is repeated; an ask gets its decline and the host a notice.
func TestUndecodableParams(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{Registry: acme(), OnAsk: func(context.Context, *client.Ask) error { return nil },
		OnEvent: func(_ context.Context, ev client.Event) {
			n, _ := ev.Payload.(dialect.Notice)
			got.add("%s %s", ev.Method, n.Kind)
		}})
	r.write(request(`1`, "acme/task", `["s3cret"]`), request(`2`, "acme/ask", `"s3cret"`), request(`3`, "fs/read_text_file", `"s3cret"`))
	if a := r.answer(`1`); a.Error == nil || a.Error.Code != -32602 || !contains(a.Line, "acme/task") || contains(a.Line, "s3cret") {
		t.Errorf("the report got %s", a.Line)
	}
	if a := r.answer(`2`); string(a.Result) != `{"outcome":"cancelled"}` {
		t.Errorf("the ask got %s", a.Line)
	}
	if a := r.answer(`3`); a.Error == nil {
		t.Errorf("a request without a host got %s", a.Line)
	}
	got.await(t, "acme/ask undecodable")
}
