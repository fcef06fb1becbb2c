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
