package state

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/client/internal/wire"
)

// FuzzState plays what the bytes choose, in both directions. Whatever comes:
// nothing panics, the invariants hold after each frame, every request is settled
// once, every report delivered once, and nothing is left at the end.
func FuzzState(f *testing.F) {
	random := rand.New(rand.NewPCG(11, 18))
	for range 40 {
		ops := make([]byte, 400)
		for i := range ops {
			ops[i] = byte(random.Uint32())
		}
		f.Add(ops, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"a"}}}`)
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":null,"method":"session/request_permission","params":{"sessionId":"","toolCall":{"toolCallId":""},"options":[null,{"optionId":""}]}}`,
		`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"subagent_update","sessionId":"s1","state":[],"capabilities":7}}}`,
		`{"method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"tool_call_update","toolCallId":"a","content":[{"type":"session","sessionId":"b"},7],"rawInput":[],"status":""}}}`,
		`{"jsonrpc":"2.0","id":1,"result":[]}`,
		`[{"id":"x","method":"acme/ask","params":{"call":"a"}},{"method":"$/cancel_request","params":{"requestId":"x"}}]`,
		`{"method":"acme/agents","params":{"agents":[{},{"child":"a"},{"child":"a","agent":"b"},null]}}`,
	} {
		f.Add([]byte(strings.Repeat("\x00\x05\x0a\x01", 20)), line)
	}
	f.Fuzz(playBytes)
}

// The same, longer than a fuzzer's seeds, with fixed bytes.
func TestAnyOrderOfFrames(t *testing.T) {
	random := rand.New(rand.NewPCG(2026, 18))
	for range 200 {
		ops := make([]byte, 200+random.IntN(3000))
		for i := range ops {
			ops[i] = byte(random.Uint32())
		}
		if playBytes(t, ops, `{}`); t.Failed() {
			t.Fatalf("%q", ops)
		}
	}
}

func playBytes(t *testing.T, ops []byte, line string) {
	p := opened(t, "s1", "s2")
	n := newCounted(t)
	raw, errs := wire.ParseAll([]byte(line))
	g := &chooser{ops: ops}
	for step := 0; len(g.ops) > 0 && step < 500; step++ {
		if g.pick(40) == 0 {
			for i := range raw {
				if errs[i] == nil {
					p.do(p.In(&raw[i]))
				}
			}
			n.count(p.effects, false)
		} else {
			p.play(g.line(n, step))
			n.count(p.effects, true)
		}
		p.effects = nil
		p.check()
	}
	p.finished()
	n.count(p.effects, true)
	for id, asked := range n.asked {
		if n.replied[id] != asked {
			t.Errorf("%d requests %s got %d answers", asked, id, n.replied[id])
		}
	}
	for text, delivered := range n.reports {
		if delivered != 1 {
			t.Errorf("report %s was delivered %d times", text, delivered)
		}
	}
	if n.ended > n.began {
		t.Errorf("%d runs began and %d ended", n.began, n.ended)
	}
}

// A chooser makes lines of what bytes choose.
type chooser struct {
	ops   []byte
	calls int // of ours so far
}

func (g *chooser) pick(n int) int {
	if len(g.ops) == 0 {
		return 0
	}
	b := g.ops[0]
	g.ops = g.ops[1:]
	return int(b) % n
}

func (g *chooser) of(words ...string) string { return words[g.pick(len(words))] }

func (g *chooser) session() string { return g.of("s1", "s2", "s3", "C", "D", "E") }

func (g *chooser) call() string { return g.of("T", "U", `V\n1`) }

// names gives some names of a subagent, as members.
func (g *chooser) names() string {
	var out []string
	mask := g.pick(16)
	for i, name := range []string{`"session":"` + g.session() + `"`, `"call":"` + g.call() + `"`, `"child":"` + g.session() + `"`, `"agent":"` + g.of("A", "B") + `"`} {
		if mask&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	if mask == 0 {
		out = append(out, `"connection":true`)
	}
	return strings.Join(out, ",")
}

func (g *chooser) doing() string {
	return g.of("", `,"activity":"running"`, `,"activity":"ended"`, `,"activity":"idle"`, `,"outcome":"failed"`, `,"outcome":"launched"`, `,"background":true`, `,"background":false`, `,"title":"t","outcome":"unknown"`)
}

func (g *chooser) line(n *counted, step int) string {
	ask := func(format string, args ...any) string {
		id := fmt.Sprint(1000 + step)
		n.asked[id]++
		head, body, _ := strings.Cut(fmt.Sprintf(format, args...), " ")
		return head + "#" + id + " " + body
	}
	ours := func(format string, args ...any) string {
		g.calls++
		head, body, _ := strings.Cut(fmt.Sprintf(format, args...), " ")
		return fmt.Sprintf("> %s#%d %s", head, g.calls, body)
	}
	status := func() string { return g.of("", `,"status":"pending"`, `,"status":"completed"`, `,"status":"failed"`) }
	switch g.pick(22) {
	case 0, 1, 2:
		input := g.of("", `,"rawInput":{}`, `,"rawInput":{"task":{"title":"x"}}`, `,"rawInput":{"todos":[{"content":"c"}]}`)
		output := g.of("", "", `,"rawOutput":{"background":true}`, `,"rawOutput":{"background":false,"agent":"A"}`, `,"rawOutput":{"outcome":"failed"}`)
		content := g.of("", "", "", `,"content":[{"type":"session","sessionId":"`+g.session()+`"}]`)
		meta := g.of("", "", `,"_meta":{"acme":{"parent":{`+g.names()+`}}}`, `,"_meta":{"acme":{"names":{`+g.names()+g.doing()+`}}}`)
		return fmt.Sprintf(`%s %s {"toolCallId":"%s"%s%s%s%s%s}`, g.session(), g.of("tool_call", "tool_call_update"), g.call(), status(), input, output, content, meta)
	case 3:
		return fmt.Sprintf(`%s subagent_update {"sessionId":"%s"%s%s}`, g.session(), g.session(), g.of("", `,"title":"f"`, `,"title":null`),
			g.of("", `,"state":{"state":"running"}`, `,"state":{"state":"idle"}`, `,"state":{"state":"requires_action"}`, `,"state":{"state":"odd"}`))
	case 4:
		return fmt.Sprintf(`%s subagent_spawned {"subagentSessionId":"%s","_meta":{"acme":{"names":{%s}}}}`, g.session(), g.session(), g.names())
	case 5:
		return fmt.Sprintf(`%s subagent_state_update {"subagentSessionId":"%s","state":"%s"}`, g.session(), g.session(), g.of("completed", "failed", "disconnected", "odd"))
	case 6:
		return fmt.Sprintf(`%s agent_message_chunk {"_meta":{"acme":{"names":{%s%s}}}}`, g.session(), g.names(), g.doing())
	case 7:
		return fmt.Sprintf(`%s plan {"entries":[{"content":"p%d"}]}`, g.session(), step)
	case 8, 9:
		return ask(`acme/agent {%s%s%s}`, g.names(), g.doing(), g.of("", "", "", `,"fault":"x"`))
	case 10:
		n.reports[fmt.Sprint(step)] = 0
		return ask(`acme/note {%s,"text":"%d"}`, g.names(), step)
	case 11:
		return ask(`acme/todos {%s%s,"todos":[{"id":"%s","content":"c%d"}]}`, g.names(), g.of("", `,"merge":true`), g.of("1", "2", ""), step)
	case 12:
		return ask(`acme/agents {%s,"agents":[{%s%s},{%s%s}]}`, g.names(), g.names(), g.doing(), g.names(), g.doing())
	case 13:
		return ask(`acme/ask {%s%s}`, g.names(), g.of("", "", "", `,"fault":"x"`))
	case 14:
		return ask(`session/request_permission {"sessionId":"%s","toolCall":{"toolCallId":"%s"%s},"options":[{"optionId":"a"}]}`, g.session(), g.call(), status())
	case 15:
		return g.of(`acme/withdrawn {`+g.names()+`}`, `acme/turn {`+g.names()+`,"id":"m","began":true}`, `acme/turn {`+g.names()+`,"id":"m"}`, fmt.Sprintf(`$/cancel_request {"requestId":%d}`, 1000+step-1-g.pick(9)))
	case 16:
		return ours(`session/prompt {"sessionId":"%s"}`, g.session())
	case 17:
		return ours(`%s {"sessionId":"%s","cwd":"/"}`, g.of("session/new", "session/fork", "session/load", "session/resume", "session/close"), g.session())
	case 18, 19:
		id := max(0, g.calls-g.pick(6))
		return fmt.Sprintf(g.of(`=%d {"stopReason":"end_turn"}`, `=%d {"sessionId":"`+g.session()+`"}`, `=%d! {}`), id)
	case 20:
		return g.of(fmt.Sprintf(`> abandon %d`, g.calls), fmt.Sprintf(`> withdraw %d`, g.calls), `> end `+g.session(), fmt.Sprintf(`> expire %d`, g.pick(40)))
	}
	return fmt.Sprintf(`> session/cancel {"sessionId":"%s"}`, g.session())
}
