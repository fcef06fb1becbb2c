package dialect_test

import (
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

var menu = dialect.Question{
	Kind: dialect.KindChoice,
	Items: []dialect.Item{
		{ID: "one", Options: []dialect.Option{{ID: "a"}, {ID: "b", Options: []dialect.Option{{ID: "b1"}}}}},
		{ID: "many", Multiple: true, Options: []dialect.Option{{ID: "a"}, {ID: "b"}}},
		{ID: "text", FreeText: true},
	},
	Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped, "acme_later"},
	Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
}

func pick(item string, options ...string) map[string]dialect.Pick {
	return map[string]dialect.Pick{item: {Options: options}}
}

func TestCheck(t *testing.T) {
	request := dialect.Question{Kind: dialect.KindRequest}
	must := dialect.Question{
		Kind: dialect.KindChoice, Items: []dialect.Item{{ID: "it", FreeText: true, Required: true}},
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
	}
	for _, c := range []struct {
		name     string
		question dialect.Question
		answer   dialect.Answer
		refused  string // a part of the error; "" if the answer may be sent
	}{
		{"decline", menu, dialect.Answer{}, ""},
		{"decline of a request", request, dialect.Answer{}, ""},
		{"decline of the zero question", dialect.Question{}, dialect.Answer{}, ""},
		{"bare outcome", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted}, ""},
		{"vendor's outcome", menu, dialect.Answer{Outcome: "acme_later"}, ""},
		{"one option", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("one", "b")}, ""},
		{"option of the second level", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("one", "b1")}, ""},
		{"no option", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("one")}, ""},
		{"several options", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("many", "b", "a")}, ""},
		{"text", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"text": {Text: "x"}}}, ""},
		{"feedback", menu, dialect.Answer{Outcome: dialect.OutcomeSkipped, Feedback: "x"}, ""},
		{"result", menu, dialect.Answer{Result: 7}, ""},
		{"result of a request", request, dialect.Answer{Result: 7}, ""},

		{"decline with picks", menu, dialect.Answer{Picks: pick("one", "a")}, "a decline carries no picks"},
		{"decline with feedback", menu, dialect.Answer{Feedback: "x"}, "no feedback"},
		{"outcome nobody listed", menu, dialect.Answer{Outcome: dialect.OutcomeRejected}, `outcome "rejected" was not offered; offered: ["accepted" "skipped" "acme_later"]`},
		{"outcome of a request", request, dialect.Answer{Outcome: dialect.OutcomeAccepted}, "Answer.Result"},
		{"feedback for another outcome", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Feedback: "x"}, `outcome "accepted" takes no feedback`},
		{"unknown item", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("two", "a")}, `no question has the id "two"`},
		{"unknown option", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("one", "c")}, `question "one" does not offer the option "c"`},
		{"option of another item", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("many", "b1")}, "does not offer"},
		{"two options where one fits", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("one", "a", "b")}, "takes one option, not 2"},
		{"option twice", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("many", "a", "a")}, "picked twice"},
		{"text where options fit", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"one": {Text: "x"}}}, `question "one" takes no free text`},
		{"option where text fits", menu, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("text", "a")}, "does not offer"},
		{"result beside an outcome", menu, dialect.Answer{Result: 7, Outcome: dialect.OutcomeAccepted}, "set one or the other"},
		{"result beside picks", menu, dialect.Answer{Result: 7, Picks: pick("one", "a")}, "set one or the other"},
		{"result beside feedback", menu, dialect.Answer{Result: 7, Feedback: "x"}, "set one or the other"},
		{"no pick where there must be one", must, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: pick("it")}, `question "it" must be answered`},
		{"skipped, where there must be a pick", must, dialect.Answer{Outcome: dialect.OutcomeSkipped}, ""},
		{"a text where there must be a pick", must, dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"it": {Text: "x"}}}, ""},
		{"anything on the zero question", dialect.Question{}, dialect.Answer{Outcome: dialect.OutcomeAccepted}, "was not offered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.question.Check(c.answer)
			switch {
			case c.refused == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.refused != "" && err == nil:
				t.Errorf("passes, want an error about %q", c.refused)
			case err != nil && (!strings.Contains(err.Error(), c.refused) || !strings.HasPrefix(err.Error(), "dialect: ")):
				t.Errorf("error %q, want one about %q", err, c.refused)
			}
		})
	}
}
