package kiro

import (
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// UserInput is the params of _kiro/userInput.
type UserInput struct {
	SessionID  string            `json:"sessionId"`
	ToolCallID string            `json:"toolCallId"`
	Question   string            `json:"question"`
	Options    []UserInputOption `json:"options"`
}

// UserInputOption is one answer to pick. Its title is what is answered.
type UserInputOption struct {
	Title           string               `json:"title"`
	Description     string               `json:"description"`
	Recommended     bool                 `json:"recommended"`
	SubOptionsLabel string               `json:"subOptionsLabel"`
	SubOptions      []UserInputSubOption `json:"subOptions"`
}

// UserInputSubOption is a detail of an option; several may be picked.
type UserInputSubOption struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

// UserInputResult is the result of _kiro/userInput.
type UserInputResult struct {
	Action string `json:"action"` // "answered"; anything else lets the agent go on without an answer
	Answer string `json:"answer,omitzero"`
}

const answerItem = "answer"

func userInput() dialect.Method {
	return dialect.Ask[UserInput, UserInputResult]{
		Name:   "_kiro/userInput",
		Doc:    "a question with options; declined as dismissed",
		Source: typesSeen,
		Decode: need("question", func(p UserInput) string { return p.Question }),
		Correlate: func(p UserInput) (dialect.Link, dialect.Question) {
			return dialect.Link{SessionID: p.SessionID, ToolCallID: p.ToolCallID}, dialect.Question{
				Kind:     dialect.KindChoice,
				Items:    []dialect.Item{p.item()},
				Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
			}
		},
		Reply: func(p UserInput, a dialect.Answer) (UserInputResult, error) {
			if answer := p.answer(a.Picks[answerItem]); answer != "" {
				return UserInputResult{Action: "answered", Answer: answer}, nil
			}
			return UserInputResult{Action: "dismissed"}, nil
		},
		Explain: UserInput.explain,
	}
}

// item is the question. Where an option has details, several things may be
// picked: the option and its details. What has no title cannot be answered.
func (p UserInput) item() dialect.Item {
	it := dialect.Item{ID: answerItem, Text: p.Question, FreeText: true, Required: true}
	ids := p.ids()
	next := func() string {
		id := ids[0]
		ids = ids[1:]
		return id
	}
	for _, o := range p.Options {
		option := dialect.Option{ID: next(), Label: o.Title, Description: o.Description, Recommended: o.Recommended}
		for _, s := range o.SubOptions {
			if detail := (dialect.Option{ID: next(), Label: s.Title, Description: s.Description}); s.Title != "" {
				option.Options = append(option.Options, detail)
			}
		}
		if o.Title != "" {
			it.Multiple = it.Multiple || len(option.Options) > 0
			it.Options = append(it.Options, option)
		}
	}
	return it
}

// ids gives the ids of all options, each before its details: the title, made
// unique.
func (p UserInput) ids() []string {
	var names []string
	for _, o := range p.Options {
		names = append(names, o.Title)
		for _, s := range o.SubOptions {
			names = append(names, o.Title+"/"+s.Title)
		}
	}
	return dialect.UniqueIDs(names)
}

// answer words a pick: "Title", "Title [Detail, Detail]", the user's own words,
// or both; "" where there is nothing. A detail brings its option with it.
func (p UserInput) answer(pick dialect.Pick) string {
	picked := make(map[string]bool, len(pick.Options))
	for _, id := range pick.Options {
		picked[id] = true
	}
	var parts []string
	for _, o := range p.item().Options {
		var details []string
		for _, s := range o.Options {
			if picked[s.ID] {
				details = append(details, s.Label)
			}
		}
		switch {
		case details != nil:
			parts = append(parts, o.Label+" ["+strings.Join(details, ", ")+"]")
		case picked[o.ID]:
			parts = append(parts, o.Label)
		}
	}
	words := strings.Join(parts, ", ")
	switch {
	case pick.Text == "":
	case words == "":
		words = pick.Text
	default:
		words += ": " + pick.Text
	}
	return words
}

// explain finds the one option that an answer names, with its details. Any other
// answer is the user's own words.
func (p UserInput) explain(r UserInputResult) dialect.Answer {
	if r.Action != "answered" {
		return dialect.Answer{}
	}
	pick := dialect.Pick{Text: r.Answer}
	for _, o := range p.item().Options {
		if o.Label == r.Answer {
			pick = dialect.Pick{Options: []string{o.ID}}
			break
		}
		inner, ok := strings.CutPrefix(r.Answer, o.Label+" [")
		if inner, ok2 := strings.CutSuffix(inner, "]"); ok && ok2 {
			if ids := details(o.Options, strings.Split(inner, ", ")); ids != nil {
				pick = dialect.Pick{Options: append([]string{o.ID}, ids...)}
				break
			}
		}
	}
	return dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{answerItem: pick}}
}

// details gives the ids of the labels, in the options' order; nil unless that is
// their order and all are there.
func details(options []dialect.Option, labels []string) []string {
	var ids []string
	for _, label := range labels {
		i := slices.IndexFunc(options, func(o dialect.Option) bool { return o.Label == label })
		if i < 0 {
			return nil
		}
		ids = append(ids, options[i].ID)
		options = options[i+1:]
	}
	return ids
}
