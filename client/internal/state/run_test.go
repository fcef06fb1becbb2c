package state

import "testing"

// Section 6: seen running again after an end, a child has another run. Idle, and
// running again, is the same run.
func TestRunsOfAReusedChild(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 subagent_update {"sessionId":"C","title":"t","state":{"state":"running"}}`,
		`s1 subagent_update {"sessionId":"C","state":{"state":"idle"}}`,
		`s1 subagent_update {"sessionId":"C","state":{"state":"running"}}`,
		`acme/agent {"child":"C","activity":"ended","outcome":"completed"}`,
		`s1 subagent_update {"sessionId":"C","state":{"state":"idle"}}`,
		`s1 subagent_update {"sessionId":"C","state":{"state":"running"}}`,
		`acme/agent {"child":"C","activity":"ended","outcome":"failed"}`,
		end1,
		prompt2,
		`acme/agent {"child":"C","activity":"running"}`,
	)
	want(t, "told", []string{
		"vendor started s1/C run 1 running t",
		"vendor updated s1/C run 1 idle t",
		"vendor updated s1/C run 1 running t",
		"vendor ended s1/C run 1 ended completed t",
		"vendor started s1/C run 2 running t",
		"vendor ended s1/C run 2 ended failed t",
		"vendor started s1/C run 3 running t",
	}, p.runs())
}

// A child's session whose ids come back in a later run has records of their own.
func TestAReusedChildsCalls(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`C tool_call {"toolCallId":"c","title":"one","status":"completed"}`,
		`s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`C tool_call {"toolCallId":"c","title":"two","status":"pending"}`,
	)
	if c := p.call("C", "c"); c.Title != "two" || c.Status != "pending" {
		t.Errorf("the record is %+v", c)
	}
}

// A child that is resumed by a second call, known at first as that call's, is one
// child with two runs.
func TestAChildResumedByAnotherCall(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"one"}}}`,
		`s1 tool_call_update {"toolCallId":"T","status":"completed","content":[{"type":"session","sessionId":"C"}]}`,
		`s1 tool_call {"toolCallId":"U","status":"pending","rawInput":{"task":{"title":"two"}}}`,
		`s1 tool_call_update {"toolCallId":"U","status":"failed","content":[{"type":"session","sessionId":"C"}]}`,
		`s1 tool_call_update {"toolCallId":"T","title":"late"}`,
	)
	want(t, "told", []string{
		"vendor started s1/T run 1 running one",
		"vendor updated s1/T/C run 1 running one",
		"vendor ended s1/T/C run 1 ended completed one",
		"vendor started s1/U run 1 running two",
		"vendor updated s1/U/C run 2 running two",
		"vendor ended s1/U/C run 2 ended failed two",
	}, p.runs())
	want(t, "tree", []string{"s1/U/C run 2 ended failed two"}, p.tree("s1"))
}

// A call that only points at a child (to ask it, to wait for it) is no run of it.
func TestACallThatMentionsAChild(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 subagent_update {"sessionId":"C","title":"t","state":{"state":"running"}}`,
		`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{}},"content":[{"type":"session","sessionId":"C"}]}`,
		`s1 tool_call {"toolCallId":"wait","status":"completed","content":[{"type":"session","sessionId":"C"}]}`,
		`s1 tool_call_update {"toolCallId":"T","status":"completed"}`,
		`s1 tool_call {"toolCallId":"wait again","status":"pending","content":[{"type":"session","sessionId":"C"}]}`,
		`s1 tool_call_update {"toolCallId":"wait again","status":"completed"}`,
	)
	want(t, "told", []string{
		"vendor started s1/C run 1 running t",
		"vendor updated s1/T/C run 1 running t",
		"vendor ended s1/T/C run 1 ended completed t",
	}, p.runs())
}

// A list is all there are: who is missing has ended, and comes back with a run of
// its own. What does not change is no news, but the list is told.
func TestSubagentList(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`acme/agents {"agents":[{"child":"C","title":"c","activity":"running"},{"child":"D","agent":"d","title":"d","activity":"running"}]}`,
		`acme/agents {"agents":[{"child":"C","title":"c","activity":"running"},{"child":"D","agent":"d","title":"d","activity":"running"}]}`,
		`acme/agents {"agents":[{"child":"D","agent":"d","title":"d","activity":"idle"}]}`,
		`acme/agents {"agents":[{"child":"C","activity":"running"}]}`,
		`acme/agents {"agents":[]}`,
		`acme/agents {"agents":[]}`,
	)
	want(t, "told", []string{
		"subagent acme/agents s1:turn started s1/C run 1 running c",
		"subagent acme/agents s1:turn started s1/D/d run 1 running d",
		"subagents acme/agents s1:turn",
		"subagent acme/agents s1:vendor updated s1/D/d run 1 idle d",
		"subagent acme/agents s1:turn ended s1/C run 1 ended unknown c",
		"subagent acme/agents s1:vendor started s1/C run 2 running c",
		"subagent acme/agents s1:turn ended s1/D/d run 1 ended unknown d",
		"subagent acme/agents s1:turn ended s1/C run 2 ended unknown c",
		"subagents acme/agents s1:turn",
	}, p.notes("subagent"))
}

// Who was on a list without a word of what it does, is gone and comes back at work
// has another run.
func TestSubagentListWithoutActivity(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`acme/agents {"agents":[{"child":"C","title":"c"}]}`,
		`acme/agents {"agents":[]}`,
		`acme/agents {"agents":[{"child":"C","activity":"running"}]}`,
	)
	want(t, "tree", []string{"s1/C run 2 running c"}, p.tree("s1"))
}

// The list of one session ends nobody in another. One that names no session is of
// all there are, and who it ends is ended in the session it was in.
func TestSubagentListsOfTwoSessions(t *testing.T) {
	const prompt = `> session/prompt#3 {"sessionId":"s2"}`
	p := opened(t, "s1", "s2").play(
		prompt1, prompt,
		`acme/agents {"session":"s1","agents":[{"child":"C","activity":"running"}]}`,
		`acme/agents {"session":"s2","agents":[]}`,
	)
	want(t, "s1's", []string{"s1/C run 1 running"}, p.tree("s1"))

	p = opened(t, "s1", "s2").play(
		prompt1,
		`acme/agents {"agents":[{"child":"C","activity":"running"}]}`,
		end1, prompt,
		`acme/agents {"agents":[{"child":"C","activity":"running"}]}`,
		`acme/agents {"agents":[]}`,
	)
	want(t, "told", []string{
		"subagent acme/agents s1:turn started s1/C run 1 running",
		"subagents acme/agents s2:turn",
		"subagent acme/agents s1:vendor ended s1/C run 1 ended unknown",
	}, p.notes("subagent"))
}

// A call whose id comes back in a later turn, for the same child, is another run.
func TestAChildOfACallWhoseIDComesBack(t *testing.T) {
	const (
		begin = `s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}},"content":[{"type":"session","sessionId":"C"}]}`
		done  = `s1 tool_call_update {"toolCallId":"T","status":"completed"}`
	)
	p := opened(t, "s1").play(prompt1, begin, done, end1, prompt2, begin, done)
	want(t, "told", []string{
		"vendor started s1/T/C run 1 running", "vendor updated s1/T/C run 1 running t", "vendor ended s1/T/C run 1 ended completed t",
		"vendor started s1/T/C run 2 running t", "vendor ended s1/T/C run 2 ended completed t",
	}, p.runs())
}

// A launch is no completion, also if that is heard after the call's end.
func TestALaunchThatIsHeardOfLate(t *testing.T) {
	const (
		begin = `s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`
		done  = `s1 tool_call_update {"toolCallId":"T","status":"completed"}`
		bg    = `acme/agent {"call":"T","background":true}`
		over  = `acme/agent {"call":"T","activity":"ended"}`
	)
	for _, order := range [][]string{{begin, bg, done, over}, {begin, done, bg, over}} {
		p := opened(t, "s1").play(prompt1).play(order...)
		want(t, "tree", []string{"s1/T run 1 ended unknown t background"}, p.tree("s1"))
	}
}

// A child's calls close with it, also those that come when its run has ended from
// another side, and with its next run.
func TestCallsOfAChildCloseWithIt(t *testing.T) {
	const (
		done = `s1 tool_call {"toolCallId":"T","status":"completed","rawInput":{"task":{"title":"t"}},"content":[{"type":"session","sessionId":"C"}]}`
		call = `C tool_call {"toolCallId":"c","status":"pending"}`
	)
	for _, frames := range [][]string{
		{done, call, `s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`},
		{`s1 subagent_spawned {"subagentSessionId":"C"}`, `s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`,
			call, `s1 subagent_spawned {"subagentSessionId":"C"}`},
	} {
		p := opened(t, "s1").play(prompt1).play(frames...)
		if !p.call("C", "c").Ended {
			t.Errorf("open: %q", p.tree("s1"))
		}
	}
}
