package main_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tour runs the scripted agent's tour and records it.
func tour(t *testing.T, flags ...string) (lines []line, capture string) {
	t.Helper()
	capture = filepath.Join(t.TempDir(), "tour.jsonl")
	args := append([]string{"run", "--json", "--record", capture, "--prompt", "hi"}, flags...)
	r := run(t, append(args, "--", scripted)...)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, stderr %q", r.code, r.stderr)
	}
	return r.lines(t), capture
}

func TestTourAnsweredWithTheFirst(t *testing.T) {
	lines, capture := tour(t, "--ask", "first")

	report := find(t, lines, line{"event": "subagent", "method": "cursor/task", "toolCallId": "call_9f31\nfc_9f31"})
	want := parse[any](t, `{"change":"updated","agentId":"5a0c1b1e-00a1-4000-8000-0000000000a1","agentType":"file-counter",
		"title":"Count files","description":"Count files","prompt":"Count the *.go files and say how many there are.",
		"model":"composer-2.5-fast","activity":"ended","outcome":"completed","durationMs":4210}`)
	if diff := cmp.Diff(want, report["subagent"]); diff != "" || report["matched"] != true {
		t.Errorf("the report of the subagent, matched %v, -want +got:\n%s", report["matched"], diff)
	}

	plan := find(t, lines, line{"type": "ask", "method": "cursor/create_plan"})
	if diff := cmp.Diff(parse[any](t, `{"outcome":"accepted"}`), plan["answer"]); diff != "" || plan["kind"] != "plan" {
		t.Errorf("the plan of kind %v is answered, -want +got:\n%s", plan["kind"], diff)
	}
	question := find(t, lines, line{"type": "ask", "method": "cursor/ask_question"})
	if diff := cmp.Diff(parse[any](t, `{"outcome":"accepted","picks":{"database":{"options":["postgres"]}}}`), question["answer"]); diff != "" {
		t.Errorf("the question is answered, -want +got:\n%s", diff)
	}

	for method, want := range map[string]string{
		"cursor/create_plan":  `{"outcome":{"outcome":"accepted"}}`,
		"cursor/ask_question": `{"outcome":{"outcome":"answered","answers":[{"questionId":"database","selectedOptionIds":["postgres"]}]}}`,
	} {
		if diff := cmp.Diff(parse[any](t, want), answerTo(t, capture, method)["result"]); diff != "" {
			t.Errorf("%s on the wire, -want +got:\n%s", method, diff)
		}
	}
}

func TestTourDeclined(t *testing.T) {
	lines, capture := tour(t, "--ask", "decline")
	for _, method := range []string{"cursor/create_plan", "cursor/ask_question"} {
		if diff := cmp.Diff(parse[any](t, `{"outcome":{"outcome":"cancelled"}}`), answerTo(t, capture, method)["result"]); diff != "" {
			t.Errorf("%s on the wire, -want +got:\n%s", method, diff)
		}
		ask := find(t, lines, line{"type": "ask", "method": method})
		if ask["reason"] != "no_handler" || ask["answer"] != nil {
			t.Errorf("%s ended with answer %v and reason %v", method, ask["answer"], ask["reason"])
		}
	}
}

func TestUnknownMethodsAreDeclined(t *testing.T) {
	for _, ask := range []string{"first", "decline"} {
		lines, capture := tour(t, "--ask", ask)
		want := []line{
			{"type": "declined", "method": "acme/progress"},
			{"type": "declined", "method": "acme/unknown", "request": true},
		}
		if diff := cmp.Diff(want, of(lines, "declined")); diff != "" {
			t.Errorf("--ask %s: declined, -want +got:\n%s", ask, diff)
		}
		failure, _ := answerTo(t, capture, "acme/unknown")["error"].(map[string]any)
		if failure["code"] != -32601.0 {
			t.Errorf("--ask %s: the request was answered with %v", ask, failure)
		}
	}
}

// The lines of a session stand in its order, from the first to the last.
func TestLinesOfATurnAreInOrder(t *testing.T) {
	lines, _ := tour(t)
	var got []any
	for _, l := range lines {
		switch l["type"] {
		case "update", "event", "ask", "declined":
		default:
			got = append(got, l)
		}
	}
	want := parse[[]any](t, `[
		{"type":"initialized","agent":{"name":"cursor-tour","version":"2026.09"},"protocolVersion":1},
		{"type":"session","sessionId":"s1"},
		{"type":"turn_start","sessionId":"s1","prompt":"hi"},
		{"type":"turn_end","sessionId":"s1","stopReason":"end_turn"},
		{"type":"closed","exitCode":0}]`)
	for i, l := range want {
		want[i] = line(l.(map[string]any))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// The child in the background outlives its turn and ends with the connection.
	first, last, after := lines[2], lines[len(lines)-3], lines[len(lines)-2]
	if first["type"] != "turn_start" || last["type"] != "turn_end" {
		t.Errorf("the turn begins with %v and ends with %v", first, last)
	}
	if child, _ := after["subagent"].(map[string]any); child["change"] != "ended" || child["outcome"] != "unknown" {
		t.Errorf("after the turn comes %v", after)
	}
}

func TestEveryUpdateIsShownAsItCame(t *testing.T) {
	lines, capture := tour(t)
	var want, got []any
	for _, msg := range wire(t, capture, "in") {
		if msg["method"] == "session/update" {
			want = append(want, msg["params"].(map[string]any)["update"])
		}
	}
	for _, l := range of(lines, "update") {
		got = append(got, l["update"])
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReplayShowsWhatTheRunShowed(t *testing.T) {
	lines, capture := tour(t, "--ask", "first")
	r := run(t, "replay", "--json", capture)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, stderr %q", r.code, r.stderr)
	}
	kinds := []string{"initialized", "session", "turn_start", "update", "event", "ask", "turn_end"}
	want, got := of(lines, kinds...), of(r.lines(t), kinds...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-run +replay:\n%s", diff)
	}
	if diff := cmp.Diff(of(lines, "declined"), of(r.lines(t), "declined")); diff != "" {
		t.Errorf("declined, -run +replay:\n%s", diff)
	}
}
