package grok

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// Outcomes of a question in plan mode, besides dialect.OutcomeAccepted.
const (
	ChatAboutThis dialect.Outcome = "chat_about_this"
	SkipInterview dialect.Outcome = "skip_interview"
)

// otherLabel is the answer that says: see the notes.
const otherLabel = "Other"

func askUserQuestion() dialect.Method {
	const name = "_x.ai/ask_user_question"
	lenient := decode[AskUserQuestion](name)
	return dialect.Ask[AskUserQuestion, Answers]{
		Name:   name,
		Doc:    "questions with options; declined as cancelled",
		Source: fromClients,
		Decode: func(raw json.RawMessage) (AskUserQuestion, error) {
			p, err := lenient(raw)
			if dialect.Usable(err) && len(p.Questions) == 0 {
				return p, dialect.MissingField("questions")
			}
			return p, err
		},
		Correlate: func(p AskUserQuestion) (dialect.Link, dialect.Question) {
			q := dialect.Question{Kind: dialect.KindChoice, Outcomes: []dialect.Outcome{dialect.OutcomeAccepted}}
			if p.Mode == "plan" {
				q.Outcomes = append(q.Outcomes, ChatAboutThis, SkipInterview)
			}
			q.Items = p.items()
			return dialect.Link{SessionID: p.SessionID, ToolCallID: p.ToolCallID}, q
		},
		Reply: func(p AskUserQuestion, a dialect.Answer) (Answers, error) {
			switch a.Outcome {
			case dialect.OutcomeAccepted:
				return p.accept(a.Picks), nil
			case ChatAboutThis, SkipInterview:
				return Answers{Outcome: string(a.Outcome), PartialAnswers: p.partial(a.Picks)}, nil
			}
			return Answers{Outcome: "cancelled"}, nil
		},
		Explain: AskUserQuestion.explain,
	}
}

// items gives the questions by their text, in order. The result has one place
// for each text, so questions that share it are one item with the options of all.
func (p AskUserQuestion) items() []dialect.Item {
	at := make(map[string]int, len(p.Questions))
	var items []dialect.Item
	var names []string
	for _, q := range p.Questions {
		i, again := at[q.Question]
		if !again {
			i = len(items)
			at[q.Question] = i
			items = append(items, dialect.Item{Text: q.Question, FreeText: true})
			names = append(names, cmp.Or(q.ID, q.Question, "question"))
		}
		it := &items[i]
		it.Multiple = it.Multiple || q.MultiSelect || again
		it.Options = slices.Grow(it.Options, len(q.Options))
		for _, o := range q.Options {
			it.Options = append(it.Options, dialect.Option{
				ID: cmp.Or(o.ID, o.Label, "option"), Label: o.Label, Description: o.Description, Preview: o.Preview,
			})
		}
	}
	for i, id := range dialect.UniqueIDs(names) {
		items[i].ID = id
		options := items[i].Options
		ids := make([]string, len(options))
		for n, o := range options {
			ids[n] = o.ID
		}
		for n, id := range dialect.UniqueIDs(ids) {
			options[n].ID = id
		}
	}
	return items
}

// picked gives the options of a pick.
func picked(it dialect.Item, p dialect.Pick) []dialect.Option {
	if len(p.Options) == 0 {
		return nil
	}
	at := make(map[string]int, len(it.Options))
	for i, o := range it.Options {
		at[o.ID] = i
	}
	var out []dialect.Option
	for _, id := range p.Options {
		if i, ok := at[id]; ok {
			out = append(out, it.Options[i])
		}
	}
	return out
}

func (p AskUserQuestion) accept(picks map[string]dialect.Pick) Answers {
	out := Answers{Outcome: "accepted", Answers: map[string]Labels{}}
	for _, it := range p.items() {
		pick := picks[it.ID]
		var labels Labels
		note := Annotation{Notes: pick.Text}
		for _, o := range picked(it, pick) {
			labels = append(labels, o.Label)
			if !it.Multiple {
				note.Preview = o.Preview
			}
		}
		if labels == nil && pick.Text != "" {
			labels = Labels{otherLabel}
		}
		if labels != nil {
			out.Answers[it.Text] = labels
		}
		if note != (Annotation{}) {
			if out.Annotations == nil {
				out.Annotations = map[string]Annotation{}
			}
			out.Annotations[it.Text] = note
		}
	}
	return out
}

// partial gives the answers so far as one text each: the labels, the user's own
// words last.
func (p AskUserQuestion) partial(picks map[string]dialect.Pick) map[string]string {
	var out map[string]string
	for _, it := range p.items() {
		pick := picks[it.ID]
		var words []string
		for _, o := range picked(it, pick) {
			words = append(words, o.Label)
		}
		if pick.Text != "" {
			words = append(words, pick.Text)
		}
		if words == nil {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[it.Text] = strings.Join(words, ", ")
	}
	return out
}

func (p AskUserQuestion) explain(r Answers) dialect.Answer {
	a := dialect.Answer{}
	switch r.Outcome {
	case "accepted":
		a.Outcome = dialect.OutcomeAccepted
	case string(ChatAboutThis), string(SkipInterview):
		a.Outcome = dialect.Outcome(r.Outcome)
	default:
		return a
	}
	for _, it := range p.items() {
		var pick dialect.Pick
		if partial, ok := r.PartialAnswers[it.Text]; ok {
			pick = explain(it, Labels{partial}, Annotation{})
		}
		if labels, ok := r.Answers[it.Text]; ok {
			pick = explain(it, labels, r.Annotations[it.Text])
		}
		if len(pick.Options) == 0 && pick.Text == "" {
			continue
		}
		if a.Picks == nil {
			a.Picks = map[string]dialect.Pick{}
		}
		a.Picks[it.ID] = pick
	}
	return a
}

// explain finds the options that have the labels. What is no label is the user's
// own words.
func explain(it dialect.Item, labels Labels, note Annotation) dialect.Pick {
	var pick dialect.Pick
	var words []string
	if note.Notes != "" {
		words = append(words, note.Notes)
	}
	free := make(map[string][]dialect.Option, len(it.Options)) // not picked yet, by label
	for _, o := range it.Options {
		free[o.Label] = append(free[o.Label], o)
	}
	for _, label := range labels {
		isNote := label == otherLabel && note.Notes != ""
		if it.Multiple || len(pick.Options) == 0 {
			options := free[label]
			if n := choose(options, it.Multiple, note.Preview, isNote); n >= 0 {
				pick.Options = append(pick.Options, options[n].ID)
				free[label] = options[n+1:]
				continue
			}
		}
		if !isNote {
			words = append(words, label)
		}
	}
	pick.Text = strings.Join(words, ", ")
	return pick
}

// choose finds the option that is meant among those with one label, -1 for none.
// Those of a single choice may differ in the preview alone.
func choose(options []dialect.Option, multiple bool, preview string, isNote bool) int {
	switch {
	case len(options) == 0:
		return -1
	case multiple:
		return 0
	}
	exact := slices.IndexFunc(options, func(o dialect.Option) bool { return o.Preview == preview })
	if exact < 0 && !isNote {
		return 0
	}
	return exact
}
