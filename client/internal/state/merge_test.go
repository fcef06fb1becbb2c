package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/google/go-cmp/cmp"
)

// A turn is the streams of one turn of s1: the frames of a stream keep their
// order, and the streams have none among each other.
type streams struct {
	name string
	of   [][]string
}

var turns = []streams{
	{"a call, reports of it, and its draft child", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","title":"Task","status":"pending","rawInput":{}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"in_progress","rawInput":{"task":{"title":"from the call","prompt":"p"}}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed","rawOutput":{"background":false}}`,
		},
		{
			`acme/agent#1 {"call":"T","agent":"A","title":"from the report","model":"fast"}`,
			`acme/todos#2 {"call":"T","todos":[{"id":"1","content":"a","status":"completed"}]}`,
		},
		{
			`s1 subagent_spawned {"subagentSessionId":"C","name":"from the draft","task":"do it","_meta":{"acme":{"names":{"call":"T","agent":"A","child":"C"}}}}`,
			`C tool_call {"toolCallId":"c1","title":"Read","status":"pending"}`,
			`C tool_call_update {"toolCallId":"c1","status":"completed"}`,
			`s1 subagent_state_update {"subagentSessionId":"C","state":"failed","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`,
		},
	}},
	{"a launch in the background, whose end the draft tells", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed","rawOutput":{"background":true}}`,
			`s1 tool_call_update {"toolCallId":"T","title":"late"}`,
		},
		{`acme/agent#1 {"call":"T","model":"fast"}`},
		{
			`s1 subagent_spawned {"subagentSessionId":"C","name":"n","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`,
			`C agent_message_chunk {"content":{"type":"text","text":"hi"}}`,
			`s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`,
		},
	}},
	{"a launch in the background that is not over", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed","rawOutput":{"background":true}}`,
		},
		{`acme/agent#1 {"call":"T","agent":"A","model":"fast"}`, `acme/agent#2 {"agent":"A","prompt":"p"}`},
		{
			`s1 subagent_spawned {"subagentSessionId":"C","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`,
			`C tool_call {"toolCallId":"c1","status":"in_progress"}`,
		},
	}},
	{"a call that never ends", [][]string{
		{
			`session/request_permission#5 {"sessionId":"s1","toolCall":{"toolCallId":"T","title":"Task","rawInput":{"task":{"title":"t"}}},"options":[]}`,
			`s1 tool_call_update {"toolCallId":"T","status":"in_progress"}`,
		},
		{`acme/agent#1 {"call":"T","model":"fast"}`, `acme/agent#2 {"call":"T","prompt":"p"}`},
		{
			`s1 subagent_spawned {"subagentSessionId":"C","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`,
			`C tool_call {"toolCallId":"c1","status":"pending"}`,
			`C tool_call_update {"toolCallId":"c1","status":"in_progress"}`,
		},
	}},
	{"the final kind, with the call that points at the child", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"in_progress","rawInput":{"task":{"title":"t","prompt":"p"}},"content":[{"type":"session","sessionId":"C"}]}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed"}`,
		},
		{`acme/agent#1 {"child":"C","model":"fast"}`, `acme/agent#2 {"call":"T","title":"r"}`},
		{
			`s1 subagent_update {"sessionId":"C","title":"f","state":{"state":"running"}}`,
			`s1 subagent_update {"sessionId":"C","state":{"state":"requires_action"}}`,
			`s1 subagent_update {"sessionId":"C","title":null,"state":{"state":"idle"}}`,
		},
	}},
	{"everything at once: final, draft and reports of one child", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t","prompt":"p"}},"content":[{"type":"session","sessionId":"C"}]}`,
			`s1 tool_call_update {"toolCallId":"T","status":"failed"}`,
		},
		{
			`acme/agent#1 {"child":"C","session":"s1","title":"r","activity":"running"}`,
			`acme/agent#2 {"child":"C","session":"s1","activity":"ended","outcome":"completed"}`,
		},
		{
			`s1 subagent_update {"sessionId":"C","title":"f","state":{"state":"running"}}`,
			`s1 subagent_spawned {"subagentSessionId":"C","name":"d"}`,
			`s1 subagent_state_update {"subagentSessionId":"C","state":"cancelled"}`,
			`s1 subagent_update {"sessionId":"C","state":{"state":"idle"}}`,
		},
	}},
	{"two tasks side by side", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed"}`,
		},
		{
			`s1 tool_call {"toolCallId":"U","status":"pending","rawInput":{"task":{"title":"u"}}}`,
			`s1 tool_call_update {"toolCallId":"U","status":"failed","rawOutput":{"outcome":"cancelled"}}`,
		},
		{
			`acme/agent#1 {"call":"U","agent":"B","model":"of U"}`,
			`acme/agent#2 {"call":"T","agent":"A","model":"of T"}`,
			`acme/agent#3 {"call":"nobody's","model":"m"}`,
		},
	}},
	{"todos by report and by input", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending"}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed","rawInput":{"todos":[{"content":"x"}]}}`,
		},
		{
			`s1 tool_call {"toolCallId":"U","status":"pending"}`,
			`s1 tool_call_update {"toolCallId":"U","status":"completed"}`,
		},
		{
			`acme/todos#1 {"call":"T","todos":[{"id":"1","content":"a","status":"pending"},{"id":"2","content":"b"}]}`,
			`acme/todos#2 {"call":"U","merge":true,"todos":[{"id":"1","status":"completed"},{"id":"3","content":"c"}]}`,
			`acme/todos#3 {"call":"T","merge":true,"todos":[{"id":"3","content":"cc"}]}`,
		},
	}},
	{"a child seen to run twice", [][]string{
		{
			`s1 tool_call {"toolCallId":"T","status":"pending","rawInput":{"task":{"title":"t"}}}`,
			`s1 tool_call_update {"toolCallId":"T","status":"completed"}`,
		},
		{`acme/agent#1 {"call":"T","model":"fast"}`},
		{
			`s1 subagent_spawned {"subagentSessionId":"C","_meta":{"acme":{"names":{"call":"T","child":"C"}}}}`,
			`s1 subagent_state_update {"subagentSessionId":"C","state":"completed"}`,
			`s1 subagent_spawned {"subagentSessionId":"C"}`,
			`s1 subagent_state_update {"subagentSessionId":"C","state":"failed"}`,
		},
	}},
}

// Law 11: any merge of the streams of a turn gives one final state, and one set
// of beginnings, ends and reports.
func TestLaw11AnyMergeGivesOneState(t *testing.T) {
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			first, order := "", ""
			n := 0
			merges(turn.of, func(merge []string) bool {
				got := outcome(t, merge)
				if n++; first == "" {
					first, order = got, strings.Join(merge, "\n")
				}
				if d := cmp.Diff(first, got); d != "" {
					t.Errorf("the order\n%s\n\nand the order\n%s\n\ndiffer (-first +second)\n%s", order, strings.Join(merge, "\n"), d)
				}
				return !t.Failed()
			})
			if n < 90 {
				t.Errorf("only %d merges were played", n)
			}
		})
	}
}

// Law 11, where there are too many merges: some of each of many turns, with two
// agents, whatever their calls, reports and children say.
func TestLaw11LongerTurns(t *testing.T) {
	random := rand.New(rand.NewPCG(2026, 11))
	for round := range 100 {
		var of [][]string
		var reports []string
		for agent := range 2 {
			w := words{random, agent}
			of = append(of, w.calls(), w.child())
			reports = append(reports, w.reports()...)
		}
		of = append(of, reports)
		first := ""
		for range 20 {
			merge := shuffle(random, of)
			got := outcome(t, merge)
			if first == "" {
				first = got
			}
			if d := cmp.Diff(first, got); d != "" {
				t.Fatalf("round %d, the order\n%s\n(-first +this)\n%s", round, strings.Join(merge, "\n"), d)
			}
		}
	}
}

// outcome plays a merge in a turn and gives the state it comes to, and what was
// told that must not depend on the order.
func outcome(t *testing.T, merge []string) string {
	p := opened(t, "s1")
	p.play(`> session/prompt#1 {"sessionId":"s1"}`)
	p.play(merge...)
	p.play(`=1 {"stopReason":"end_turn"}`)
	var told []string
	reported := map[string]bool{} // one that begins a run and ends it is told as both
	for _, e := range p.effects {
		switch {
		case e.Event != nil && strings.HasPrefix(e.Event.Method, "acme/"):
			text := e.Event.Method + string(e.Event.Raw)
			if reported[text] {
				break
			}
			reported[text] = true
			told = append(told, fmt.Sprintf("report %s %v %s %v", e.Event.Method, e.Event.Link, e.Event.SessionID, e.Event.Matched))
		case e.Reply != nil:
			told = append(told, note(e))
		case e.Settled != nil:
			told = append(told, note(e))
		}
		if e.Event == nil {
			continue
		}
		if a, ok := e.Event.Payload.(dialect.Subagent); ok && a.Change != dialect.ChangeUpdated {
			told = append(told, fmt.Sprintf("%s run %d", a.Change, a.Run))
		}
	}
	slices.Sort(told)
	tree := p.tree("s1")
	slices.Sort(tree) // in the order in which they were first seen
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n%s\n", strings.Join(tree, "\n"), todoLine(p.sessions["s1"].todos.items()), strings.Join(told, "\n"))
	for _, session := range []string{"s1", "C", "C0", "C1", "C2"} {
		for _, id := range []string{"T", "U", "T0", "T1", "T2", "c0", "c1", "c2", "c3"} {
			if c, ok := p.ToolCall(session, id); ok {
				fmt.Fprintf(&b, "%s/%s %q %s ended=%v unknown=%v\n", session, id, c.Title, c.Status, c.Ended, c.Unknown)
			}
		}
	}
	if len(p.waiting) > 0 || p.waitingBytes != 0 {
		t.Errorf("%d reports still wait after the turn", len(p.waiting))
	}
	return b.String()
}

// merges calls f with every merge of streams, until f gives false.
func merges(of [][]string, f func([]string) bool) {
	next := make([]int, len(of))
	var merge []string
	var step func() bool
	step = func() bool {
		whole := true
		for i, stream := range of {
			if next[i] == len(stream) {
				continue
			}
			whole = false
			merge = append(merge, stream[next[i]])
			next[i]++
			on := step()
			next[i]--
			merge = merge[:len(merge)-1]
			if !on {
				return false
			}
		}
		return !whole || f(merge)
	}
	step()
}

// shuffle gives one merge of streams.
func shuffle(random *rand.Rand, of [][]string) []string {
	next := make([]int, len(of))
	var merge []string
	for {
		var left []int
		for i := range of {
			if next[i] < len(of[i]) {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return merge
		}
		i := left[random.IntN(len(left))]
		merge = append(merge, of[i][next[i]])
		next[i]++
	}
}
