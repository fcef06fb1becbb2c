package state

import (
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

// Section 6: what a load replays is history until its answer and on to the first
// prompt, opens no runs, and nothing joins it.
func TestHistory(t *testing.T) {
	for _, call := range []string{"session/load", "session/resume"} {
		t.Run(call, func(t *testing.T) {
			p := opened(t)
			p.play(
				`> `+call+`#1 {"sessionId":"s1","cwd":"/w"}`,
				`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
				`=1 {}`,
				`s1 tool_call_update {"toolCallId":"T","status":"completed","rawOutput":{"background":false}}`,
				`s1 subagent_spawned {"subagentSessionId":"C","name":"c"}`,
				`C agent_message_chunk {}`,
				`acme/agent {"call":"T","model":"m"}`,
			)
			want(t, "told", []string{
				"update s1 tool_call history", "subagent session/update s1:vendor history updated s1/T run 0 running t",
				"opened s1", "answer " + call,
				"update s1 tool_call_update history", "subagent session/update s1:vendor history updated s1/T run 0 ended completed t",
				"update s1 subagent_spawned history", "opened C in s1", "subagent session/update s1:vendor history updated s1/C run 0 running c",
				"update C agent_message_chunk history",
				"subagent acme/agent s1:only history updated s1/T run 0 ended completed t m",
			}, p.notes())
			if c := p.call("s1", "T"); !c.History {
				t.Errorf("the record is %+v", c)
			}
			p.play(prompt1)
			want(t, "void from the first prompt", []string{}, p.tree("s1"))
			p.play(
				`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"live"}}}`,
				`C agent_message_chunk {}`,
				`s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`,
			)
			want(t, "live", []string{
				"began turn s1",
				"update s1 tool_call", "subagent session/update s1:vendor started s1/T run 1 running live",
				"update C agent_message_chunk",
				"update s1 subagent_state_update",
				"subagent session/update s1:vendor started s1/C run 1 running c",
				"subagent session/update s1:vendor ended s1/C run 1 ended completed c",
			}, p.notes())
			want(t, "tree", []string{"s1/C run 1 ended completed c", "s1/T run 1 running live"}, p.tree("s1"))
		})
	}
}

// An ask is no history, and its answer ends the replay: the agent goes on with a
// turn of its own. A decline does not, nor does an answer while the load's own is
// still to come.
func TestAnAnsweredAskEndsTheReplay(t *testing.T) {
	const load, ask, spawned = `> session/load#1 {"sessionId":"s1","cwd":"/w"}`, `acme/ask#7 {"session":"s1","text":"go on?"}`, `s1 subagent_spawned {"subagentSessionId":"C"}`
	accepted := Settled{Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted}}
	for _, c := range []struct {
		name   string
		frames []string
		how    Settled
		want   string
	}{
		{"answered", []string{load, `=1 {}`, ask}, accepted, "subagent session/update s1:vendor started s1/C run 1 running"},
		{"declined", []string{load, `=1 {}`, ask}, Settled{Reason: NoHandler}, "subagent session/update s1:vendor history updated s1/C run 0 running"},
		{"loading", []string{load, ask}, accepted, "subagent session/update s1:vendor history updated s1/C run 0 running"},
	} {
		p := opened(t).play(c.frames...)
		want(t, c.name, []string{"question acme/ask s1:vendor go on?"}, p.notes("question"))
		p.Settle(p.open[0], c.how)
		p.play(spawned)
		want(t, c.name, []string{c.want}, p.notes("subagent"))
	}
}

// The agent's own word that a turn began ends the replay too.
func TestTheAgentsOwnTurnEndsTheReplay(t *testing.T) {
	p := opened(t).play(
		`> session/load#1 {"sessionId":"s1","cwd":"/w"}`, `=1 {}`,
		`acme/turn {"session":"s1","id":"t1","began":true}`,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
	)
	want(t, "told", []string{"subagent session/update s1:vendor started s1/C run 1 running"}, p.notes("subagent"))
}

// A load that fails leaves nothing of a session nobody knew, and nothing changed
// of one of ours.
func TestALoadThatFails(t *testing.T) {
	for _, answer := range []string{`=7! {}`, `> withdraw 7`} {
		p := opened(t, "s1").play(
			`> session/load#7 {"sessionId":"s9","cwd":"/"}`, `s9 tool_call {"toolCallId":"T"}`, answer,
			`> session/load#7 {"sessionId":"s1","cwd":"/"}`, answer,
			`s1 agent_message_chunk {}`,
		)
		if p.sessions["s9"] != nil {
			t.Error("the session is still there")
		}
		want(t, "told", []string{"update s9 tool_call history", "update s1 agent_message_chunk"}, p.notes("update"))
	}
}

// A session that is loaded while its turn is in flight is live when the load is
// over.
func TestALoadInATurn(t *testing.T) {
	p := opened(t, "s1").play(prompt1,
		`s1 tool_call {"toolCallId":"T","title":"live","status":"pending"}`,
		`> session/load#7 {"sessionId":"s1","cwd":"/"}`,
		`s1 tool_call {"toolCallId":"T","title":"replayed","status":"completed"}`,
		`=7 {}`,
		`s1 agent_message_chunk {}`,
	)
	want(t, "told", []string{"update s1 tool_call", "update s1 tool_call history", "update s1 agent_message_chunk"}, p.notes("update"))
}

// A fork's history comes before its answer, under an id that the answer names,
// or after it. Another session that is first heard of meanwhile is not replayed.
func TestFork(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/fork#1 {"sessionId":"s1","cwd":"/"}`,
		`s2 tool_call {"toolCallId":"T","status":"completed"}`,
		`other agent_message_chunk {}`,
		`=1 {"sessionId":"s2"}`,
		`s2 agent_message_chunk {}`,
		`other agent_message_chunk {}`,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`s2 agent_message_chunk {}`,
		`> session/fork#3 {"sessionId":"s1","cwd":"/"}`,
		`=3 {"sessionId":"s3"}`,
		`s3 agent_message_chunk {}`,
		`s1 agent_message_chunk {}`,
	)
	want(t, "told", []string{
		"update s2 tool_call history", "update other agent_message_chunk history",
		"update s2 agent_message_chunk history", "update other agent_message_chunk",
		"update s2 agent_message_chunk",
		"update s3 agent_message_chunk history", "update s1 agent_message_chunk",
	}, p.notes("update"))
}

// A subagent's session that the client loads is one of its own from then on.
func TestLoadingASubagentsSession(t *testing.T) {
	p := opened(t, "s1").play(prompt1, `s1 subagent_spawned {"subagentSessionId":"C"}`, `acme/note {"session":"C","call":"c","text":"x"}`, end1,
		`acme/note {"session":"C","call":"d","text":"y"}`, `> session/load#7 {"sessionId":"C","cwd":"/"}`)
	want(t, "what waited is told", []string{"notice acme/note C:vendor x", "notice acme/note C:vendor y"}, p.notes("notice"))
	p.effects = nil
	p.play(`C tool_call {"toolCallId":"x"}`, `=7 {}`)
	want(t, "replayed", []string{"update C tool_call history"}, p.notes("update"))
	p.play(`> session/prompt#8 {"sessionId":"C"}`, `acme/ask#9 {"session":"C"}`, `=8 {"stopReason":"end_turn"}`)
	want(t, "its turn", []string{"settled 9 turn_end"}, p.notes("settled"))
}
