package dialect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

type verdict struct {
	Verdict string `json:"verdict"`
}

func ask() dialect.Ask[entry, verdict] {
	return dialect.Ask[entry, verdict]{
		Name: "acme/ask", Doc: "doc", Source: "source", Aliases: []string{"acme.ask"}, Secret: true,
		Correlate: func(p entry) (dialect.Link, dialect.Question) {
			return dialect.Link{ToolCallID: p.Name}, dialect.Question{Kind: dialect.KindChoice, Title: p.Name}
		},
		Reply: func(p entry, a dialect.Answer) (verdict, error) {
			if a.Outcome == dialect.OutcomeDeclined {
				return verdict{}, &dialect.NoAnswer{Code: -32000, Message: "nobody decided"}
			}
			return verdict{p.Name + " " + string(a.Outcome)}, nil
		},
	}
}

func TestReportAsSpec(t *testing.T) {
	s := dialect.Report[entry]{
		Name: "acme/tell", Doc: "doc", Source: "source", Aliases: []string{"acme.tell"},
		Correlate: func(p entry) []dialect.Finding {
			return []dialect.Finding{{Link: dialect.Link{ToolCallID: p.Name}, Event: dialect.Other{Value: p}}}
		},
	}.Spec()
	if s.Missing() != "" || s.Ask || s.Question != nil || s.Reply != nil || s.Explain != nil {
		t.Errorf("a report's spec is %+v", s)
	}
	if got := fmt.Sprint(s.Name, s.Doc, s.Source, s.Aliases); got != "acme/telldocsource[acme.tell]" {
		t.Errorf("names and docs are %s", got)
	}
	p, err := s.Decode(json.RawMessage(`{"name":"t"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []dialect.Finding{{Link: dialect.Link{ToolCallID: "t"}, Event: dialect.Other{Value: entry{Name: "t"}}}}
	if d := cmp.Diff(want, s.Findings(p)); d != "" {
		t.Errorf("findings (-want +got):\n%s", d)
	}
}

func TestAskAsSpec(t *testing.T) {
	s := ask().Spec()
	if s.Missing() != "" || !s.Ask || !s.Secret || s.Findings != nil || s.Explain != nil {
		t.Errorf("an ask's spec is %+v", s)
	}
	p, err := s.Decode(json.RawMessage(`{"name":"t"}`))
	if err != nil {
		t.Fatal(err)
	}
	link, q := s.Question(p)
	if link.ToolCallID != "t" || q.Title != "t" {
		t.Errorf("question is %+v %+v", link, q)
	}
	got, err := s.Reply(p, dialect.Answer{Outcome: dialect.OutcomeAccepted})
	if err != nil || got != (verdict{"t accepted"}) {
		t.Errorf("reply is %v (%v)", got, err)
	}
	var no *dialect.NoAnswer
	if _, err := s.Reply(p, dialect.Answer{}); !errors.As(err, &no) || no.Code != -32000 {
		t.Errorf("the decline is %v", err)
	}
}

// What cannot be decoded is declined with the zero P, so there must be one.
func TestSpecDecodesHardErrorsToTheZeroParams(t *testing.T) {
	p, err := ask().Spec().Decode(json.RawMessage(`[]`))
	if dialect.Usable(err) {
		t.Fatalf("error is %v", err)
	}
	if p != (entry{}) {
		t.Errorf("params are %#v", p)
	}
}

func TestSpecUsesTheMethodsOwnDecoder(t *testing.T) {
	a := ask()
	a.Decode = func(json.RawMessage) (entry, error) { return entry{}, dialect.MissingField("name") }
	if _, err := a.Spec().Decode(json.RawMessage(`{"name":"t"}`)); err == nil || !strings.Contains(err.Error(), `"name" is missing`) {
		t.Errorf("error is %v", err)
	}
}

func TestAnswerWithTheMethodsOwnResult(t *testing.T) {
	s := ask().Spec()
	for _, c := range []struct {
		result  any
		refused string
	}{
		{verdict{"mine"}, ""},
		{&verdict{"mine"}, ""},
		{(*verdict)(nil), "must be a dialect_test.verdict, not a *dialect_test.verdict"},
		{"mine", "must be a dialect_test.verdict, not a string"},
	} {
		got, err := s.Reply(entry{}, dialect.Answer{Result: c.result})
		if c.refused == "" && (err != nil || got != (verdict{"mine"})) {
			t.Errorf("%#v becomes %v (%v)", c.result, got, err)
		}
		if c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%#v: error %v, want one about %q", c.result, err, c.refused)
		}
	}
}

func TestExplainReadsAResult(t *testing.T) {
	a := ask()
	a.Explain = func(_ entry, r verdict) dialect.Answer { return dialect.Answer{Outcome: dialect.Outcome(r.Verdict)} }
	explain := a.Spec().Explain
	if got, ok := explain(entry{}, json.RawMessage(`{"verdict":"accepted","x":1}`)); !ok || got.Outcome != dialect.OutcomeAccepted {
		t.Errorf("explained as %+v, %v", got, ok)
	}
	for _, raw := range []string{`[]`, `{"verdict":7}`, `{`} {
		if got, ok := explain(entry{}, json.RawMessage(raw)); ok {
			t.Errorf("%s is explained as %+v", raw, got)
		}
	}
}

func TestSpecNamesTheHookThatIsMissing(t *testing.T) {
	noCorrelate, noReply := ask(), ask()
	noCorrelate.Correlate, noReply.Reply = nil, nil
	for _, c := range []struct {
		method dialect.Method
		want   string
	}{
		{dialect.Report[entry]{Name: "acme/tell"}, "Correlate"},
		{noCorrelate, "Correlate"},
		{noReply, "Reply"},
		{ask(), ""},
	} {
		if got := c.method.Spec().Missing(); got != c.want {
			t.Errorf("%T lacks %q, want %q", c.method, got, c.want)
		}
	}
}

func TestUsable(t *testing.T) {
	soft := &dialect.SoftError{Err: errors.New("odd")}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, true}, {soft, true}, {fmt.Errorf("more: %w", soft), true},
		{errors.New("odd"), false}, {&dialect.ParamsError{}, false}, {dialect.MissingField("x"), false}, {errors.Join(soft, dialect.MissingField("x")), false},
	} {
		if got := dialect.Usable(c.err); got != c.want {
			t.Errorf("Usable(%v) is %v", c.err, got)
		}
	}
}

func TestNoAnswerText(t *testing.T) {
	for want, err := range map[string]error{
		"dialect: no answer":       &dialect.NoAnswer{},
		"dialect: no answer: gone": &dialect.NoAnswer{Code: 1, Message: "gone"},
	} {
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}
