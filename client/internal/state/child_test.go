package state

import (
	"strings"
	"testing"
)

const (
	prompt1 = `> session/prompt#1 {"sessionId":"s1"}`
	end1    = `=1 {"stopReason":"end_turn"}`
	prompt2 = `> session/prompt#2 {"sessionId":"s1"}`
	end2    = `=2 {"stopReason":"end_turn"}`
)

// runs gives the beginnings and ends that were told, and the updates.
func (p *player) runs() []string {
	var out []string
	for _, line := range p.notes("subagent") {
		_, rest, _ := strings.Cut(line, ":")
		out = append(out, rest)
	}
	return out
}

// Law 15: a background subagent's call completes at launch, which ends nothing;
// nor does the end of the turn.
func TestLaw15LaunchedIsNotCompleted(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
		`s1 tool_call_update {"toolCallId":"T","status":"completed","rawOutput":{"background":true}}`,
		end1,
	)
	want(t, "told", []string{
		"vendor started s1/T run 1 running t",
		"vendor updated s1/T run 1 running launched t background",
	}, p.runs())
	p.play(
		prompt2,
		`s1 tool_call_update {"toolCallId":"T","content":[{"type":"x"}]}`,
		`s1 agent_message_chunk {"_meta":{"acme":{"names":{"call":"T","activity":"ended","outcome":"failed"}}}}`,
		`s1 agent_message_chunk {"_meta":{"acme":{"names":{"call":"T","activity":"ended","outcome":"failed"}}}}`,
	)
	want(t, "the end, in a later turn", []string{"vendor ended s1/T run 1 ended failed t background"}, p.runs())
}

// Section 6: a run ends once, at the first of its ends.
func TestARunEndsOnce(t *testing.T) {
	const (
		call  = `s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`
		kid   = `s1 subagent_spawned {"subagentSessionId":"C"}`
		named = `s1 subagent_spawned {"subagentSessionId":"C","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`
	)
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"its call completed", []string{call, `s1 tool_call_update {"toolCallId":"T","status":"completed"}`, end1}, []string{"ended s1/T run 1 ended completed t"}},
		{"its call failed", []string{call, `s1 tool_call_update {"toolCallId":"T","status":"failed"}`, end1}, []string{"ended s1/T run 1 ended failed t"}},
		{"its call never ended", []string{call, end1}, []string{"ended s1/T run 1 ended unknown t"}},
		{"the draft says so", []string{kid, `s1 subagent_state_update {"subagentSessionId":"C","state":"cancelled"}`, end1}, []string{"ended s1/C run 1 ended cancelled"}},
		{"the draft lost it", []string{kid, `s1 subagent_state_update {"subagentSessionId":"C","state":"disconnected"}`, end1}, []string{"ended s1/C run 1 ended unknown"}},
		{"the draft has a new word", []string{kid, `s1 subagent_state_update {"subagentSessionId":"C","state":"paused"}`, end1}, nil},
		{"the vendor says so", []string{`acme/agent {"agent":"A","activity":"running"}`, `acme/agent {"agent":"A","activity":"ended"}`, end1}, []string{"ended s1/A run 1 ended unknown"}},
		{"the vendor has only an outcome", []string{`acme/agent {"agent":"A"}`, `acme/agent {"agent":"A","outcome":"failed"}`, end1}, []string{"ended s1/A run 1 ended failed"}},
		{"all of them", []string{call, named, `acme/agent {"call":"T","activity":"ended","outcome":"completed"}`, `s1 subagent_state_update {"subagentSessionId":"C","state":"failed"}`, `s1 tool_call_update {"toolCallId":"T","status":"completed"}`, end1}, []string{"ended s1/T/C run 1 ended completed t"}},
		{"its session was closed", []string{kid, end1, `> session/close#7 {"sessionId":"s1"}`, `=7 {}`}, []string{"ended s1/C run 1 ended unknown"}},
		{"its session was loaded again", []string{kid, end1, `> session/load#7 {"sessionId":"s1"}`, `=7 {}`}, []string{"ended s1/C run 1 ended unknown"}},
		{"the connection was closed", []string{kid, `> disconnect`}, []string{"ended s1/C run 1 ended unknown"}},
		{"idle is none", []string{`s1 subagent_update {"sessionId":"C","state":{"state":"running"}}`, `s1 subagent_update {"sessionId":"C","state":{"state":"idle","stopReason":"cancelled"}}`, end1}, nil},
		{"a child of another session", []string{kid, `> session/close#7 {"sessionId":"s2"}`, `=7 {}`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t, "s1", "s2").play(prompt1).play(c.lines...)
			var ends []string
			for _, line := range p.runs() {
				if i := strings.Index(line, "ended s1"); i >= 0 {
					ends = append(ends, line[i:])
				}
			}
			want(t, "ends", c.want, ends)
		})
	}
}

// Section 6: a report after the end patches the ended run.
func TestAReportAfterTheEndPatchesTheRun(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"T","status":"completed","rawInput":{"task":{"title":"t"}}}`,
		`acme/agent {"call":"T","model":"m"}`,
		end1,
		`acme/agent {"call":"T","prompt":"p","activity":"running"}`,
	)
	want(t, "told", []string{
		"vendor started s1/T run 1 running t",
		"vendor ended s1/T run 1 ended completed t",
		"tool_call matched updated s1/T run 1 ended completed t m",
		"tool_call matched updated s1/T run 1 ended completed t p m",
	}, p.runs())
}

// Nothing an agent says makes a session of ours, or one that holds the speaker,
// somebody's child.
func TestParentsMakeNoCycle(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		prompt1,
		`s1 subagent_update {"sessionId":"C","title":"c"}`,
		`C subagent_update {"sessionId":"D","title":"d"}`,
		`D tool_call {"toolCallId":"x","content":[{"type":"session","sessionId":"C"}]}`,
		`D tool_call {"toolCallId":"y","content":[{"type":"session","sessionId":"s1"}]}`,
		`D tool_call {"toolCallId":"z","content":[{"type":"session","sessionId":"D"}]}`,
		`D subagent_update {"sessionId":"C","description":"again"}`,
		`s1 subagent_update {"sessionId":"s2"}`,
		`s1 subagent_update {"sessionId":"s1","title":"itself"}`,
		`D subagent_update {"sessionId":"s1","title":"what holds it"}`,
		`s2 subagent_update {"sessionId":"D","description":"a second parent"}`,
	)
	want(t, "opened", []string{"opened C in s1", "opened D in C"}, p.notes("opened"))
	want(t, "s1", []string{"s1/C run 1 running c", "  C/D run 1 running d", "s1/s2 run 1 running"}, p.tree("s1"))
}

// COR-09: the final kind. The first update announces the child, what bears its id
// is its own, later updates patch.
func TestCOR09FinalSubagentUpdate(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 subagent_update {"sessionId":"child-1","title":"tester","description":"find the failing test","capabilities":{"cancel":true}}`,
		`child-1 agent_message_chunk {"content":{"type":"text","text":"running tests"}}`,
		`child-1 plan {"entries":[{"content":"repro","priority":"high","status":"in_progress"}]}`,
		`s1 subagent_update {"sessionId":"child-1","state":{"state":"idle"}}`,
		end1,
	)
	want(t, "told", []string{
		"began turn s1",
		"update s1 subagent_update", "opened child-1 in s1", "subagent session/update s1:vendor started s1/child-1 run 1 running tester",
		"update child-1 agent_message_chunk",
		"update child-1 plan", "todos session/update child-1:vendor [repro:in_progress]",
		"update s1 subagent_update", "subagent session/update s1:vendor updated s1/child-1 run 1 idle tester",
		"ended turn s1 end_turn", "answer session/prompt",
	}, p.notes())
	p.play(`s1 subagent_update {"sessionId":"child-1","title":null,"capabilities":{"cancel":{}},"state":{"state":"requires_action"}}`)
	a := p.Subagents("s1")[0]
	if a.Title != "" || a.Description != "find the failing test" || !a.CanCancel || a.Activity != "requires_action" {
		t.Errorf("the record is %+v", a)
	}
	p.play(`s1 subagent_update {"sessionId":"child-1","capabilities":null,"state":{"state":"dreaming"}}`)
	if a := p.Subagents("s1")[0]; a.CanCancel || a.Activity != "unknown" {
		t.Errorf("the record is %+v", a)
	}
}

// For one field the final kind counts more than the draft, the draft more than a
// report, a report more than the call; whatever comes first.
func TestLayers(t *testing.T) {
	lines := []string{
		`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"call","prompt":"call","model":"call"}}}`,
		`acme/agent {"call":"T","title":"report","prompt":"report"}`,
		`s1 subagent_spawned {"subagentSessionId":"C","name":"draft","task":"draft","_meta":{"acme":{"names":{"call":"T","child":"C","title":"meta","model":"meta"}}}}`,
		`s1 subagent_update {"sessionId":"C","title":"final"}`,
	}
	var of [][]string
	for _, line := range lines {
		of = append(of, []string{line})
	}
	merges(of, func(merge []string) bool {
		p := opened(t, "s1").play(prompt1).play(merge...)
		want(t, strings.Join(merge, "\n"), []string{"s1/T/C run 1 running final draft meta"}, p.tree("s1"))
		return !t.Failed()
	})
}

// COR-07: a call knows the subagent it runs inside from then on, and one whose
// parent nobody knows keeps the parent's id.
func TestCOR07Nested(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"task1","status":"pending","rawInput":{"task":{"title":"look"}}}`,
		`s1 tool_call {"toolCallId":"c1","title":"Read a.go","_meta":{"acme":{"parent":{"call":"task1"}}}}`,
		`s1 tool_call_update {"toolCallId":"c1","status":"completed"}`,
		`s1 tool_call {"toolCallId":"c2","title":"Read b.go","_meta":{"acme":{"parent":{"call":"not-seen"}}}}`,
		`s1 agent_message_chunk {"_meta":{"acme":{"parent":{"agent":"A"}}}}`,
		`s1 tool_call {"toolCallId":"task2","status":"pending","rawInput":{"task":{"title":"inner"}},"_meta":{"acme":{"parent":{"call":"task1"}}}}`,
		`s1 tool_call_update {"toolCallId":"task1","status":"completed"}`,
	)
	want(t, "told", []string{
		"update s1 tool_call",
		"subagent session/update s1:vendor started s1/task1 run 1 running look",
		"update s1 tool_call in task1",
		"update s1 tool_call_update in task1",
		"update s1 tool_call in not-seen",
		"update s1 agent_message_chunk in A",
		"update s1 tool_call in task1",
		"subagent session/update s1:vendor started s1/task2 run 1 running inner",
		"update s1 tool_call_update",
		"subagent session/update s1:vendor ended s1/task1 run 1 ended completed look",
	}, p.notes("update", "subagent"))
	want(t, "tree", []string{"s1/task1 run 1 ended completed look", "  s1/task2 run 1 running inner"}, p.tree("s1"))
}

// Calls that claim to hold each other make no endless tree.
func TestNestedInACircle(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"a","rawInput":{"task":{"title":"a"}},"_meta":{"acme":{"parent":{"call":"b"}}}}`,
		`s1 tool_call {"toolCallId":"b","rawInput":{"task":{"title":"b"}},"_meta":{"acme":{"parent":{"call":"a"}}}}`,
		`s1 tool_call {"toolCallId":"c","rawInput":{"task":{"title":"c"}},"_meta":{"acme":{"parent":{"call":"c"}}}}`,
	)
	want(t, "tree", []string{"s1/a run 1 running a", "s1/b run 1 running b", "s1/c run 1 running c"}, p.tree("s1"))
}

// A subagent that the vendor knows by its own id is one, also where the session
// is not known; ids of two sessions are two.
func TestAgentIDs(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		prompt1,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`acme/agent {"agent":"A","title":"of somebody","activity":"running"}`,
		`acme/agent {"agent":"A","activity":"running"}`,
		`acme/agent {"session":"s1","agent":"A","title":"of s1","activity":"running"}`,
		`acme/agent {"session":"s2","agent":"A","title":"of s2","activity":"running"}`,
		`acme/agent {"agent":"A","activity":"ended"}`,
	)
	want(t, "told", []string{
		"unknown started A run 1 running of somebody",
		"unknown updated A run 1 running of somebody",
		"vendor started s1/A run 1 running of s1",
		"vendor started s2/A run 1 running of s2",
		"unknown ended A run 1 ended unknown of somebody",
	}, p.runs())
}

// An agent that names nothing is told, and nobody can speak of it again.
func TestANamelessSubagent(t *testing.T) {
	p := opened(t, "s1").play(`acme/agent {"title":"who?","activity":"running"}`, `acme/agent {"title":"who?","activity":"running"}`)
	want(t, "told", []string{"only started s1 run 1 running who?", "only started s1 run 1 running who?"}, p.runs())
	want(t, "kept", []string{}, p.tree("s1"))
}

// What a background flag that comes late takes back is told, and the state is as
// if it had come first.
func TestABackgroundFlagThatComesLate(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
		`s1 tool_call_update {"toolCallId":"T","status":"completed"}`,
		`acme/agent {"call":"T","background":true,"outcome":"launched"}`,
		end1,
	)
	want(t, "tree", []string{"s1/T run 1 running launched t background"}, p.tree("s1"))
}

// A permission request may be the first that is seen of a call, and of the session
// that it holds.
func TestPermissionThatHoldsASession(t *testing.T) {
	p := opened(t, "s1").play(prompt1, `session/request_permission#5 {"sessionId":"s1","toolCall":{"toolCallId":"T","title":"t","content":[{"type":"session","sessionId":"C"}]},"options":[]}`)
	want(t, "told", []string{"opened C in s1", "subagent session/request_permission s1:vendor started s1/T/C run 1 running"}, p.notes("opened", "subagent"))
}
