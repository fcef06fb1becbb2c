package main_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const recorded = `{"dir":"out","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"dir":"in","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"1","agentInfo":{"name":"acme","version":"3"}}}}

{"dir":"out","ts":1.5,"msg":{"jsonrpc":"2.0","id":"a","method":"session/load","params":{"sessionId":"s1","cwd":"/"}}}
{"dir":"in","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"old"}}}}}
{"dir":"in","msg":{"jsonrpc":"2.0","id":"a","result":{}}}
{"dir":"out","msg":{"jsonrpc":"2.0","id":"b","method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"go"},{"type":"image","data":""}]}}}
{"dir":"in","raw":"oops"}
{"dir":"in","msg":{"jsonrpc":"2.0","id":7,"method":"cursor/create_plan","params":{"toolCallId":"p","plan":"P"}}}
{"dir":"out","msg":{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"rejected","reason":"no"}}}}
{"dir":"in","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"acme_kind","x":[1,null]}}}}
`

func TestReplay(t *testing.T) {
	r := run(t, "replay", "--json", file(t, recorded))
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, stderr %q", r.code, r.stderr)
	}
	want := parse[[]line](t, `[
		{"type":"initialized","agent":{"name":"acme","version":"3"},"protocolVersion":1},
		{"type":"update","sessionId":"s1","kind":"agent_message_chunk","history":true,
			"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"old"}}},
		{"type":"session","sessionId":"s1"},
		{"type":"turn_start","sessionId":"s1","prompt":"go\n[image]"},
		{"type":"ask","dialect":"cursor","method":"cursor/create_plan","wireName":"cursor/create_plan","sessionId":"s1","how":"turn","toolCallId":"p",
			"kind":"plan","question":{"text":"P","outcomes":["accepted","rejected"]},"answer":{"outcome":"rejected","feedback":"no"}},
		{"type":"update","sessionId":"s1","kind":"acme_kind","update":{"sessionUpdate":"acme_kind","x":[1,null]}},
		{"type":"turn_end","sessionId":"s1"}]`)
	got := of(r.lines(t), "initialized", "session", "turn_start", "update", "ask", "turn_end", "error")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if noise := find(t, r.lines(t), line{"type": "noise"}); noise["raw"] != "oops" || noise["reason"] == nil {
		t.Errorf("the noise is %v", noise)
	}
}

func TestReplayNamesTheLineThatIsWrong(t *testing.T) {
	for bad, says := range map[string]string{
		`{"dir":"in","msg":{"a":`:        "line 3: is not a capture's line",
		`{"dir":"up","msg":{}}`:          `line 3: "dir" must be "in" or "out", not "up"`,
		`{"dir":"in"}`:                   `line 3: needs one of "msg" and "raw"`,
		`{"dir":"in","msg":1,"raw":"x"}`: `line 3: needs one of "msg" and "raw"`,
		`{"jsonrpc":"2.0","method":"x"}`: `line 3: "dir" must be`,
		`{"dir":"in","raw":{"a":"b"}}`:   "line 3: is not a capture's line",
		"\xff\xfe":                       "line 3: is not a capture's line",
	} {
		first, rest, _ := strings.Cut(recorded, "\n")
		name := file(t, first+"\n\n"+bad+"\n"+rest)
		r := run(t, "replay", "--json", name)
		if r.code != 0 || !strings.Contains(r.stderr, says) || !strings.Contains(r.stderr, name) {
			t.Errorf("%s: exit code %d, stderr %q, want 0 and %q", bad, r.code, r.stderr, says)
		}
		find(t, r.lines(t), line{"type": "turn_end"}) // what comes behind it is shown
		if message := find(t, r.lines(t), line{"type": "error"})["message"].(string); !strings.Contains(message, says) {
			t.Errorf("%s: the error line says %q", bad, message)
		}
	}
}

func TestReplayAsText(t *testing.T) {
	r := run(t, "replay", file(t, recorded))
	for _, want := range []string{"acme 3 · protocol 1", "session s1", "› go", "plan", "│ P", "→ rejected · no", "not answered"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
	if r.code != 0 || strings.Contains(r.stdout, "\x1b") {
		t.Errorf("exit code %d, stdout %q", r.code, r.stdout)
	}
}

func TestDialectsAreListed(t *testing.T) {
	r := run(t, "dialects", "--json")
	if r.code != 0 {
		t.Fatal(r.stderr)
	}
	var found line
	for text := range strings.Lines(r.stdout) {
		l := parse[line](t, text)
		for _, name := range []string{"dialect", "method", "kind", "source", "doc"} {
			if l[name] == nil {
				t.Errorf("%s lacks %s", text, name)
			}
		}
		if (l["kind"] == "ask") != (l["decline"] != nil) {
			t.Errorf("%s: an ask has a decline, a report none", text)
		}
		if l["method"] == "cursor/create_plan" {
			found = l
		}
	}
	if diff := cmp.Diff(parse[any](t, `{"outcome":{"outcome":"cancelled"}}`), found["decline"]); diff != "" {
		t.Errorf("cursor/create_plan, -want +got:\n%s", diff)
	}
	if r := run(t, "dialects"); r.code != 0 || !strings.Contains(r.stdout, "cursor/create_plan  (ask)") {
		t.Errorf("exit code %d, stdout\n%s", r.code, r.stdout)
	}
}
