package state

import (
	"fmt"
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

// Subagents are bounded: the oldest that ended go first, and one that still runs
// is ended before it goes. Their sessions go with them.
func TestSubagentsAreBounded(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	for i := range 3000 {
		p.play(fmt.Sprintf(`s1 subagent_spawned {"subagentSessionId":"C%d"}`, i), fmt.Sprintf(`C%d tool_call {"toolCallId":"c"}`, i))
		if i%2 == 0 {
			p.play(fmt.Sprintf(`s1 subagent_state_update {"subagentSessionId":"C%d","state":"completed"}`, i))
		}
	}
	began, ended := 0, 0
	for _, line := range p.runs() {
		switch {
		case strings.HasPrefix(line, "vendor started"):
			began++
		case strings.HasPrefix(line, "vendor ended"):
			ended++
		}
	}
	running := 0
	for _, a := range p.Subagents("s1") {
		if a.Activity == "running" {
			running++
		}
	}
	if began != 3000 || ended != began-running {
		t.Errorf("%d began, %d ended, %d run", began, ended, running)
	}
	if len(p.children) != maxChildren || len(p.sessions) > maxChildren+1 || len(p.byChild) != maxChildren || len(p.calls["c"]) > maxChildren {
		t.Errorf("%d children in %d sessions", len(p.children), len(p.sessions))
	}
}

// A record's texts count, too, and long ones go first of all.
func TestTitlesAreBounded(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	big := strings.Repeat("x", 1<<20)
	for i := range 100 {
		p.play(fmt.Sprintf(`s1 tool_call {"toolCallId":"%d","title":%q,"name":"n","status":"completed"}`, i, big))
		p.effects = nil
	}
	if n := p.sessions["s1"].bytes; n > maxCallBytes || n < maxCallBytes/2 {
		t.Errorf("%d bytes are kept", n)
	}
	if first, last := p.call("s1", "0"), p.call("s1", "99"); first.Title != "" || first.Name != "n" || last.Title != big {
		t.Errorf("titles of %d and %d bytes, name %q", len(first.Title), len(last.Title), first.Name)
	}
}

// A subagent goes by its last ids only.
func TestAgentIDsAreBounded(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	for i := range 1000 {
		p.play(fmt.Sprintf(`acme/agent {"child":"C","agent":"a%d"}`, i))
	}
	if len(p.children) != 1 || len(p.byAgent) > maxAgentKeys {
		t.Errorf("%d subagents go by %d ids", len(p.children), len(p.byAgent))
	}
}

// So are the texts about subagents.
func TestTextsAboutSubagentsAreBounded(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	big := strings.Repeat("x", 1<<20)
	for i := range 200 {
		p.play(fmt.Sprintf(`s1 subagent_spawned {"subagentSessionId":"C%d","task":%q}`, i, big))
		p.effects = nil
		if n := p.childBytes(); n > maxChildBytes+len(big) {
			t.Fatalf("%d bytes are kept after %d subagents", n, i+1)
		}
	}
	if n := len(p.children); n < 60 || n > 70 {
		t.Errorf("%d subagents are kept", n)
	}
	// Nor does it matter that they were known before.
	p = opened(t, "s1").play(prompt1)
	for _, form := range []string{`s1 subagent_update {"sessionId":"C%d"}`, `s1 subagent_update {"sessionId":"C%d","description":"` + big + `"}`} {
		for i := range 200 {
			p.play(fmt.Sprintf(form, i))
			p.effects = nil
		}
	}
	if n := p.childBytes(); n > maxChildBytes {
		t.Errorf("%d bytes are kept", n)
	}
}

// A todo list is bounded by its bytes, too.
func TestTodosAreBoundedByTheirBytes(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	big := strings.Repeat("x", 1<<20)
	for i := range 20 {
		p.play(fmt.Sprintf(`acme/todos {"merge":true,"todos":[{"id":"%d","content":%q}]}`, i, big))
		if n := len(p.payloads()[0].(dialect.Todos).Items); n != min(i+1, 7) {
			t.Errorf("%d entries after %d", n, i+1)
		}
	}
}

// Records are bounded, the oldest that ended go first, and what a session stores
// is too.
func TestRecordsAreBounded(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"open","status":"pending","rawInput":{"task":{"title":"t"}}}`,
	)
	for i := range maxCalls + 100 {
		p.play(fmt.Sprintf(`s1 tool_call {"toolCallId":"%d","status":"completed"}`, i))
		p.effects = nil
	}
	if n := len(p.sessions["s1"].order); n != maxCalls {
		t.Errorf("%d records are kept", n)
	}
	if c := p.call("s1", "open"); c.Status != "pending" {
		t.Errorf("the open call went first: %+v", c)
	}
	big := strings.Repeat("x", 1<<20)
	for i := range 70 {
		p.play(fmt.Sprintf(`s1 tool_call {"toolCallId":"big%d","status":"completed","rawOutput":"%s"}`, i, big))
		p.effects = nil
	}
	if n := p.sessions["s1"].bytes; n > maxCallBytes {
		t.Errorf("%d bytes are stored", n)
	}
	if c := p.call("s1", "big69"); len(c.RawOutput) < len(big) {
		t.Error("the last call's output was let go")
	}
}

// A small part of a large frame does not hold on to the frame.
func TestRecordsDoNotKeepFrames(t *testing.T) {
	p := opened(t, "s1")
	p.play(`s1 tool_call {"toolCallId":"T","rawInput":{"a":1},"filler":"` + strings.Repeat("x", 1<<20) + `"}`)
	if in := p.sessions["s1"].calls["T"].RawInput; cap(in) > 1024 {
		t.Errorf("an input of %d bytes holds %d", len(in), cap(in))
	}
}
