package state

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// 10,000 sessions opened and closed, each with a turn, calls, a child, todos,
// asks and reports that wait: the state returns to nothing.
func TestSessionsComeAndGo(t *testing.T) {
	p := opened(t)
	var base int64
	for i := range 10_000 {
		s := fmt.Sprintf("s%d", i)
		p.play(
			`> session/new#1 {"cwd":"/"}`, `=1 {"sessionId":"`+s+`"}`,
			`> session/prompt#2 {"sessionId":"`+s+`"}`,
			s+` tool_call {"toolCallId":"call_1","status":"pending","rawInput":{"task":{"title":"t"}},"content":[{"type":"session","sessionId":"C`+s+`"}]}`,
			`C`+s+` tool_call {"toolCallId":"call_1","status":"pending"}`,
			s+` tool_call {"toolCallId":"call_2","rawInput":{"todos":[{"content":"c"}]}}`,
			`acme/agent {"session":"`+s+`","call":"call_1","agent":"A`+s+`"}`,
			`acme/agent {"session":"`+s+`","agent":"B","activity":"running"}`,
			`acme/note {"session":"`+s+`","call":"never","text":"x"}`,
			`acme/turn {"session":"`+s+`","id":"t"}`,
			`session/request_permission#9 {"sessionId":"`+s+`","toolCall":{"toolCallId":"call_3"},"options":[]}`,
		)
		if i%2 == 0 {
			p.play(`=2 {"stopReason":"end_turn"}`)
		}
		p.play(`> session/close#3 {"sessionId":"`+s+`"}`, `=3 {}`, `=2 {}`)
		p.effects = nil
		if i == 100 {
			base = heap()
		}
	}
	if grown := heap() - base; grown > 1<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	p.check()
	if n := len(p.sessions) + len(p.own) + len(p.strays) + len(p.flight) + len(p.calls) + len(p.open) + len(p.pending) + len(p.waiting) + len(p.children) + len(p.byChild) + len(p.byAgent) + len(p.byCall) + len(p.opening); n > 0 {
		t.Errorf("%d things are left: %+v", n, p.State)
	}
}

// 10,000 sessions at once, and then none.
func TestManySessionsAtOnce(t *testing.T) {
	const many = 10_000
	p := opened(t)
	for i := range many {
		p.play(fmt.Sprintf(`> session/new#%d {"cwd":"/"}`, i))
	}
	for i := range many {
		p.play(fmt.Sprintf(`s%d agent_message_chunk {}`, i%100), fmt.Sprintf(`=%d {"sessionId":"s%d"}`, i, i))
	}
	for i := range many {
		p.play(
			fmt.Sprintf(`> session/prompt#%d {"sessionId":"s%d"}`, i, i),
			fmt.Sprintf(`s%d tool_call {"toolCallId":"call_1","status":"completed"}`, i),
		)
		p.effects = nil
	}
	p.play(`acme/note {"call":"call_1","text":"whose?"}`, `acme/note {"session":"s7","call":"call_1","text":"of s7"}`)
	want(t, "told", []string{"notice acme/note s7:vendor matched of s7"}, p.notes("notice"))
	for i := range many {
		p.play(fmt.Sprintf(`=%d {"stopReason":"end_turn"}`, i))
		if i == many-2 {
			want(t, "before the last answer", []string{}, p.notes("notice"))
		}
	}
	want(t, "at the last answer", []string{"notice acme/note :unknown whose?"}, p.notes("notice"))
	for i := range many {
		p.play(fmt.Sprintf(`> session/close#1 {"sessionId":"s%d"}`, i), `=1 {}`)
		p.effects = nil
	}
	if n := len(p.sessions) + len(p.own) + len(p.strays) + len(p.calls) + len(p.pending); n > 0 {
		t.Errorf("%d things are left", n)
	}
}

// 100,000 reports whose calls never come: no more than the waiting room is kept,
// and each is delivered. Those of subagents, in a turn and outside any, leave no
// more subagents than are kept.
func TestUnmatchedReports(t *testing.T) {
	for _, c := range []struct {
		name, report string
		count        int
		turn         bool
	}{
		{"in a turn", `acme/note#1 {"call":"ghost-%d","text":"%s"}`, 100_000, true},
		{"subagents in a turn", `acme/agent#1 {"call":"ghost-%d","prompt":"%s","activity":"running"}`, 10_000, true},
		{"subagents outside any turn", `acme/agent#1 {"call":"ghost-%d","prompt":"%s","activity":"running"}`, 10_000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := opened(t, "s1")
			if c.turn {
				p.play(prompt1)
			}
			fill := strings.Repeat("x", 200)
			delivered := map[string]bool{}
			count := func() {
				for _, e := range p.effects {
					if e.Event != nil && strings.HasPrefix(e.Event.Method, "acme/") {
						delivered[e.Event.Link.ToolCallID] = true
					}
				}
				p.effects = p.effects[:0]
			}
			var base int64
			for i := range c.count {
				p.play(fmt.Sprintf(c.report, i, fill))
				count()
				if i == 5000 {
					base = heap()
				}
			}
			told := int64(len(delivered)) * 100 // the test's own
			if grown := heap() - base; grown > 2<<20+told {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			p.play(end1, fmt.Sprintf(`> expire %d`, c.count))
			count()
			if len(delivered) != c.count || len(p.waiting) != 0 || p.waitingBytes != 0 {
				t.Errorf("%d were delivered, %d wait", len(delivered), len(p.waiting))
			}
			p.check()
		})
	}
}

// What a connection does for every frame costs the same however many sessions,
// calls and subagents there are.
func BenchmarkUpdate(b *testing.B) {
	for _, sessions := range []int{1, 1000, 10000} {
		p := opened(b)
		for i := range sessions {
			p.play(
				fmt.Sprintf(`> session/new#1 {"cwd":"/%d"}`, i), fmt.Sprintf(`=1 {"sessionId":"s%d"}`, i),
				fmt.Sprintf(`> session/prompt#%d {"sessionId":"s%d"}`, 10+i, i),
				fmt.Sprintf(`s%d tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`, i),
			)
			p.effects = nil
		}
		for name, line := range map[string]string{
			"chunk":  `s0 agent_message_chunk {"content":{"type":"text","text":"hello"}}`,
			"call":   `s0 tool_call_update {"toolCallId":"T","content":[{"type":"content","content":{"type":"text","text":"hello"}}]}`,
			"report": `acme/agent#7 {"session":"s0","call":"T","title":"t"}`,
		} {
			f := parse(b, line)
			b.Run(fmt.Sprintf("%s/sessions=%d", name, sessions), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.In(f)
				}
			})
		}
	}
}
