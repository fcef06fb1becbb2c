package cursor

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// Words of the nested outcome.
const (
	answered  = "answered"
	skipped   = "skipped"
	accepted  = "accepted"
	rejected  = "rejected"
	cancelled = "cancelled"
)

// decodeQuestion leaves out options without an id and questions without
// options, which nobody can answer: free text has no place in the result. With
// no question left there is nothing to ask.
func decodeQuestion(raw json.RawMessage) (AskQuestion, error) {
	p, err := dialect.Lenient[AskQuestion](raw)
	if !dialect.Usable(err) {
		return p, err
	}
	usable := make([]Question, 0, len(p.Questions))
	left := 0
	for _, q := range p.Questions {
		options := slices.DeleteFunc(slices.Clone(q.Options), func(o Option) bool { return o.id() == "" })
		left += len(q.Options) - len(options)
		if q.Options = options; len(options) == 0 {
			left++
			continue
		}
		usable = append(usable, q)
	}
	if len(usable) == 0 {
		return AskQuestion{}, &dialect.ParamsError{Field: "questions", Reason: "has no question with an option to pick"}
	}
	p.Questions = usable
	if left > 0 && err == nil {
		err = &dialect.SoftError{Field: "/questions", Err: errors.New("questions without options, or options without an id, were left out")}
	}
	return p, err
}

func (o Option) id() string {
	if o.ID == "" {
		return o.Value
	}
	return o.ID
}

func (q Question) text() string {
	if q.Prompt == "" {
		return q.Question
	}
	return q.Prompt
}

func question(p AskQuestion) (dialect.Link, dialect.Question) {
	q := dialect.Question{
		Kind:     dialect.KindChoice,
		Title:    p.Title,
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
		Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
	}
	ids := dialect.UniqueIDs(questionIDs(p))
	for i, asked := range p.Questions {
		item := dialect.Item{ID: ids[i], Text: asked.text(), Multiple: asked.AllowMultiple}
		options := dialect.UniqueIDs(optionIDs(asked))
		for n, o := range asked.Options {
			label := o.Label
			if label == "" {
				label = o.id()
			}
			item.Options = append(item.Options, dialect.Option{ID: options[n], Label: label})
		}
		q.Items = append(q.Items, item)
	}
	return dialect.Link{ToolCallID: p.ToolCallID}, q
}

func replyQuestion(p AskQuestion, a dialect.Answer) (QuestionResult, error) {
	var out QuestionOutcome
	switch a.Outcome {
	case dialect.OutcomeAccepted:
		out = QuestionOutcome{Outcome: answered, Answers: []QuestionAnswer{}}
		for i, id := range dialect.UniqueIDs(questionIDs(p)) {
			asked := p.Questions[i]
			picked := a.Picks[id].Options
			if len(picked) == 0 {
				continue
			}
			out.Answers = append(out.Answers, QuestionAnswer{
				QuestionID:        asked.ID,
				SelectedOptionIDs: translate(picked, dialect.UniqueIDs(optionIDs(asked)), optionIDs(asked)),
			})
		}
	case dialect.OutcomeSkipped:
		out = QuestionOutcome{Outcome: skipped, Reason: a.Feedback}
	default:
		out = QuestionOutcome{Outcome: cancelled}
	}
	return QuestionResult{Outcome: out}, nil
}

func explainQuestion(p AskQuestion, r QuestionResult) dialect.Answer {
	switch r.Outcome.Outcome {
	case skipped:
		return dialect.Answer{Outcome: dialect.OutcomeSkipped, Feedback: r.Outcome.Reason}
	case answered:
	default:
		return dialect.Answer{}
	}
	a := dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{}}
	ids := dialect.UniqueIDs(questionIDs(p))
	place := places(questionIDs(p))
	for _, given := range r.Outcome.Answers {
		i, ok := place(given.QuestionID)
		if !ok {
			continue
		}
		options := optionIDs(p.Questions[i])
		picked := translate(given.SelectedOptionIDs, options, dialect.UniqueIDs(options))
		if len(picked) > 1 && !p.Questions[i].AllowMultiple {
			picked = picked[:1]
		}
		a.Picks[ids[i]] = dialect.Pick{Options: picked}
	}
	return a
}

func plan(p CreatePlan) (dialect.Link, dialect.Question) {
	text := p.Plan
	if text == "" {
		text = p.Overview
	}
	items, _ := todos(p.Todos)
	for _, phase := range p.Phases {
		more, _ := todos(phase.Todos)
		items = append(items, more...)
	}
	return dialect.Link{ToolCallID: p.ToolCallID}, dialect.Question{
		Kind:     dialect.KindPlan,
		Title:    p.Name,
		Text:     text,
		Todos:    items,
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected},
		Feedback: []dialect.Outcome{dialect.OutcomeRejected},
	}
}

func replyPlan(_ CreatePlan, a dialect.Answer) (PlanResult, error) {
	switch a.Outcome {
	case dialect.OutcomeAccepted:
		return PlanResult{PlanOutcome{Outcome: accepted}}, nil
	case dialect.OutcomeRejected:
		return PlanResult{PlanOutcome{Outcome: rejected, Reason: a.Feedback}}, nil
	}
	return PlanResult{PlanOutcome{Outcome: cancelled}}, nil
}

func explainPlan(_ CreatePlan, r PlanResult) dialect.Answer {
	switch r.Outcome.Outcome {
	case accepted:
		return dialect.Answer{Outcome: dialect.OutcomeAccepted}
	case rejected:
		return dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: r.Outcome.Reason}
	}
	return dialect.Answer{}
}

func questionIDs(p AskQuestion) []string {
	ids := make([]string, len(p.Questions))
	for i, q := range p.Questions {
		ids[i] = q.ID
	}
	return ids
}

func optionIDs(q Question) []string {
	ids := make([]string, len(q.Options))
	for i, o := range q.Options {
		ids[i] = o.id()
	}
	return ids
}

// translate gives the names in to of what is named in from; unknown names are
// left out.
func translate(names, from, to []string) []string {
	out := make([]string, 0, len(names))
	place := places(from)
	for _, name := range names {
		if i, ok := place(name); ok {
			out = append(out, to[i])
		}
	}
	return out
}

// places finds where a name stands. A name that stands twice means one place
// after the other.
func places(names []string) func(string) (int, bool) {
	free := make(map[string][]int, len(names))
	for i, name := range names {
		free[name] = append(free[name], i)
	}
	return func(name string) (int, bool) {
		at := free[name]
		if len(at) == 0 {
			return 0, false
		}
		free[name] = at[1:]
		return at[0], true
	}
}
