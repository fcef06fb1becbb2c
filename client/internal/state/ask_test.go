package state

import (
	"encoding/json"
	"testing"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// Law 17, CUR-02: every ask is an event with all that the vendor put into it,
// whatever becomes of the ask; one without an id is nothing else.
func TestLaw17EveryAskIsAnEvent(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`acme/ask#"p-7" {"text":"# Plan","todos":[{"id":"1","content":"add cache"}]}`,
		`acme/ask {"text":"a notification"}`,
		`acme/ask#8 {"fault":"the hook"}`,
		`acme/ask#9 [1]`,
		`=1 {"stopReason":"end_turn"}`,
	)
	var q dialect.Question
	for _, e := range p.effects {
		if e.Event != nil {
			q, _ = e.Event.Payload.(dialect.Question)
			break
		}
	}
	if q.Text != "# Plan" || len(q.Todos) != 1 {
		t.Errorf("the event is %+v", q)
	}
	want(t, "told", []string{
		"began turn s1",
		"question acme/ask s1:turn # Plan", `request "p-7" s1:turn`,
		"question acme/ask s1:turn a notification",
		"notice acme/ask s1:turn The agent's acme/ask could not be read and was declined", "end 8 undecodable", "settled 8 undecodable",
		"notice acme/ask s1:turn The agent's acme/ask could not be read and was declined", "end 9 undecodable", "settled 9 undecodable",
		`end "p-7" turn_end`, `settled "p-7" turn_end`,
		"ended turn s1 end_turn", "answer session/prompt",
	}, p.notes())
}

// Law 16: our session/cancel ends what is open and what comes before the turn's
// answer, in the session and its children; nothing of another session.
func TestLaw16Cancel(t *testing.T) {
	const permission = `session/request_permission`
	p := opened(t, "s1", "s2").play(
		prompt1,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`C subagent_spawned {"subagentSessionId":"D"}`,
		permission+`#11 {"sessionId":"s1","toolCall":{"toolCallId":"t"},"options":[]}`,
		permission+`#12 {"sessionId":"D","toolCall":{"toolCallId":"t"},"options":[]}`,
		`acme/ask#13 {"session":"C"}`,
		`acme/ask#14 {"session":"s2"}`,
		`acme/ask#15 {"text":"whose?"}`,
		`fs/read_text_file#16 {"sessionId":"s1"}`,
	)
	p.effects = nil
	p.play(`> session/cancel {"sessionId":"s1"}`)
	want(t, "what is open", []string{"settled 11 cancelled", "settled 12 cancelled", "settled 13 cancelled"}, p.notes("settled"))
	p.play(
		permission+`#21 {"sessionId":"s1","toolCall":{"toolCallId":"u"},"options":[]}`,
		permission+`#22 {"sessionId":"D","toolCall":{"toolCallId":"u"},"options":[]}`,
		`E tool_call {"toolCallId":"e"}`,
		permission+`#23 {"sessionId":"E","toolCall":{"toolCallId":"e"},"options":[]}`,
		`acme/ask#24 {"session":"s2"}`,
		`acme/ask#25 {"text":"whose?"}`,
	)
	want(t, "what comes", []string{"settled 21 cancelled", "settled 22 cancelled"}, p.notes("settled"))
	p.play(`C subagent_spawned {"subagentSessionId":"E"}`)
	want(t, "what turns out to be inside", []string{"settled 23 cancelled"}, p.notes("settled"))
	p.play(`> session/cancel {"sessionId":"s2"}`)
	want(t, "whosever it is", []string{"settled 14 cancelled", "settled 15 cancelled", "settled 24 cancelled", "settled 25 cancelled"}, p.notes("settled"))
	p.play(
		`=1 {"stopReason":"cancelled"}`,
		`> session/prompt#3 {"sessionId":"s1"}`,
		permission+`#31 {"sessionId":"s1","toolCall":{"toolCallId":"v"},"options":[]}`,
	)
	want(t, "the next turn", []string{"request 31 s1:vendor"}, p.notes("settled", "request"))
}

// A cancelled child's asks are declined until its parent's turn is over; its
// parent's and its siblings' are not.
func TestLaw16CancelOfAChild(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`C subagent_spawned {"subagentSessionId":"D"}`,
		`s1 subagent_spawned {"subagentSessionId":"E"}`,
		`acme/ask#11 {"session":"C"}`, `acme/ask#12 {"session":"D"}`, `acme/ask#13 {"session":"E"}`, `acme/ask#14 {"session":"s1"}`,
		`> session/cancel {"sessionId":"C"}`,
		`acme/ask#21 {"session":"C"}`, `acme/ask#22 {"session":"D"}`, `acme/ask#23 {"session":"E"}`, `acme/ask#24 {"session":"s1"}`,
	)
	want(t, "cancelled", []string{"settled 11 cancelled", "settled 12 cancelled", "settled 21 cancelled", "settled 22 cancelled"}, p.notes("settled"))
	p.play(end1)
	want(t, "at the end", []string{"settled 13 turn_end", "settled 14 turn_end", "settled 23 turn_end", "settled 24 turn_end"}, p.notes("settled"))
	p.play(prompt2, `acme/ask#31 {"session":"C"}`, `> session/cancel {"sessionId":"nobody"}`)
	want(t, "the next turn", []string{"request 31 C:vendor"}, p.notes("settled", "request"))
}

// Law 16: an ask ends with the turn it came in: a child's with its parent's, one
// whose session is not known with the last it may belong to, one outside any turn
// with none.
func TestLaw16TheEndOfTheTurn(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		`acme/ask#10 {"session":"s1"}`,
		prompt1,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`> session/prompt#3 {"sessionId":"s1"}`,
		`s1 subagent_spawned {"subagentSessionId":"C"}`,
		`acme/ask#11 {"session":"C"}`,
		`acme/ask#12 {"text":"whose?"}`,
		`acme/ask#13 {"connection":true}`,
		`acme/ask#14 {"session":"s2"}`,
		`acme/ask#15 {"session":"nobody"}`,
		`fs/read_text_file#16 {"sessionId":"s1"}`,
	)
	p.effects = nil
	p.play(end1)
	want(t, "s1's first turn", []string{"end 11 turn_end", "settled 11 turn_end", "end 16 turn_end", "ended turn s1 end_turn"}, p.notes("settled", "end"))
	p.play(`=2 {"stopReason":"end_turn"}`)
	want(t, "s2's turn", []string{"settled 14 turn_end"}, p.notes("settled"))
	p.play(`=3 {"stopReason":"end_turn"}`)
	want(t, "s1's second turn", []string{"settled 12 turn_end", "settled 15 turn_end"}, p.notes("settled"))
	p.play(`> disconnect`)
	want(t, "the connection", []string{"settled 10 closed", "settled 13 closed"}, p.notes("settled"))
}

// $/cancel_request ends every open request with that very id; ids are tokens.
func TestLaw16CancelRequest(t *testing.T) {
	p := opened(t, "s1").play(
		prompt1,
		`acme/ask#7 {}`, `acme/ask#7 {}`, `acme/ask#"7" {}`, `fs/read_text_file#8 {"sessionId":"s1"}`,
	)
	p.effects = nil
	p.play(`$/cancel_request {"requestId":7}`, `$/cancel_request {"requestId":8}`, `$/cancel_request {"requestId":9}`, `$/cancel_request {}`, `$/cancel_request#1 {"requestId":"7"}`)
	want(t, "told", []string{
		"end 7 cancelled", "settled 7 cancelled", "end 7 cancelled", "settled 7 cancelled",
		"end 8 cancelled",
		"stray $/cancel_request cancels a request that is not open",
		"stray $/cancel_request cancels a request that is not open",
		`end "7" cancelled`, `settled "7" cancelled`,
		"reply 1 -32601", "stray $/cancel_request nobody registered this method",
	}, p.notes())
}

// What the agent withdraws is declined, if it is certain which ask is meant.
func TestWithdrawn(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		prompt1,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`acme/ask#7 {"session":"s1","call":"T"}`,
		`acme/ask#8 {"session":"s2","call":"T"}`,
		`session/request_permission#9 {"sessionId":"s2","toolCall":{"toolCallId":"P"},"options":[]}`,
		`fs/read_text_file#10 {"sessionId":"s1"}`,
	)
	p.effects = nil
	p.play(`acme/withdrawn {"call":"T"}`, `acme/withdrawn {"agent":"A"}`)
	want(t, "which T?", []string{}, p.notes("settled"))
	p.play(`acme/withdrawn {"session":"s2","call":"T"}`, `acme/withdrawn {"call":"P"}`)
	want(t, "told", []string{
		"settled 8 cancelled", "withdrawn acme/withdrawn s2:vendor",
		"settled 9 cancelled", "withdrawn acme/withdrawn s2:tool_call matched",
	}, p.notes("settled", "withdrawn"))
	p.play(`acme/withdrawn {"call":"T"}`)
	want(t, "the one that is left", []string{"settled 7 cancelled"}, p.notes("settled"))
}

// A request is settled once. The decline of an ask is the vendor's own, of a
// permission request "cancelled"; a request that is for nobody to decide is
// answered that it was cancelled.
func TestSettleAndDecline(t *testing.T) {
	p := opened(t, "s1").play(
		`acme/ask#7 {}`,
		`session/request_permission#8 {"sessionId":"s1","toolCall":{},"options":[{"optionId":"a"},{"optionId":7},{}]}`,
		`fs/read_text_file#9 {"sessionId":"s1"}`,
	)
	guard := func(_, _ string, f func()) bool { f(); return true }
	var declines []string
	for _, r := range p.OpenRequests() {
		v, e := Decline(r, guard)
		raw, _ := json.Marshal(v)
		if e != nil {
			raw, _ = json.Marshal(e)
		}
		declines = append(declines, string(raw))
		if effects, ok := p.Settle(r, Settled{}); !ok || (len(effects) > 0) != (r.Ask() || r.Permission()) {
			t.Errorf("settling %s gave %v, %v", r.ID, effects, ok)
		}
		if effects, ok := p.Settle(r, Settled{}); ok || len(effects) > 0 {
			t.Errorf("settling %s again gave %v, %v", r.ID, effects, ok)
		}
	}
	want(t, "declines", []string{
		`{"said":"nothing"}`, `{"outcome":{"outcome":"cancelled"}}`, `{"code":-32800,"message":"Request cancelled"}`,
	}, declines)
	r := &Request{Registered: p.lookup("acme/ask"), Method: "acme/ask"}
	if _, e := Decline(r, func(_, _ string, _ func()) bool { return false }); e == nil || e.Code != wire.CodeInternal {
		t.Errorf("a decline whose hook failed is %v", e)
	}
}

// A permission request that names no session cannot be placed.
func TestPermissionWithoutSession(t *testing.T) {
	p := opened(t, "s1").play(
		`session/request_permission#8 {"toolCall":{"toolCallId":"T"},"options":[]}`,
		`session/request_permission#9 7`,
		`session/request_permission {"sessionId":"s1"}`,
	)
	want(t, "told", []string{
		"reply 8 -32602", "stray session/request_permission a permission request without sessionId",
		"reply 9 -32602", "stray session/request_permission a permission request without sessionId",
		"stray session/request_permission nobody registered this method",
	}, p.notes())
}

// A request under a session that nobody has announced belongs to the turns in
// flight: their end and their cancel are its own. It may be a child's to come.
func TestAsksOfAnUnannouncedSession(t *testing.T) {
	const ask = `session/request_permission#5 {"sessionId":"X","toolCall":{"toolCallId":"x"},"options":[]}`
	for name, frames := range map[string][]string{
		"turn_end":  {prompt1, ask, end1},
		"cancelled": {prompt1, ask, `> session/cancel {"sessionId":"s1"}`},
	} {
		p := opened(t, "s1").play(frames...)
		want(t, name, []string{"settled 5 " + name}, p.notes("settled"))
	}
	p := opened(t, "s1").play(prompt1, `X agent_message_chunk {}`, `acme/ask#5 {"session":"X"}`, end1)
	want(t, "an ask", []string{"settled 5 turn_end"}, p.notes("settled"))
	p = opened(t, "s1", "s2").play(prompt1, ask, `> session/prompt#3 {"sessionId":"s2"}`, `s1 subagent_spawned {"subagentSessionId":"X"}`, `> session/cancel {"sessionId":"s1"}`)
	want(t, "announced later", []string{"settled 5 cancelled"}, p.notes("settled"))
}
