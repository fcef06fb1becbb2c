package dialect

import (
	"errors"
	"fmt"
	"slices"
)

// QuestionKind says what is asked for.
type QuestionKind string

// The kinds of Question.
const (
	Choice  QuestionKind = "question" // pick among options, item by item
	Plan    QuestionKind = "plan"     // approve a plan
	Request QuestionKind = "request"  // a machine's request, which only Answer.Result answers
)

// A Question is what an agent asks, in neutral terms. It is an [Event] too: what
// the vendor put into it reaches the host even when nobody decides.
type Question struct {
	Kind  QuestionKind
	Title string
	Text  string // Markdown: the question, or the plan itself
	Items []Item
	Todos []Todo

	// Outcomes lists what may be answered besides the decline.
	Outcomes []Outcome
	// Feedback lists the outcomes that take Answer.Feedback.
	Feedback []Outcome
}

// An Item is one question of a Choice.
type Item struct {
	ID       string
	Text     string
	Options  []Option
	Multiple bool // several options may be picked
	FreeText bool // Pick.Text may be given
	Required bool // Accepted takes a Pick that is not empty
}

// An Option is one thing to pick.
type Option struct {
	ID          string
	Label       string
	Description string
	Preview     string
	Recommended bool
	Options     []Option // a second level, where the vendor has one
}

// Outcome is a decision. The empty Outcome is the decline.
type Outcome string

// The usual outcomes. A vendor may list others of its own.
const (
	Declined Outcome = ""
	Accepted Outcome = "accepted" // for a Choice: the questions are answered
	Rejected Outcome = "rejected"
	Skipped  Outcome = "skipped"
)

// An Answer is the host's decision. The zero Answer declines.
type Answer struct {
	Outcome  Outcome
	Picks    map[string]Pick // by Item.ID
	Feedback string

	// Result is the method's own result type R, instead of all the above. Any
	// ask takes it; a Request takes nothing else.
	Result any
}

// A Pick answers one Item.
type Pick struct {
	Options []string // Option.ID values
	Text    string
}

// EventKind implements Event.
func (Question) EventKind() string { return "question" }

// Check reports why an answer was not on offer: an outcome that is not listed,
// an unknown item or option, several picks where one fits, text where only
// options fit, none where there must be one. A nil result means that the answer
// may be sent. The decline is always on offer.
func (q Question) Check(a Answer) error {
	if a.Result != nil {
		if a.Outcome != Declined || len(a.Picks) > 0 || a.Feedback != "" {
			return errors.New("dialect: Answer.Result stands instead of outcome, picks and feedback, not beside them")
		}
		return nil
	}
	if a.Outcome == Declined {
		if len(a.Picks) > 0 || a.Feedback != "" {
			return errors.New("dialect: a decline carries no picks and no feedback; set Answer.Outcome")
		}
		return nil
	}
	if q.Kind == Request {
		return fmt.Errorf("dialect: a request is answered with Answer.Result, not with the outcome %q", a.Outcome)
	}
	if !slices.Contains(q.Outcomes, a.Outcome) {
		return fmt.Errorf("dialect: outcome %q was not offered; offered: %q", a.Outcome, q.Outcomes)
	}
	if a.Feedback != "" && !slices.Contains(q.Feedback, a.Outcome) {
		return fmt.Errorf("dialect: outcome %q takes no feedback", a.Outcome)
	}
	for id, p := range a.Picks {
		if err := q.checkPick(id, p); err != nil {
			return err
		}
	}
	for _, it := range q.Items {
		if p := a.Picks[it.ID]; it.Required && a.Outcome == Accepted && len(p.Options) == 0 && p.Text == "" {
			return fmt.Errorf("dialect: question %q must be answered", it.ID)
		}
	}
	return nil
}

func (q Question) checkPick(id string, p Pick) error {
	i := slices.IndexFunc(q.Items, func(it Item) bool { return it.ID == id })
	if i < 0 {
		return fmt.Errorf("dialect: no question has the id %q", id)
	}
	it := q.Items[i]
	if p.Text != "" && !it.FreeText {
		return fmt.Errorf("dialect: question %q takes no free text", id)
	}
	if len(p.Options) > 1 && !it.Multiple {
		return fmt.Errorf("dialect: question %q takes one option, not %d", id, len(p.Options))
	}
	for n, o := range p.Options {
		if !offers(it.Options, o) {
			return fmt.Errorf("dialect: question %q does not offer the option %q", id, o)
		}
		if slices.Contains(p.Options[:n], o) {
			return fmt.Errorf("dialect: option %q of question %q is picked twice", o, id)
		}
	}
	return nil
}

// offers looks for an option among options and their second level.
func offers(options []Option, id string) bool {
	for _, o := range options {
		if o.ID == id || offers(o.Options, id) {
			return true
		}
	}
	return false
}
