package client_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// noteEvents is an OnEvent that notes where an event belongs and what it says.
func (n *notes) noteEvents(_ context.Context, ev client.Event) {
	where := fmt.Sprintf("%s:%s", ev.SessionID, ev.How)
	if ev.Matched {
		where += " matched"
	}
	if ev.History {
		where += " history"
	}
	switch p := ev.Payload.(type) {
	case dialect.Subagent:
		n.add("%s %s %s %s", where, p.Change, subagentName(p), subagentState(p))
	default:
		n.add("%s %s", where, p.EventKind())
	}
}

func subagentName(a dialect.Subagent) string {
	return strings.Join([]string{a.SessionID, a.ToolCallID, a.ChildSessionID, a.AgentID}, "/")
}

func subagentState(a dialect.Subagent) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", a.Activity, a.Outcome, a.Title+a.Description, a.Model))
}

// COR-01: a report and its tool call in either order make one subagent, which
// begins and ends once; the report is answered before its call comes.
func TestCOR01SubagentOnTheWire(t *testing.T) {
	report := request(`5`, "acme/task", `{"toolCallId":"t1","agentId":"ag-1","description":"Summarise JS","prompt":"Summarise src/*.js","model":"fast-1"}`)
	call := update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task: helper","status":"in_progress"}`)
	done := update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed"}`)
	for name, order := range map[string][]string{"report first": {report, call, done}, "call first": {call, report, done}, "report last": {call, done, report}} {
		t.Run(name, func(t *testing.T) {
			var told notes
			calls := map[dialect.Change]string{}
			r := newRig(t, nil, &client.Options{Registry: acme(), OnEvent: func(ctx context.Context, ev client.Event) {
				told.noteEvents(ctx, ev)
				calls[ev.Payload.(dialect.Subagent).Change] = ev.Call.Status
			}}).open()
			p := r.prompt(t.Context(), "s1")
			for _, line := range order {
				if r.write(line); line == report {
					r.answer(`5`)
				}
			}
			p.ends("end_turn")
			want := []string{
				"s1:tool_call matched started s1/t1//ag-1 running  Summarise JS fast-1",
				"s1:vendor ended s1/t1//ag-1 ended completed Summarise JS fast-1",
			}
			if d := cmp.Diff(want, told.all()); d != "" {
				t.Error(d)
			}
			status := map[dialect.Change]string{dialect.ChangeStarted: "in_progress", dialect.ChangeEnded: "completed"}
			if name == "report last" {
				status[dialect.ChangeStarted] = "completed"
			}
			if d := cmp.Diff(status, calls); d != "" {
				t.Errorf("the call as of each event: %s", d)
			}
			all := r.conn.Subagents("s1")
			if len(all) != 1 || all[0].Prompt != "Summarise src/*.js" || all[0].Outcome != dialect.SubagentCompleted || all[0].Run != 1 {
				t.Errorf("the subagents are %+v", all)
			}
		})
	}
}

// COR-09: a child announced by the protocol's own kind has its own updates, plan
// and calls, under its parent; nothing is lost of what comes before it is known.
func TestCOR09SubagentOnTheWire(t *testing.T) {
	var told notes
	r := newRig(t, nil, &client.Options{OnEvent: told.noteEvents, OnUpdate: told.noteUpdates}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		chunk("child-1", "early"),
		update("s1", `{"sessionUpdate":"subagent_update","sessionId":"child-1","title":"tester","capabilities":{"cancel":{}}}`),
		chunk("child-1", "running tests"),
		update("child-1", `{"sessionUpdate":"tool_call","toolCallId":"c","title":"go test","status":"in_progress"}`),
		update("child-1", `{"sessionUpdate":"subagent_update","sessionId":"grandchild","title":"reader"}`),
		update("s1", `{"sessionUpdate":"subagent_update","sessionId":"child-1","state":{"state":"idle"}}`),
	)
	p.ends("end_turn")
	for _, want := range []string{
		"child-1: early",
		"s1:vendor started s1//child-1/ running  tester",
		"child-1: running tests",
		"child-1:vendor started child-1//grandchild/ running  reader",
		"s1:vendor updated s1//child-1/ idle  tester",
	} {
		if !told.holds(want) {
			t.Errorf("%q was not told; told: %q", want, told.all())
		}
	}
	tree := r.conn.Subagents("s1")
	if len(tree) != 1 || !tree[0].CanCancel || len(tree[0].Children) != 1 || tree[0].Children[0].Title != "reader" {
		t.Errorf("the tree is %+v", tree)
	}
	if c, ok := r.conn.ToolCall("child-1", "c"); !ok || c.Ended {
		t.Errorf("the child's call is %+v, %v", c, ok)
	}
	if err := r.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: "child-1"}); err != nil {
		t.Error(err)
	}
	r.call("session/cancel", 1)
}

// initialize asks for subagents if the host takes events, and only then.
func TestSubagentsAreAskedFor(t *testing.T) {
	for _, takes := range []bool{true, false} {
		opts := &client.Options{}
		if takes {
			opts.OnEvent = func(context.Context, client.Event) {}
		}
		r := newRig(t, nil, opts).open()
		asked := rawjson.Get(r.call("initialize", 1).Params, "clientCapabilities", "subagents")
		if (string(asked) == "{}") != takes || (asked == nil) == takes {
			t.Errorf("a host that takes events: %v; asked for %s", takes, asked)
		}
	}
}

// COR-07: a frame and a call know the subagent that they run inside, also where
// nobody knows that one.
func TestCOR07NestedOnTheWire(t *testing.T) {
	var told notes
	r := newRig(t, nil, &client.Options{Registry: nesting(), OnUpdate: func(_ context.Context, u client.Update) {
		told.add("%s in %q", u.Kind, u.Parent.ToolCallID)
	}}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Read a.go","_meta":{"acme":{"parent":"task1"}}}`),
		update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}`),
		update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"},"_meta":{"acme":{"parent":"not-seen"}}}`),
		chunk("s1", "of the main agent"),
	)
	p.ends("end_turn")
	want := []string{`tool_call in "task1"`, `tool_call_update in "task1"`, `agent_message_chunk in "not-seen"`, `agent_message_chunk in ""`}
	if d := cmp.Diff(want, told.all()); d != "" {
		t.Error(d)
	}
	if c, _ := r.conn.ToolCall("s1", "c1"); c.Parent.ToolCallID != "task1" {
		t.Errorf("the call is %+v", c)
	}
}

// A recording that is replayed tells what the connection told.
func TestReplayTellsWhatTheConnectionTold(t *testing.T) {
	type line struct{ dir, text string }
	var live, again notes
	var recorded []line
	tap := make(chan line, 1000)
	opts := func(n *notes) *client.Options {
		return &client.Options{
			Registry: asking(),
			OnUpdate: n.noteUpdates, OnEvent: n.noteEvents, OnSettled: n.noteSettled,
			OnTurn: func(_ context.Context, turn client.Turn) { n.add("turn %v %s", !turn.Began, turn.StopReason) },
		}
	}
	o := opts(&live)
	o.Tap = func(dir string, text []byte) { tap <- line{dir, string(text)} }
	o.OnAsk = func(_ context.Context, a *client.Ask) error {
		return a.Answer(dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "no"})
	}
	r := newRig(t, nil, o).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		chunk("s1", "hello"),
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","status":"pending"}`),
		request(`1`, "acme/approve", `{"toolCallId":"t1","plan":"p"}`),
	)
	r.answer(`1`)
	r.write(
		permission(`2`, "s1"),
		update("s1", `{"sessionUpdate":"plan","entries":[{"content":"a"}]}`),
		update("s1", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"c1","name":"n"}`),
		update("s1", `{"sessionUpdate":"subagent_state_update","subagentSessionId":"c1","state":"failed"}`),
	)
	r.answer(`2`)
	p.ends("end_turn")
	r.close()
	within(t, "Done", r.conn.Done())
	close(tap)
	for l := range tap {
		recorded = append(recorded, l)
	}
	replay := client.NewReplay(opts(&again))
	for _, l := range recorded {
		if l.dir == "in" {
			replay.In([]byte(l.text))
		} else {
			replay.Out([]byte(l.text))
		}
	}
	replay.Close()
	want := []string{
		"turn false ", "hello", "tool_call", "s1:tool_call matched question", "acme/approve answered rejected",
		"session/request_permission no_handler", "plan", "s1:vendor todos", "subagent_spawned",
		"s1:vendor started s1//c1/ running  n", "subagent_state_update", "s1:vendor ended s1//c1/ ended failed n", "turn true end_turn",
	}
	if d := cmp.Diff(want, live.all()); d != "" {
		t.Errorf("live: %s", d)
	}
	if len(replay.Subagents("s1")) != 1 {
		t.Errorf("the replay knows %+v", replay.Subagents("s1"))
	}
	// The wire has the answer to a question where it was written, which may be
	// after what came meanwhile.
	if d := cmp.Diff(sorted(want), sorted(again.all())); d != "" {
		t.Errorf("replayed: %s", d)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// The end of a turn is told when its children's callbacks have run.
func TestTurnEndComesAfterTheChildrens(t *testing.T) {
	var told notes
	held := make(chan struct{})
	r := newRig(t, nil, &client.Options{
		OnUpdate: func(ctx context.Context, u client.Update) {
			if u.SessionID == "c1" {
				<-held
			}
			told.noteUpdates(ctx, u)
		},
		OnTurn: func(_ context.Context, turn client.Turn) { told.add("turn ended %v", !turn.Began) },
	}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(update("s1", `{"sessionUpdate":"subagent_update","sessionId":"c1","state":{"state":"running"}}`))
	for i := range 20 {
		r.write(chunk("c1", fmt.Sprint(i)))
	}
	r.write(chunk("s1", "last"))
	p.end("end_turn")
	told.await(t, "last")
	close(held)
	if _, err := p.wait(); err != nil {
		t.Fatal(err)
	}
	all := told.all()
	if got := all[len(all)-1]; got != "turn ended true" {
		t.Errorf("told last: %q of %q", got, all)
	}
}
