package state

import "testing"

// Law 12: where a report belongs, rule by rule. Two candidates mean unknown.
func TestLaw12Resolution(t *testing.T) {
	const (
		prompt1 = `> session/prompt#1 {"sessionId":"s1"}`
		prompt2 = `> session/prompt#2 {"sessionId":"s2"}`
		end1    = `=1 {"stopReason":"end_turn"}`
		end2    = `=2 {"stopReason":"end_turn"}`
	)
	for _, c := range []struct {
		name     string
		sessions []string
		before   []string
		link     string
		where    string // session:how, and whether it joined
	}{
		{"the vendor's word", []string{"s1", "s2"}, []string{prompt1}, `"session":"s2"`, "s2:vendor"},
		{"the vendor's word, of a session nobody knows", []string{"s1"}, nil, `"session":"s9"`, "s9:vendor"},
		{"the vendor's word, with a call", []string{"s1", "s2"}, []string{prompt1, `s2 tool_call {"toolCallId":"T"}`}, `"session":"s2","call":"T"`, "s2:vendor matched"},
		{"the vendor's word against a call of another session", []string{"s1", "s2"}, []string{prompt1, prompt2, `s1 tool_call {"toolCallId":"T"}`, `s2 tool_call {"toolCallId":"T"}`}, `"session":"s2","call":"T"`, "s2:vendor matched"},
		{"the turn that knows the call", []string{"s1", "s2"}, []string{prompt1, prompt2, `s2 tool_call {"toolCallId":"T"}`}, `"call":"T"`, "s2:tool_call matched"},
		{"a call known by permission alone", []string{"s1", "s2"}, []string{prompt1, prompt2, `session/request_permission#9 {"sessionId":"s2","toolCall":{"toolCallId":"T"},"options":[]}`}, `"call":"T"`, "s2:tool_call matched"},
		{"two turns know the call", []string{"s1", "s2"}, []string{prompt1, prompt2, `s1 tool_call {"toolCallId":"T"}`, `s2 tool_call {"toolCallId":"T"}`}, `"call":"T"`, ":unknown"},
		{"a turn in flight counts before one that ended", []string{"s1", "s2"}, []string{prompt1, `s1 tool_call {"toolCallId":"T"}`, end1, prompt2, `s2 tool_call {"toolCallId":"T"}`}, `"call":"T"`, "s2:tool_call matched"},
		{"no turn in flight: the last turn that knows it", []string{"s1", "s2"}, []string{prompt1, `s1 tool_call {"toolCallId":"T"}`, end1, prompt2, end2}, `"call":"T"`, "s1:tool_call matched"},
		{"no turn in flight: two last turns know it", []string{"s1", "s2"}, []string{prompt1, `s1 tool_call {"toolCallId":"T"}`, end1, prompt2, `s2 tool_call {"toolCallId":"T"}`, end2}, `"call":"T"`, ":unknown"},
		{"not the last turn but the one before", []string{"s1"}, []string{prompt1, `s1 tool_call {"toolCallId":"T"}`, end1, `> session/prompt#3 {"sessionId":"s1"}`, `=3 {"stopReason":"end_turn"}`}, `"call":"T"`, "s1:only"},
		{"the child whose call it is", []string{"s1", "s2"}, []string{prompt1, prompt2, `s1 subagent_update {"sessionId":"C"}`, `C tool_call {"toolCallId":"T"}`}, `"call":"T"`, "C:tool_call matched"},
		{"a child of an idle session", []string{"s1", "s2"}, []string{`s1 subagent_update {"sessionId":"C"}`, `C tool_call {"toolCallId":"T"}`, prompt2}, `"call":"T"`, "s2:turn"},
		{"the parent of a child that is known", []string{"s1", "s2"}, []string{prompt1, prompt2, `s1 subagent_update {"sessionId":"C"}`}, `"child":"C"`, "s1:vendor"},
		{"the one turn in flight", []string{"s1", "s2"}, []string{prompt2}, `"agent":"A"`, "s2:turn"},
		{"two prompts of one session in flight", []string{"s1", "s2"}, []string{prompt2, `> session/prompt#3 {"sessionId":"s2"}`}, `"agent":"A"`, "s2:turn"},
		{"two turns in flight", []string{"s1", "s2"}, []string{prompt1, prompt2}, `"agent":"A"`, ":unknown"},
		{"the only session", []string{"s1"}, nil, `"agent":"A"`, "s1:only"},
		{"the only session, children do not count", []string{"s1"}, []string{`s1 subagent_update {"sessionId":"C"}`, `C agent_message_chunk {}`, `stray agent_message_chunk {}`}, `"agent":"A"`, "s1:only"},
		{"the only session left", []string{"s1", "s2"}, []string{`> session/close#7 {"sessionId":"s1"}`, `=7 {}`}, `"agent":"A"`, "s2:only"},
		{"two sessions", []string{"s1", "s2"}, nil, `"agent":"A"`, ":unknown"},
		{"no session", nil, nil, `"agent":"A"`, ":unknown"},
		{"the connection", []string{"s1"}, []string{prompt1}, `"connection":true,"session":"s1"`, ":connection"},
		{"a prompt that was abandoned is in flight", []string{"s1", "s2"}, []string{prompt1, `> abandon 1`}, `"agent":"A"`, "s1:turn"},
		{"history is not known", []string{"s2"}, []string{`> session/load#5 {"sessionId":"s1"}`, `s1 tool_call {"toolCallId":"T"}`, `=5 {}`}, `"call":"T"`, ":unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t, c.sessions...).play(c.before...)
			p.effects = nil
			p.play(`acme/note {"text":"x",`+c.link+`}`, `> disconnect`)
			want(t, "where", []string{"notice acme/note " + c.where + " x"}, p.notes("notice"))
		})
	}
}

// Law 12: an ask is placed by the same rules, and what it is answered with too.
func TestLaw12AsksArePlacedAlike(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`s2 tool_call {"toolCallId":"T"}`,
		`acme/ask#7 {"call":"T","text":"of s2"}`,
		`acme/ask#8 {"text":"of either"}`,
	)
	want(t, "asks", []string{
		"question acme/ask s2:tool_call matched of s2", "request 7 s2:tool_call",
		"question acme/ask :unknown of either", "request 8 :unknown",
	}, p.notes("question", "request"))
}
