package dialecttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// answers gives the answers that a question offers, the decline first: every
// outcome bare, with the first option of each item, with every option where
// several may be picked, with text, and with feedback.
func answers(q dialect.Question) []dialect.Answer {
	out := []dialect.Answer{{}}
	for _, outcome := range q.Outcomes {
		given := []dialect.Answer{{Outcome: outcome}}
		for _, how := range []func(dialect.Item) dialect.Pick{first, last, all, text, allAndText} {
			picks := map[string]dialect.Pick{}
			for _, it := range q.Items {
				if p := how(it); p.Text != "" || len(p.Options) > 0 {
					picks[it.ID] = p
				}
			}
			if len(picks) > 0 {
				given = append(given, dialect.Answer{Outcome: outcome, Picks: picks})
			}
		}
		if slices.Contains(q.Feedback, outcome) {
			for _, a := range slices.Clone(given) {
				a.Feedback = "because \"so\"\nand \u2028 so"
				given = append(given, a)
			}
		}
		for _, a := range given {
			if q.Check(a) == nil {
				out = append(out, a)
			}
		}
	}
	return out
}

func first(it dialect.Item) dialect.Pick {
	if ids := optionIDs(it.Options); len(ids) > 0 {
		return dialect.Pick{Options: ids[:1]}
	}
	return dialect.Pick{}
}

func last(it dialect.Item) dialect.Pick {
	if ids := optionIDs(it.Options); len(ids) > 0 {
		return dialect.Pick{Options: ids[len(ids)-1:]}
	}
	return dialect.Pick{}
}

func all(it dialect.Item) dialect.Pick {
	if !it.Multiple {
		return first(it)
	}
	return dialect.Pick{Options: optionIDs(it.Options)}
}

func text(it dialect.Item) dialect.Pick {
	if !it.FreeText {
		return first(it)
	}
	return dialect.Pick{Text: "my own \"words\"\n"}
}

func allAndText(it dialect.Item) dialect.Pick {
	p := all(it)
	p.Text = text(it).Text
	return p
}

// optionIDs gives the ids of options and of those below them.
func optionIDs(options []dialect.Option) []string {
	var ids []string
	for _, o := range options {
		ids = append(ids, o.ID)
		ids = append(ids, optionIDs(o.Options)...)
	}
	return ids
}

// unoffered gives answers that a question does not offer.
func unoffered(q dialect.Question) []dialect.Answer {
	out := []dialect.Answer{
		{Outcome: "an outcome nobody listed"},
		{Feedback: "for a decline"},
		{Picks: map[string]dialect.Pick{"for a decline": {}}},
	}
	for _, o := range q.Outcomes {
		out = append(out, dialect.Answer{Outcome: o, Picks: map[string]dialect.Pick{"an item nobody has": {}}})
		if !slices.Contains(q.Feedback, o) {
			out = append(out, dialect.Answer{Outcome: o, Feedback: "unwanted"})
		}
		for _, it := range q.Items {
			pick := func(p dialect.Pick) {
				out = append(out, dialect.Answer{Outcome: o, Picks: map[string]dialect.Pick{it.ID: p}})
			}
			pick(dialect.Pick{Options: []string{"an option nobody has"}})
			if it.Required && o == dialect.OutcomeAccepted {
				pick(dialect.Pick{})
			}
			if ids := optionIDs(it.Options); len(ids) > 0 {
				pick(dialect.Pick{Options: []string{ids[0], ids[0]}})
				if len(ids) > 1 && !it.Multiple {
					pick(dialect.Pick{Options: ids[:2]})
				}
			}
			if !it.FreeText {
				pick(dialect.Pick{Text: "unwanted"})
			}
		}
	}
	return out
}

// code gives the JSON-RPC code of a declared *NoAnswer, 0 for anything else.
func code(err error) int {
	var no *dialect.NoAnswer
	switch {
	case !errors.As(err, &no):
		return 0
	case no.Code == 0:
		return -32603
	}
	return no.Code
}

// sameJSON reports whether two documents say the same.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := value(a)
	y, okY := value(b)
	return okX && okY && reflect.DeepEqual(x, y)
}

func value(raw []byte) (v any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err := dec.Decode(&v)
	return v, err == nil && !dec.More()
}
