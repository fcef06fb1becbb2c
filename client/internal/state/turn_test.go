package state

import (
	"fmt"
	"testing"
)

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

// A prompt that never began work (refused, taken back, answered first) ends nothing
// of the turn before it.
func TestASecondPromptEndsNothingOfTheFirst(t *testing.T) {
	for _, how := range []string{`=2! {}`, `> withdraw 2`, end2} {
		p := opened(t, "s1").play(prompt1, `s1 tool_call {"toolCallId":"T","status":"in_progress","rawInput":{"task":{"title":"t"}}}`, prompt2)
		p.effects = nil
		p.play(how)
		if c := p.call("s1", "T"); c.Ended {
			t.Errorf("%s: the call is closed, unknown %v", how, c.Unknown)
		}
		want(t, how, []string{}, p.notes("subagent"))
		p.play(end1)
		want(t, how, []string{"subagent session/prompt s1:vendor ended s1/T run 1 ended unknown t"}, p.notes("subagent"))
	}
}
