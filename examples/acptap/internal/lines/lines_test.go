package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// printed gives what a view prints.
func printed(t *testing.T, do func(*View)) string {
	t.Helper()
	var buf bytes.Buffer
	do(New(&buf, func(err error) { t.Error(err) }))
	return buf.String()
}

func TestEvents(t *testing.T) {
	for want, payload := range map[string]dialect.Event{
		`{"type":"event","event":"todos","todos":[{"id":"1","content":"c","status":"pending"}]}`: dialect.Todos{Items: []dialect.Todo{{ID: "1", Content: "c", Status: "pending", Priority: "high"}}},
		`{"type":"event","event":"todos"}`: dialect.Todos{},
		`{"type":"event","event":"image","image":{"description":"d","path":"/p","references":["/r"]}}`:                       dialect.Image{Description: "d", Path: "/p", References: []string{"/r"}},
		`{"type":"event","event":"notice","notice":{"kind":"retry","message":"m"}}`:                                          dialect.Notice{Kind: dialect.NoticeRetry, Message: "m"},
		`{"type":"event","event":"turn","turn":{"id":"t","stopReason":"end_turn"}}`:                                          dialect.TurnMark{ID: "t", StopReason: "end_turn"},
		`{"type":"event","event":"withdrawn"}`:                                                                               dialect.Withdrawn{},
		`{"type":"event","event":"usage","usage":{"inputTokens":1,"costs":[{"amount":0.5,"unit":"USD"}],"durationMs":1500}}`: dialect.Usage{InputTokens: 1, Costs: []dialect.Cost{{Amount: 0.5, Unit: "USD"}}, Duration: 1500 * time.Millisecond},
		`{"type":"event","event":"other","other":{"a":1}}`:                                                                   dialect.Other{Value: map[string]int{"a": 1}},
		`{"type":"event","event":"other","other":{"value":[1]}}`:                                                             dialect.Other{Value: []int{1}},
		`{"type":"event","event":"other","other":{"raw":true}}`:                                                              dialect.Other{Value: math.Inf(1)},
		`{"type":"event","event":"subagent","toolCallId":"t","subagent":{"change":"ended","agentType":"a","activity":"ended","outcome":"failed","durationMs":1}}`: dialect.Subagent{
			Change: dialect.ChangeEnded, ToolCallID: "t", AgentType: "a", Activity: dialect.ActivityEnded, Outcome: dialect.SubagentFailed, Duration: 1999 * time.Microsecond},
		`{"type":"event","event":"question","question":{"kind":"question","text":"<b>","outcomes":["accepted"],"items":[{"id":"i","multiple":true,"options":[{"id":"o","label":"L","description":"D"}]}]}}`: dialect.Question{
			Kind: dialect.KindChoice, Text: "<b>", Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
			Items: []dialect.Item{{ID: "i", Multiple: true, Options: []dialect.Option{{ID: "o", Label: "L", Description: "D"}}}}},
	} {
		got := printed(t, func(v *View) { v.Event(client.Event{Payload: payload, Raw: json.RawMessage(`{"raw":true}`)}) })
		if diff := cmp.Diff(want+"\n", got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestEventSaysWhereItBelongs(t *testing.T) {
	got := printed(t, func(v *View) {
		v.Event(client.Event{
			Dialect: "acme", Method: "acme/x", WireName: "_acme/x", Payload: dialect.Withdrawn{},
			Link: dialect.Link{ToolCallID: "t\n1"}, SessionID: "s", How: client.HowToolCall, Matched: true, History: true,
			Soft: errors.New("odd"),
		})
	})
	want := `{"type":"event","event":"withdrawn","dialect":"acme","method":"acme/x","wireName":"_acme/x","sessionId":"s","how":"tool_call","toolCallId":"t\n1","matched":true,"soft":"odd","history":true}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSettled(t *testing.T) {
	for want, settled := range map[string]client.Settled{
		`{"type":"permission","sessionId":"s","toolCallId":"t","options":["a","b"],"chosen":"b"}`: {
			SessionID: "s", Options: []string{"a", "b"}, Chosen: "b", Raw: json.RawMessage(`{"toolCall":{"toolCallId":"t"}}`)},
		`{"type":"ask","dialect":"acme","method":"m","wireName":"w","how":"unknown","kind":"request","reason":"no_handler"}`: {
			Dialect: "acme", Method: "m", WireName: "w", How: client.HowUnknown, Question: dialect.Question{Kind: dialect.KindRequest}, Reason: client.ReasonNoHandler},
		`{"type":"ask","dialect":"acme","method":"m","wireName":"w","kind":"question","answer":{"outcome":"accepted","picks":{"i":{"options":["o"],"text":"x"}},"feedback":"f"}}`: {
			Dialect: "acme", Method: "m", WireName: "w", Question: dialect.Question{Kind: dialect.KindChoice},
			Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"i": {Options: []string{"o"}, Text: "x"}}, Feedback: "f"}},
	} {
		if diff := cmp.Diff(want+"\n", printed(t, func(v *View) { v.Settled(settled) })); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// A line is one line for everybody, and no terminal obeys it.
func TestLinesAreHarmless(t *testing.T) {
	raw := json.RawMessage("{\"a\": \"\u2028\u0085\u009b\x7f\xff ü \\u001b\"}")
	got := printed(t, func(v *View) { v.Update(client.Update{SessionID: "s", Kind: "k", Raw: raw}) })
	want := `{"type":"update","sessionId":"s","kind":"k","update":{"a":"\u2028\u0085\u009b\u007f\ufffd ü \u001b"}}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNothingIsWrittenAfterAnError(t *testing.T) {
	failures := 0
	v := New(broken{}, func(error) { failures++ })
	v.Session("a")
	v.Session("b")
	if failures != 1 {
		t.Errorf("told %d times, want once", failures)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
