package client_test

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// A dialect that asks in every way there is.

type survey struct {
	SessionID  string       `json:"sessionId"`
	ToolCallID string       `json:"toolCallId"`
	Title      string       `json:"title"`
	Items      []surveyItem `json:"items"`
	Plan       string       `json:"plan"`
}

type surveyItem struct {
	ID       string   `json:"id"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiple"`
	FreeText bool     `json:"freeText"`
}

type surveyResult struct {
	Outcome  string              `json:"outcome"` // "none" declines
	Picked   map[string][]string `json:"picked,omitempty"`
	Text     map[string]string   `json:"text,omitempty"`
	Feedback string              `json:"feedback,omitempty"`
}

type secretResult struct {
	Token string `json:"token"`
}

func (s survey) link() dialect.Link {
	return dialect.Link{SessionID: s.SessionID, ToolCallID: s.ToolCallID}
}

func reply(_ survey, a dialect.Answer) (surveyResult, error) {
	if a.Outcome == dialect.OutcomeDeclined {
		return surveyResult{Outcome: "none"}, nil
	}
	out := surveyResult{Outcome: string(a.Outcome), Feedback: a.Feedback}
	for id, p := range a.Picks {
		if len(p.Options) > 0 {
			if out.Picked == nil {
				out.Picked = map[string][]string{}
			}
			out.Picked[id] = p.Options
		}
		if p.Text != "" {
			if out.Text == nil {
				out.Text = map[string]string{}
			}
			out.Text[id] = p.Text
		}
	}
	return out, nil
}

// asking gives a registry with the asks acme/choose, acme/approve and acme/fetch,
// whose answer is a credential and whose decline is an error.
func asking() *registry.Registry {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{
		dialect.Ask[survey, surveyResult]{
			Name: "acme/choose",
			Correlate: func(s survey) (dialect.Link, dialect.Question) {
				q := dialect.Question{Kind: dialect.KindChoice, Title: s.Title, Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped}}
				for _, i := range s.Items {
					item := dialect.Item{ID: i.ID, Multiple: i.Multiple, FreeText: i.FreeText}
					for _, o := range i.Options {
						item.Options = append(item.Options, dialect.Option{ID: o})
					}
					q.Items = append(q.Items, item)
				}
				return s.link(), q
			},
			Reply: reply,
		},
		dialect.Ask[survey, surveyResult]{
			Name: "acme/approve",
			Correlate: func(s survey) (dialect.Link, dialect.Question) {
				return s.link(), dialect.Question{
					Kind: dialect.KindPlan, Title: s.Title, Text: s.Plan,
					Todos:    []dialect.Todo{{ID: "1", Content: "add cache", Status: dialect.TodoPending}},
					Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected},
					Feedback: []dialect.Outcome{dialect.OutcomeRejected},
				}
			},
			Reply: reply,
			Explain: func(_ survey, r surveyResult) dialect.Answer {
				if r.Outcome == "none" {
					return dialect.Answer{}
				}
				return dialect.Answer{Outcome: dialect.Outcome(r.Outcome), Feedback: r.Feedback}
			},
		},
		dialect.Ask[survey, secretResult]{
			Name: "acme/fetch", Secret: true,
			Correlate: func(s survey) (dialect.Link, dialect.Question) {
				return s.link(), dialect.Question{Kind: dialect.KindRequest, Title: s.Title}
			},
			Reply: func(survey, dialect.Answer) (secretResult, error) {
				return secretResult{}, &dialect.NoAnswer{Code: -32001, Message: "nobody has it"}
			},
		},
	}})
	return &r
}

// nesting gives a registry that reads which subagent a frame runs inside.
func nesting() *registry.Registry {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{Name: "acme", Observe: func(f dialect.Frame) []dialect.Finding {
		parent := rawjson.String(rawjson.Get(f.Meta, "acme", "parent"))
		if parent == "" {
			return nil
		}
		return []dialect.Finding{{
			Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
			Event: dialect.Inside{Parent: dialect.Link{SessionID: f.SessionID, ToolCallID: parent}},
		}}
	}})
	return &r
}
