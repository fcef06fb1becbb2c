package state

import (
	"fmt"
	"testing"
)

// ORD-03: what comes for a session before the answer that names it is told at
// once, under its id; if the call fails, its record goes.
func TestORD03UpdatesBeforeTheSessionIsKnown(t *testing.T) {
	p := opened(t).play(
		`> session/new#1 {"cwd":"/w"}`,
		`s-new available_commands_update {}`,
		`s-new usage_update {"used":1,"size":2}`,
		`=1 {"sessionId":"s-new"}`,
		`s-new available_commands_update {}`,
	)
	want(t, "told", []string{
		"update s-new available_commands_update",
		"update s-new usage_update", "usage session/update s-new:vendor",
		"opened s-new", "answer session/new",
		"update s-new available_commands_update",
	}, p.notes())
	p.play(
		`> session/new#2 {"cwd":"/w"}`,
		`s-lost tool_call {"toolCallId":"T"}`,
		`acme/ask#7 {"session":"s-lost","text":"open"}`,
		`=2! {}`,
	)
	if p.sessions["s-lost"] != nil || len(p.calls["T"]) > 0 {
		t.Error("the record of a session that was never opened is still there")
	}
	want(t, "its ask", []string{"settled 7 closed"}, p.notes("settled", "closed"))
}

// With two calls under way, what is heard of a session nobody knows may be about
// either: it goes when the last of them fails.
func TestTwoSessionsBeingOpened(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		kept    bool
	}{
		{"both fail", []string{`=1! {}`, `=2! {}`}, false},
		{"the second fails first", []string{`=2! {}`, `=1! {}`}, false},
		{"one fails", []string{`=1! {}`}, true},
		{"the other is named", []string{`=1! {}`, `=2 {"sessionId":"other"}`}, true},
		{"it is named", []string{`=2 {"sessionId":"X"}`, `=1! {}`}, true},
		{"one is withdrawn", []string{`> withdraw 1`, `=2! {}`}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t).play(
				`> session/new#1 {"cwd":"/"}`,
				`> session/new#2 {"cwd":"/"}`,
				`X agent_message_chunk {}`,
			).play(c.answers...)
			if kept := p.sessions["X"] != nil; kept != c.kept {
				t.Errorf("kept: %v, want %v", kept, c.kept)
			}
		})
	}
	p := opened(t).play(`X agent_message_chunk {}`, `> session/new#1 {"cwd":"/"}`, `=1! {}`)
	if p.sessions["X"] == nil {
		t.Error("a session that was heard of before the call went with it")
	}
}

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
				"subagent session/update s1:vendor started s1/C run 1 running completed c",
				"subagent session/update s1:vendor ended s1/C run 1 ended completed c",
			}, p.notes())
			want(t, "tree", []string{"s1/C run 1 ended completed c", "s1/T run 1 running live"}, p.tree("s1"))
		})
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

// Closing a session ends what is open in it and its children, and forgets them.
func TestCloseSession(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		prompt1,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`C subagent_spawned {"subagentSessionId":"D"}`,
		`D tool_call {"toolCallId":"d"}`,
		`session/request_permission#5 {"sessionId":"D","toolCall":{"toolCallId":"d"},"options":[]}`,
		`fs/read_text_file#6 {"sessionId":"s1"}`,
		`acme/ask#7 {"session":"s2"}`,
		`acme/note {"session":"C","call":"never","text":"waits"}`,
		`> session/close#8 {"sessionId":"s1"}`,
	)
	p.effects = nil
	p.play(`=8 {}`)
	want(t, "told", []string{
		"end 5 closed", "settled 5 closed", "end 6 closed",
		"notice acme/note C:vendor waits", "ended turn s1",
		"subagent session/close C:vendor ended C/D run 1 ended unknown", "closed D",
		"subagent session/close s1:vendor ended s1/C run 1 ended unknown", "closed C",
		"closed s1", "answer session/close",
	}, p.notes())
	if len(p.sessions) != 1 || len(p.children) != 0 || len(p.byChild) != 0 || len(p.calls) != 0 || len(p.flight) != 0 {
		t.Errorf("left: %d sessions, %d children, %d calls, %d turns", len(p.sessions), len(p.children), len(p.calls), len(p.flight))
	}
	p.play(`=1 {"stopReason":"end_turn"}`)
	want(t, "the prompt's late answer", []string{"answer session/prompt"}, p.notes())
}

// Sessions that nobody opened are bounded: the oldest goes first.
func TestStraysAreBounded(t *testing.T) {
	p := opened(t, "s1")
	for i := range maxStrays + 100 {
		p.play(fmt.Sprintf(`x%d tool_call {"toolCallId":"T","rawInput":{"task":{}}}`, i))
		p.effects = nil
	}
	if len(p.sessions) != maxStrays+1 || len(p.calls["T"]) != maxStrays || p.sessions["x0"] != nil || p.sessions["s1"] == nil {
		t.Errorf("%d sessions", len(p.sessions))
	}
}

// Law 16: an abandoned prompt is cancelled and in flight until its late answer.
func TestLaw16AbandonedPrompt(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`> abandon 1`,
		`acme/ask#7 {"text":"late"}`,
		`s1 tool_call {"toolCallId":"T","status":"pending"}`,
		`=1 {"stopReason":"cancelled"}`,
	)
	want(t, "told", []string{
		"began turn s1", "question acme/ask s1:turn late", "end 7 cancelled", "settled 7 cancelled",
		"update s1 tool_call", "ended turn s1 cancelled", "answer session/prompt",
	}, p.notes())
	if c := p.call("s1", "T"); !c.Unknown {
		t.Errorf("the call is %+v", c)
	}
}

// Law 16: the session's next prompt ends the abandoned turn, and its late answer
// ends nothing.
func TestLaw16TheNextPromptEndsAnAbandonedTurn(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#5 {"sessionId":"s1"}`,
		prompt1, `> abandon 1`,
		`acme/ask#7 {"text":"of the first, which was cancelled with the other"}`,
		`=5 {"stopReason":"end_turn"}`,
		`acme/note {"call":"never","text":"of the abandoned"}`,
		prompt2,
		`acme/ask#8 {"text":"of the next"}`,
		end1,
		end2,
	)
	want(t, "told", []string{
		"began turn s1", "began turn s1",
		"end 7 cancelled", "settled 7 cancelled",
		"ended turn s1 end_turn",
		"ended turn s1", "began turn s1",
		"request 8 s1:turn",
		"stray  an answer nobody waits for",
		"end 8 turn_end", "settled 8 turn_end",
		"ended turn s1 end_turn",
	}, p.notes("began", "ended", "end", "settled", "request", "stray"))
}

// A prompt that was never sent was no turn: what was of the last one is still.
func TestAPromptThatWasNeverSent(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1, `s1 tool_call {"toolCallId":"T","status":"completed"}`, end1,
		prompt2, `> withdraw 2`,
		`acme/note {"call":"T","text":"joins"}`,
	)
	want(t, "told", []string{"notice acme/note s1:tool_call matched joins"}, p.notes("notice"))
	if p.PromptSession("2") != "" || len(p.pending) != 0 {
		t.Error("the prompt is still pending")
	}
}

// Answers that come out of order end their own turns.
func TestAnswersOutOfOrder(t *testing.T) {
	p := opened(t, "s1").play(prompt1, prompt2, end2, `acme/ask#7 {"text":"x"}`, end1)
	want(t, "told", []string{
		"began turn s1", "began turn s1", "ended turn s1 end_turn", "answer session/prompt",
		"question acme/ask s1:turn x", "request 7 s1:turn", "end 7 turn_end", "settled 7 turn_end",
		"ended turn s1 end_turn", "answer session/prompt",
	}, p.notes())
}

// The last calls that nobody waits for are remembered: a late answer to
// session/new still opens the session.
func TestLateAnswers(t *testing.T) {
	p := opened(t).play(`> session/new#1 {"cwd":"/"}`, `> abandon 1`, `=1 {"sessionId":"late"}`)
	want(t, "told", []string{"opened late", "answer session/new"}, p.notes())
	for i := range 2 * maxAbandoned {
		p.play(fmt.Sprintf(`> session/new#%d {"cwd":"/"}`, i), fmt.Sprintf(`> abandon %d`, i))
	}
	if len(p.pending) != maxAbandoned || len(p.opening) != maxAbandoned || len(p.abandoned) != maxAbandoned {
		t.Errorf("%d calls are pending, %d are opening sessions", len(p.pending), len(p.opening))
	}
}

// A vendor's marks of one turn are delivered once, those without an id each time.
func TestTurnMarks(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		prompt1,
		`acme/turn {"id":"a"}`, `acme/turn {"session":"s1","id":"a"}`, `acme/turn {"session":"s2","id":"a"}`,
		`acme/turn {"id":"a","began":true}`, `acme/turn {"id":"a","began":true}`,
		`acme/turn {}`, `acme/turn {}`,
		`acme/turn {"connection":true,"id":"a"}`, `acme/turn {"connection":true,"id":"a"}`,
	)
	want(t, "told", []string{
		"turn acme/turn s1:turn a", "turn acme/turn s2:vendor a", "turn acme/turn s1:turn a",
		"turn acme/turn s1:turn", "turn acme/turn s1:turn", "turn acme/turn :connection a",
	}, p.notes("turn"))
	for i := range 1000 {
		p.play(fmt.Sprintf(`acme/turn {"id":"%d"}`, i))
	}
	if n := len(p.sessions["s1"].marks); n != maxTurnMarks {
		t.Errorf("%d marks are remembered", n)
	}
}

// An owner that does not show prompts: a session's first frame begins a turn, and
// EndTurn ends it.
func TestImplicitTurns(t *testing.T) {
	p := newPlayer(t, acme())
	p.State = New(acme(), Config{Implicit: true})
	p.play(
		`s1 tool_call {"toolCallId":"T"}`,
		`acme/note {"call":"T","text":"joins"}`,
		`acme/note {"call":"U","text":"waits"}`,
		`s1 subagent_update {"sessionId":"C"}`,
		`C agent_message_chunk {}`,
		`acme/ask#7 {"text":"x"}`,
		`> end s1`,
		`> end s1`,
		`> end nobody`,
	)
	want(t, "told", []string{
		"began turn s1", "update s1 tool_call",
		"notice acme/note s1:tool_call matched joins",
		"update s1 subagent_update", "opened C in s1", "subagent session/update s1:vendor started s1/C run 1 running",
		"update C agent_message_chunk",
		"question acme/ask s1:turn x", "request 7 s1:turn",
		"end 7 turn_end", "settled 7 turn_end",
		"notice acme/note s1:turn waits", "ended turn s1",
	}, p.notes())
}
