package state

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// payloads gives what the events since the last call carry.
func (p *player) payloads() []dialect.Event {
	var out []dialect.Event
	for _, e := range p.effects {
		if e.Event != nil {
			out = append(out, e.Event.Payload)
		}
	}
	p.effects = nil
	return out
}

// What the protocol itself says beside messages and tool calls is neutral too.
func TestCoreKinds(t *testing.T) {
	for _, c := range []struct {
		line string
		want []dialect.Event
	}{
		{`s1 plan {"entries":[{"content":"a","priority":"high","status":"pending"},null,{"content":7,"status":"x"}]}`, []dialect.Event{
			dialect.Todos{Items: []dialect.Todo{{Content: "a", Priority: "high", Status: "pending"}}},
		}},
		{`s1 plan {}`, nil},
		{`s1 plan {"entries":null}`, nil},
		{`s1 plan {"entries":[null]}`, nil},
		{`s1 usage_update {"used":53000,"size":200000,"cost":{"amount":0.045,"currency":"USD"}}`, []dialect.Event{
			dialect.Usage{ContextUsed: 53000, ContextSize: 200000, Costs: []dialect.Cost{{Amount: 0.045, Unit: "USD"}}},
		}},
		{`s1 usage_update {"used":"53000.0","size":null,"cost":null}`, []dialect.Event{dialect.Usage{ContextUsed: 53000}}},
		{`s1 usage_update {"used":"many"}`, nil},
		{`s1 notice {"severity":"warning","title":"No metadata","description":"of the model"}`, []dialect.Event{
			dialect.Notice{Kind: dialect.NoticeWarning, Message: "No metadata", Detail: "of the model"},
		}},
		{`s1 notice {"severity":"error","title":"x"}`, []dialect.Event{dialect.Notice{Kind: dialect.NoticeError, Message: "x"}}},
		{`s1 notice {"severity":"odd","title":"x"}`, []dialect.Event{dialect.Notice{Kind: dialect.NoticeInfo, Message: "x"}}},
		{`s1 notice {"title":""}`, nil},
		{`s1 compaction_update {"compactionId":"c","status":"completed"}`, []dialect.Event{
			dialect.Notice{Kind: dialect.NoticeCompaction, Message: "Compaction completed"},
		}},
		{`s1 compaction_update {}`, nil},
		{`s1 subagent_update {}`, nil},
		{`s1 subagent_spawned {"name":"x"}`, nil},
		{`s1 subagent_state_update {"state":"completed"}`, nil},
		{`s1 subagent_update {"sessionId":7,"title":"x"}`, nil},
		{`s1 from_next_year {"x":1}`, nil},
	} {
		p := opened(t, "s1").play(c.line)
		if d := cmp.Diff(c.want, p.payloads()); d != "" {
			t.Errorf("%s: %s", c.line, d)
		}
	}
}

// The draft's task is the prompt, unless there is a prompt beside it.
func TestDraftPrompt(t *testing.T) {
	for fields, want := range map[string]string{
		`"task":"Explore the code"`:                         "Explore the code",
		`"task":"Explore","prompt":"Explore the code, all"`: "Explore the code, all",
		`"task":"Explore","prompt":7,"name":"e"`:            "Explore",
	} {
		p := opened(t, "s1").play(prompt1, `s1 subagent_spawned {"subagentSessionId":"C",`+fields+`}`)
		if got := p.Subagents("s1")[0].Prompt; got != want {
			t.Errorf("%s: the prompt is %q, want %q", fields, got, want)
		}
	}
}

// A final subagent_update gives the state as a whole: null says that it is not
// known any more.
func TestFinalSubagentState(t *testing.T) {
	p := opened(t, "s1").play(prompt1)
	for _, c := range []struct {
		state    string
		activity dialect.Activity
		tokens   int64
	}{
		{`{"state":"requires_action","usage":{"totalTokens":15}}`, dialect.ActivityRequiresAction, 15},
		{`null`, dialect.ActivityUnknown, 15},
		{`{"state":"idle","usage":{"totalTokens":"20"}}`, dialect.ActivityIdle, 20},
		{`{"state":"dreaming"}`, dialect.ActivityUnknown, 20},
	} {
		p.play(`s1 subagent_update {"sessionId":"C","state":` + c.state + `}`)
		if sub := p.Subagents("s1")[0]; sub.Activity != c.activity || sub.Tokens != c.tokens {
			t.Errorf("after %s it is %q with %d tokens", c.state, sub.Activity, sub.Tokens)
		}
	}
}

// A prompt's result says what the turn used; an error says nothing of it.
func TestPromptResult(t *testing.T) {
	p := opened(t, "s1").play(prompt1, `=1 {"stopReason":"end_turn","usage":{"inputTokens":2000,"outputTokens":40,"cachedReadTokens":3,"cachedWriteTokens":4,"thoughtTokens":5,"totalTokens":2040}}`)
	want := []dialect.Event{dialect.Usage{InputTokens: 2000, OutputTokens: 40, CachedReadTokens: 3, CachedWriteTokens: 4, ReasoningTokens: 5, TotalTokens: 2040}}
	if d := cmp.Diff(want, p.payloads()); d != "" {
		t.Error(d)
	}
	for _, answer := range []string{`=1 {"stopReason":"end_turn","usage":null}`, `=1 {"usage":{}}`, `=1 null`, `=1! {}`} {
		p.play(prompt1, answer)
		if got := p.payloads(); got != nil {
			t.Errorf("%s: %v", answer, got)
		}
	}
}

// The protocol's methods go to the host if it serves them and they have an id
// where they must; all else is declined, and only what has an id is answered.
func TestCoreMethods(t *testing.T) {
	p := opened(t, "s1").play(
		`fs/read_text_file#1 {"sessionId":"s1"}`,
		`fs/read_text_file {"sessionId":"s1"}`,
		`mcp/message {"x":1}`,
		`mcp/message#2 {"x":1}`,
		`elicitation/complete {"id":"e"}`,
		`elicitation/complete#3 {}`,
		`session/from_next_year#4 {}`,
		`session/from_next_year {}`,
		`acme/nobody#5 {}`,
		`acme/nobody {}`,
		`session/update#6 {"sessionId":"s1","update":{"sessionUpdate":"x"}}`,
		`session/update#7 {"update":{}}`,
		`session/update {"sessionId":"s1"}`,
	)
	want(t, "told", []string{
		"request 1 s1:",
		"stray fs/read_text_file nobody registered this method",
		"notify mcp/message", "request 2 :", "notify elicitation/complete",
		"reply 3 -32601", "stray elicitation/complete nobody registered this method",
		"reply 4 -32601", "stray session/from_next_year nobody registered this method",
		"stray session/from_next_year nobody registered this method",
		"reply 5 -32601", "stray acme/nobody nobody registered this method",
		"stray acme/nobody nobody registered this method",
		"reply 6 {}", "update s1 x",
		"reply 7 {}", "stray session/update a session/update without sessionId or update",
		"stray session/update a session/update without sessionId or update",
	}, p.notes())
}

// A report that cannot be read, or whose hook fails, is refused and told; one of
// which nothing is known is told as it is.
func TestReportsThatFail(t *testing.T) {
	p := opened(t, "s1").play(
		`acme/agent#1 [7]`, `acme/agent [7]`,
		`acme/agent#2 {"fault":"x"}`,
		`s1 tool_call {"toolCallId":"T"}`,
	)
	want(t, "told", []string{
		"reply 1 -32602", "stray acme/agent dialect: params must be an object",
		"stray acme/agent dialect: params must be an object",
		"reply 2 -32603", "stray acme/agent the dialect's hook failed",
		"update s1 tool_call",
	}, p.notes())
	if d := cmp.Diff([]any{"x"}, p.panics); d != "" {
		t.Errorf("panics: %s", d)
	}
}

// A frame whose hook brought down the goroutine is taken in again without hooks,
// and whatever the first time has done is done once: here a report that waits
// joins the call, and a request is answered.
func TestAHookThatEndsTheGoroutine(t *testing.T) {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{Name: "exit", Observe: func(f dialect.Frame) []dialect.Finding {
		if rawjson.Get(f.Raw, "exit") != nil {
			runtime.Goexit()
		}
		return nil
	}})
	for _, d := range acme().Dialects() {
		r.MustRegister(d)
	}
	p := newPlayer(t, &r)
	p.play(`> session/new#0 {"cwd":"/"}`, `=0 {"sessionId":"s1"}`, prompt1, `acme/note {"call":"T","text":"joins"}`)
	p.effects = nil
	for _, line := range []string{
		`session/update#7 {"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"T","title":"x","exit":1,"rawInput":{"task":{}}}}`,
		`session/request_permission#8 {"sessionId":"s1","exit":1,"toolCall":{"toolCallId":"P"},"options":[]}`,
		`=1 {"stopReason":"end_turn","exit":1}`,
	} {
		f := parse(t, line)
		done := make(chan bool, 1)
		go func() {
			through := false
			defer func() { done <- through }()
			p.do(p.In(f))
			through = true
		}()
		if <-done {
			t.Fatalf("%s: the goroutine lives", line)
		}
		p.do(p.InWithoutHooks(f))
		p.check()
	}
	want(t, "told", []string{
		"reply 7 {}", "update s1 tool_call", "notice acme/note s1:tool_call matched joins",
		"request 8 s1:vendor",
		"end 8 turn_end", "settled 8 turn_end", "ended turn s1 end_turn", "answer session/prompt",
	}, p.notes())
	p.play(`s1 tool_call_update {"toolCallId":"T","status":"completed"}`)
	want(t, "and hooks are back", []string{"subagent session/update s1:vendor started s1/T run 1 running", "subagent session/update s1:vendor ended s1/T run 1 ended completed"}, p.notes("subagent"))
}

// Observe runs for the agents it is meant for, or for any.
func TestObserveIsForItsAgents(t *testing.T) {
	var ran []string
	note := func(name string) func(dialect.Frame) []dialect.Finding {
		return func(dialect.Frame) []dialect.Finding { ran = append(ran, name); return nil }
	}
	var r registry.Registry
	r.MustRegister(dialect.Dialect{Name: "any", Observe: note("any")})
	r.MustRegister(dialect.Dialect{Name: "one", Agents: []string{"agent-1", "agent-one"}, Observe: note("one")})
	r.MustRegister(dialect.Dialect{Name: "two", Agents: []string{"", "agent-2"}, Observe: note("two")})
	p := newPlayer(t, &r)
	p.play(`s1 x {}`, `> initialize#0 {}`, `=0 {"protocolVersion":1,"agentInfo":{"name":"agent-one","title":"One","version":"1.2"}}`, `s1 x {}`)
	want(t, "ran", []string{"any", "any", "one"}, ran)
	if d := cmp.Diff(Agent{Name: "agent-one", Title: "One", Version: "1.2", Protocol: []byte("1")}, p.Agent()); d != "" {
		t.Error(d)
	}
}

// The lanes of a prompt are its session and the children that are known.
func TestPromptLanes(t *testing.T) {
	p := opened(t, "s1", "s2").play(prompt1, `s1 subagent_update {"sessionId":"C"}`, `C subagent_update {"sessionId":"D"}`, `s2 subagent_update {"sessionId":"E"}`)
	want(t, "lanes", []string{"s1", "C", "D"}, p.PromptLanes("1"))
	if p.PromptSession("1") != "s1" || p.PromptSession("9") != "" || p.PromptLanes("9") != nil {
		t.Error("a prompt's session is not known, or one of none is")
	}
}
