package lines

import (
	"maps"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// Settled shows how an ask or a permission request ended.
func (v *View) Settled(s client.Settled) {
	if s.Dialect == "" {
		var chosen *string // an option's id may be ""
		if s.Reason == "" {
			chosen = &s.Chosen
		}
		v.write(struct {
			Type     string   `json:"type"`
			Session  string   `json:"sessionId,omitempty"`
			ToolCall string   `json:"toolCallId,omitempty"`
			Options  []string `json:"options,omitempty"`
			Chosen   *string  `json:"chosen,omitempty"`
		}{"permission", s.SessionID, permissionCall(s), s.Options, chosen})
		return
	}
	v.write(struct {
		Type     string               `json:"type"`
		Dialect  string               `json:"dialect"`
		Method   string               `json:"method"`
		WireName string               `json:"wireName"`
		Session  string               `json:"sessionId,omitempty"`
		How      client.How           `json:"how,omitempty"`
		ToolCall string               `json:"toolCallId,omitempty"`
		Kind     dialect.QuestionKind `json:"kind,omitempty"`
		Question question             `json:"question,omitzero"`
		Answer   *answer              `json:"answer,omitempty"`
		Reason   client.Reason        `json:"reason,omitempty"`
	}{"ask", s.Dialect, s.Method, s.WireName, s.SessionID, s.How, s.Link.ToolCallID,
		s.Question.Kind, questionOf(s.Question), answerOf(s.Answer), s.Reason})
}

func permissionCall(s client.Settled) string {
	if s.Link.ToolCallID != "" {
		return s.Link.ToolCallID
	}
	return rawjson.String(rawjson.Get(s.Raw, "toolCall", "toolCallId"))
}

type question struct {
	Kind     dialect.QuestionKind `json:"kind,omitempty"` // of an event; an ask has it beside
	Title    string               `json:"title,omitempty"`
	Text     string               `json:"text,omitempty"`
	Outcomes []dialect.Outcome    `json:"outcomes,omitempty"`
	Items    []questionItem       `json:"items,omitempty"`
	Todos    []todo               `json:"todos,omitempty"`
}

func (q question) IsZero() bool {
	return q.Kind == "" && q.Title == "" && q.Text == "" && len(q.Outcomes)+len(q.Items)+len(q.Todos) == 0
}

type questionItem struct {
	ID       string   `json:"id,omitempty"`
	Text     string   `json:"text,omitempty"`
	Multiple bool     `json:"multiple,omitempty"`
	FreeText bool     `json:"freeText,omitempty"`
	Options  []option `json:"options,omitempty"`
}

type option struct {
	ID          string   `json:"id,omitempty"`
	Label       string   `json:"label,omitempty"`
	Description string   `json:"description,omitempty"`
	Preview     string   `json:"preview,omitempty"`
	Recommended bool     `json:"recommended,omitempty"`
	Options     []option `json:"options,omitempty"`
}

type answer struct {
	Outcome  dialect.Outcome `json:"outcome,omitempty"`
	Picks    map[string]pick `json:"picks,omitempty"`
	Feedback string          `json:"feedback,omitempty"`
	Result   any             `json:"result,omitempty"` // where the answer is not in neutral terms
}

type pick struct {
	Options []string `json:"options,omitempty"`
	Text    string   `json:"text,omitempty"`
}

func questionOf(q dialect.Question) question {
	out := question{Title: q.Title, Text: q.Text, Outcomes: q.Outcomes, Todos: todosOf(q.Todos)}
	for _, it := range q.Items {
		out.Items = append(out.Items, questionItem{it.ID, it.Text, it.Multiple, it.FreeText, optionsOf(it.Options)})
	}
	return out
}

func optionsOf(options []dialect.Option) []option {
	var out []option
	for _, o := range options {
		out = append(out, option{o.ID, o.Label, o.Description, o.Preview, o.Recommended, optionsOf(o.Options)})
	}
	return out
}

func answerOf(a dialect.Answer) *answer {
	if a.Outcome == "" && a.Feedback == "" && len(a.Picks) == 0 && a.Result == nil {
		return nil
	}
	out := &answer{Outcome: a.Outcome, Picks: map[string]pick{}, Feedback: a.Feedback, Result: a.Result}
	for id, p := range maps.All(a.Picks) {
		out.Picks[id] = pick(p)
	}
	return out
}
