package grok_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/grok"
	"github.com/acpdialects/acpdialects/registry"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, grok.Dialect(), allCases()) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, grok.Dialect(), allCases()) }

// allCases adds to the table what holds for every method: params that are no
// object are refused.
func allCases() []dialecttest.Case {
	all := append(append(append([]dialecttest.Case{}, askCases...), updateCases...), reportCases...)
	for _, m := range grok.Dialect().Methods {
		name := m.Spec().Name
		all = append(all, dialecttest.Case{Name: name + " with a list", Method: name, Params: `[]`, Refused: "params"})
	}
	return all
}

var (
	s1        = dialect.Link{SessionID: "S"}
	connected = dialect.Link{Connection: true}
)

func found(link dialect.Link, events ...dialect.Event) []dialect.Finding {
	var out []dialect.Finding
	for _, e := range events {
		out = append(out, dialect.Finding{Link: link, Event: e})
	}
	return out
}

func other(link dialect.Link, value any) []dialect.Finding {
	return found(link, dialect.Other{Value: value})
}

func notice(link dialect.Link, kind dialect.NoticeKind, message string) []dialect.Finding {
	return found(link, dialect.Notice{Kind: kind, Message: message})
}

func number(v float64) dialect.Number { return dialect.Number{Value: v, Valid: true} }

// envelope wraps an update object as _x.ai/session_notification has it.
func envelope(update string) string { return `{"sessionId":"S","update":` + update + `}` }

// The plan of a loaded session is asked for again without a tool call. Nobody's
// silence may then start a turn, which "cancelled" would.
func TestPlanAfterLoadStaysPendingWhenNobodyDecides(t *testing.T) {
	m := method(t, "_x.ai/exit_plan_mode")
	p, err := m.Decode(json.RawMessage(`{"sessionId":"S","toolCallId":"exit-plan-mode-resume-S","planContent":"# Plan"}`))
	if err != nil {
		t.Fatal(err)
	}
	_, q := m.Question(p)
	if q.Text != "# Plan" {
		t.Errorf("the plan is %q, want # Plan", q.Text)
	}
	var none *dialect.NoAnswer
	if r, err := m.Reply(p, dialect.Answer{}); !errors.As(err, &none) || none.Code != -32603 {
		t.Errorf("the decline is %v, %v, want no answer with the code -32603", r, err)
	}
	got, err := m.Reply(p, dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "smaller"})
	want := grok.PlanDecision{Outcome: "cancelled", Feedback: "smaller"}
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("a rejection is (-want +got, error %v):\n%s", err, diff)
	}
	back, ok := m.Explain(p, json.RawMessage(`{"outcome":"cancelled"}`))
	if !ok || back.Outcome != dialect.OutcomeRejected {
		t.Errorf(`"cancelled" is explained as %+v, %v, want a rejection: nothing else sends it here`, back, ok)
	}
}

// The end of such an ask is known by the id that was made up for it.
func TestInteractionResolvedAfterLoadNamesTheAsk(t *testing.T) {
	p, err := method(t, "_x.ai/exit_plan_mode").Decode(json.RawMessage(`{"sessionId":"S","toolCallId":"exit-plan-mode-resume-S","planContent":"# Plan"}`))
	if err != nil {
		t.Fatal(err)
	}
	link, _ := method(t, "_x.ai/exit_plan_mode").Question(p)
	m := method(t, "_x.ai/session_notification")
	p, err = m.Decode(json.RawMessage(envelope(`{"sessionUpdate":"interaction_resolved","tool_call_id":"exit-plan-mode-resume-S"}`)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(found(link, dialect.Withdrawn{}), m.Findings(p)); diff != "" || link.ToolCallID == "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// Recorded answers of other clients are shown too: labels nobody offered are
// words, one label may stand for a list, and a preview may be missing.
func TestForeignAnswersAreExplained(t *testing.T) {
	m := method(t, "_x.ai/ask_user_question")
	p, err := m.Decode(json.RawMessage(`{"questions":[
		{"question":"DB?","options":[{"label":"Postgres","preview":"server"},{"label":"SQLite"}]},
		{"question":"Extras?","options":[{"label":"A"},{"label":"B"}],"multiSelect":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, result string
		want         map[string]dialect.Pick
	}{
		{"one label", `{"outcome":"accepted","answers":{"DB?":"Postgres"}}`, map[string]dialect.Pick{"DB?": {Options: []string{"Postgres"}}}},
		{"raw text", `{"outcome":"accepted","answers":{"DB?":["MariaDB"],"Extras?":["A","C","D"]}}`, map[string]dialect.Pick{
			"DB?": {Text: "MariaDB"}, "Extras?": {Options: []string{"A"}, Text: "C, D"},
		}},
		{"two of a single choice", `{"outcome":"accepted","answers":{"DB?":["SQLite","Postgres"]}}`, map[string]dialect.Pick{
			"DB?": {Options: []string{"SQLite"}, Text: "Postgres"},
		}},
		{"numbers", `{"outcome":"accepted","answers":{"DB?":7,"Extras?":[1]}}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := m.Explain(p, json.RawMessage(c.result))
			want := dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: c.want}
			if diff := cmp.Diff(want, got); diff != "" || !ok {
				t.Errorf("explained %v (-want +got):\n%s", ok, diff)
			}
		})
	}
}

// A preview is echoed for the option that was picked, not for another of the
// same label.
func TestOptionsOfOneLabelKeepTheirPreview(t *testing.T) {
	m := method(t, "_x.ai/ask_user_question")
	p, err := m.Decode(json.RawMessage(`{"questions":[{"question":"Q","options":[{"label":"L","preview":"one"},{"label":"L","preview":"two"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	answer := dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"Q": {Options: []string{"L#2"}}}}
	got, err := m.Reply(p, answer)
	want := grok.Answers{
		Outcome:     "accepted",
		Answers:     map[string]grok.Labels{"Q": {"L"}},
		Annotations: map[string]grok.Annotation{"Q": {Preview: "two"}},
	}
	if diff := cmp.Diff(any(want), got); diff != "" || err != nil {
		t.Errorf("the reply is (-want +got, error %v):\n%s", err, diff)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if back, _ := m.Explain(p, raw); !cmp.Equal(answer, back) {
		t.Errorf("explained as %+v, want %+v", back, answer)
	}
}

func TestFolderTrustIsAdvertisedToHostsThatAnswer(t *testing.T) {
	want := dialect.Capabilities{"_meta": map[string]any{"x.ai/folderTrust": map[string]any{"interactive": true}}}
	if diff := cmp.Diff(want, grok.Dialect().Advertise(true)); diff != "" {
		t.Errorf("with asks (-want +got):\n%s", diff)
	}
	if got := grok.Dialect().Advertise(false); got != nil {
		t.Errorf("without asks %v, want nothing", got)
	}
}

// Durations are milliseconds of any size.
func TestHugeDurationIsNotNegative(t *testing.T) {
	m := method(t, "_x.ai/session_notification")
	p, err := m.Decode(json.RawMessage(envelope(`{"sessionUpdate":"subagent_progress","subagent_id":"a","duration_ms":1e300}`)))
	if err != nil {
		t.Fatal(err)
	}
	sub := m.Findings(p)[0].Event.(dialect.SubagentPatch)
	if d, ok := sub.Duration.Get(); !ok || d < 292*365*24*time.Hour {
		t.Errorf("duration %v, %v, want the longest", d, ok)
	}
}

func method(t *testing.T, name string) *registry.Method {
	t.Helper()
	m, ok := registry.Default().Lookup(name)
	if !ok {
		t.Fatalf("no method %q", name)
	}
	return m
}
