package state

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

func (p *player) call(session, id string) dialect.ToolCall {
	p.t.Helper()
	c, ok := p.ToolCall(session, id)
	if !ok {
		p.t.Fatalf("there is no record of %s in %s", id, session)
	}
	return c
}

// Law 14: one record, field by field: absent and null keep, a value replaces, []
// clears, and an empty rawInput says nothing yet.
func TestLaw14Upsert(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","title":"one","kind":"read","status":"pending","rawInput":{},"content":[{"type":"x"}],"locations":[{"path":"/a"}]}`,
	)
	if in := p.call("s1", "T").RawInput; in != nil {
		t.Errorf("an empty rawInput was taken as %s", in)
	}
	p.play(
		`s1 tool_call_update {"toolCallId":"T","title":"two","name":"Read","rawInput":{"path":"a"},"rawOutput":"x","_meta":{"k":1}}`,
		`s1 tool_call_update {"toolCallId":"T","title":null,"kind":null,"status":null,"rawInput":null,"rawOutput":null,"content":null,"locations":null,"_meta":null}`,
		`s1 tool_call_update {"toolCallId":"T","rawInput":{ },"status":"in_progress"}`,
		`s1 tool_call_update {"toolCallId":"T"}`,
		`s1 tool_call_update {"toolCallId":"T","content":[ ],"locations":[{"path":"/b"}],"title":7,"status":8}`,
	)
	want := dialect.ToolCall{
		SessionID: "s1", ID: "T", Title: "two", Name: "Read", Kind: "read", Status: "in_progress",
		RawInput: []byte(`{"path":"a"}`), RawOutput: []byte(`"x"`), Locations: []byte(`[{"path":"/b"}]`), Meta: []byte(`{"k":1}`),
	}
	if d := cmp.Diff(want, p.call("s1", "T")); d != "" {
		t.Error(d)
	}
}

// TC-01, law 14: an update or a permission request may be the first that is heard
// of a call.
func TestTC01NeverAnnounced(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`session/request_permission#1 {"sessionId":"s1","toolCall":{"toolCallId":"mcp_lookup-1","title":"lookup","kind":"other","status":"pending"},"options":[{"optionId":"allow-once"},{"optionId":"reject-once"}]}`,
		`s1 tool_call_update {"toolCallId":"mcp_lookup-1","status":"completed","content":[{"type":"content"}]}`,
		`s1 plan {"entries":[{"content":"a","status":"completed"}]}`,
		`s1 tool_call_update {"toolCallId":"todo-tool-9","status":"completed"}`,
	)
	want(t, "told", []string{
		"began turn s1", "request 1 s1:vendor", "update s1 tool_call_update",
		"update s1 plan", "todos session/update s1:vendor [a:completed]", "update s1 tool_call_update",
	}, p.notes())
	if c := p.call("s1", "mcp_lookup-1"); c.Title != "lookup" || c.Status != "completed" || !c.Ended || c.Unknown {
		t.Errorf("the record is %+v", c)
	}
	if c := p.call("s1", "todo-tool-9"); c.Status != "completed" || c.Title != "" {
		t.Errorf("the record is %+v", c)
	}
}

// TC-02: a call whose first frame says nothing yet is a subagent's from the frame
// that does, with one beginning, and keeps what it knew.
func TestTC02ArgumentsComeLater(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"call_00","title":"task","status":"pending","locations":[],"rawInput":{}}`,
		`s1 tool_call_update {"toolCallId":"call_00","status":"in_progress","rawInput":{"task":{"title":"Report workspace","prompt":"Explore"}}}`,
		`s1 tool_call_update {"toolCallId":"call_00","status":"completed","rawOutput":{"output":"done"}}`,
	)
	want(t, "told", []string{
		"subagent session/update s1:vendor started s1/call_00 run 1 running Report workspace Explore",
		"subagent session/update s1:vendor ended s1/call_00 run 1 ended completed Report workspace Explore",
	}, p.notes("subagent"))
	if c := p.call("s1", "call_00"); !strings.Contains(string(c.RawInput), "Explore") {
		t.Errorf("the input is now %s", c.RawInput)
	}
}

// TC-05: a burst of frames with nothing but the id is one call, and no news of a
// subagent's.
func TestTC05BurstOfBareFrames(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"t1","title":"biome check","kind":"execute","status":"in_progress","rawInput":{"command":"biome check .","task":{}}}`,
	)
	for range 300 {
		p.play(`s1 tool_call {"toolCallId":"t1"}`)
	}
	p.play(`s1 tool_call_update {"toolCallId":"t1","status":"completed"}`)
	want(t, "told", []string{
		"subagent session/update s1:vendor started s1/t1 run 1 running",
		"subagent session/update s1:vendor ended s1/t1 run 1 ended completed",
	}, p.notes("subagent"))
	if c := p.call("s1", "t1"); c.Title != "biome check" || c.Kind != "execute" || c.Status != "completed" {
		t.Errorf("the record is %+v", c)
	}
	if n := len(p.sessions["s1"].order); n != 1 {
		t.Errorf("there are %d records", n)
	}
}

// Law 14: a finished call does not reopen within its turn, also where tool_call
// comes last.
func TestLaw14NoReopening(t *testing.T) {
	for _, finished := range []string{"completed", "failed"} {
		p := opened(t, "s1").play(
			`> session/prompt#1 {"sessionId":"s1"}`,
			`s1 tool_call_update {"toolCallId":"T","status":"`+finished+`"}`,
			`s1 tool_call {"toolCallId":"T","title":"late","status":"pending"}`,
			`session/request_permission#1 {"sessionId":"s1","toolCall":{"toolCallId":"T","status":"in_progress"},"options":[]}`,
		)
		if c := p.call("s1", "T"); c.Status != finished || !c.Ended || c.Title != "late" {
			t.Errorf("the record is %+v", c)
		}
	}
}

// Law 14: a call that never ends is closed by its turn, with an unknown outcome.
// An end that comes late still counts.
func TestLaw14TheTurnClosesWhatIsOpen(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","status":"in_progress"}`,
		`session/request_permission#1 {"sessionId":"s1","toolCall":{"toolCallId":"P"},"options":[]}`,
		`=1 {"stopReason":"cancelled"}`,
	)
	for _, id := range []string{"T", "P"} {
		if c := p.call("s1", id); !c.Ended || !c.Unknown {
			t.Errorf("the record is %+v", c)
		}
	}
	p.play(`s1 tool_call_update {"toolCallId":"T","status":"completed"}`)
	if c := p.call("s1", "T"); !c.Ended || c.Unknown || c.Status != "completed" {
		t.Errorf("the record is %+v", c)
	}
}

// Law 14: what comes for a session nobody knows makes its record and is told at
// once; calls of a child close with the child.
func TestLaw14UnknownSessions(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`C tool_call {"toolCallId":"c1","title":"Read","status":"in_progress"}`,
		`session/request_permission#9 {"sessionId":"C","toolCall":{"toolCallId":"c2"},"options":[]}`,
	)
	want(t, "at once", []string{"update C tool_call", "request 9 C:vendor"}, p.notes("update", "request", "opened"))
	p.play(`s1 subagent_update {"sessionId":"C"}`)
	want(t, "the parent", []string{"opened C in s1"}, p.notes("opened"))
	if c := p.call("C", "c1"); c.Ended {
		t.Errorf("the child's call has ended: %+v", c)
	}
	p.play(`s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`)
	if c := p.call("C", "c1"); !c.Ended || !c.Unknown {
		t.Errorf("the child's call is open: %+v", c)
	}
}

// Law 13: an id that comes back begins a new record, which inherits nothing; a
// bare update continues the record it belongs to.
func TestLaw13IdsComeBack(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","title":"first","status":"completed","rawInput":{"task":{"title":"one"}}}`,
		`acme/agent {"call":"T","model":"m"}`,
		`=1 {"stopReason":"end_turn"}`,
		`> session/prompt#2 {"sessionId":"s1"}`,
		`s1 tool_call_update {"toolCallId":"T","title":"still the first"}`,
	)
	if c := p.call("s1", "T"); c.Title != "still the first" || c.Status != "completed" {
		t.Errorf("the record is %+v", c)
	}
	p.notes()
	p.play(`acme/agent {"call":"T","model":"of the second turn"}`)
	want(t, "a report of this turn waits", []string{}, p.notes())
	p.play(`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"two"}}}`)
	want(t, "the new call", []string{
		"update s1 tool_call",
		"subagent session/update s1:vendor started s1/T run 1 running two",
		"subagent acme/agent s1:tool_call matched updated s1/T run 1 running two of the second turn",
	}, p.notes())
	if c := p.call("s1", "T"); c.Title != "" || c.Status != "pending" {
		t.Errorf("the record is %+v", c)
	}
	want(t, "both", []string{"s1/T run 1 ended completed one m", "s1/T run 1 running two of the second turn"}, p.tree("s1"))
}

// Law 13: a permission request whose id an earlier turn used begins a new record.
func TestLaw13PermissionBeginsARecord(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","title":"first","status":"completed"}`,
		`=1 {"stopReason":"end_turn"}`,
		`> session/prompt#2 {"sessionId":"s1"}`,
		`session/request_permission#1 {"sessionId":"s1","toolCall":{"toolCallId":"T","status":"pending"},"options":[]}`,
	)
	if c := p.call("s1", "T"); c.Title != "" || c.Status != "pending" {
		t.Errorf("the record is %+v", c)
	}
}

// Law 13: a turn ends with its prompt's answer. What comes before it is that
// turn's also when the next prompt was sent.
func TestLaw13TheNextPromptDoesNotEndATurn(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","title":"of the first","status":"in_progress"}`,
		`> session/prompt#2 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"T","status":"completed"}`,
		`=1 {"stopReason":"cancelled"}`,
	)
	if c := p.call("s1", "T"); c.Title != "of the first" || c.Unknown {
		t.Errorf("the record is %+v", c)
	}
	p.play(`s1 tool_call {"toolCallId":"T","title":"of the second","status":"pending"}`)
	if c := p.call("s1", "T"); c.Title != "of the second" || c.Status != "pending" {
		t.Errorf("the record is %+v", c)
	}
}
