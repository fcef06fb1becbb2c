package dialecttest

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// acme is a dialect that keeps every law, in parts that a test can break.
type acme struct {
	task    dialect.Report[task]
	limit   dialect.Report[limit]
	choose  dialect.Ask[choose, chosen]
	observe func(dialect.Frame) []dialect.Finding
	caps    func(bool) dialect.Capabilities
	cases   []Case
}

func init() { registry.MustRegister(newAcme().dialect()) }

func (a *acme) dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "acme", Doc: "the kit's own",
		Methods: []dialect.Method{a.task, a.limit, a.choose},
		Observe: a.observe, Advertise: a.caps,
	}
}

type task struct {
	ID    string   `json:"toolCallId"`
	Title string   `json:"title"`
	Type  word     `json:"type"`
	Tags  []string `json:"tags"`
}

// word is an open enum.
type word struct{ Text string }

func (w *word) UnmarshalJSON(raw []byte) error {
	w.Text = rawjson.String(raw)
	return nil
}

type limit struct {
	Message string `json:"message"`
}

type choose struct {
	ID      string   `json:"toolCallId"`
	Title   string   `json:"title"`
	Options []option `json:"options"`
}

type option struct {
	ID string `json:"id"`
}

type chosen struct {
	Choice string `json:"choice"`
	Reason string `json:"reason,omitempty"`
	Option string `json:"option,omitempty"`
}

func newAcme() *acme {
	return &acme{
		task: dialect.Report[task]{
			Name: "acme/task", Doc: "a subagent's task", Source: "made up",
			Decode: func(raw json.RawMessage) (task, error) {
				p, err := dialect.Lenient[task](raw)
				if dialect.Usable(err) && p.ID == "" {
					return task{}, dialect.MissingField("toolCallId")
				}
				return p, err
			},
			Correlate: func(p task) []dialect.Finding {
				return []dialect.Finding{{
					Link:  dialect.Link{ToolCallID: p.ID},
					Event: dialect.SubagentPatch{Title: dialect.SetNonZero(p.Title), AgentType: dialect.SetNonZero(p.Type.Text)},
				}}
			},
		},
		limit: dialect.Report[limit]{
			Name: "acme/limit", Doc: "a rate limit", Source: "made up",
			Correlate: func(p limit) []dialect.Finding {
				n := dialect.Notice{Kind: dialect.NoticeRateLimit, Message: p.Message}
				if n.Message == "" {
					n.Message = "rate limit"
				}
				return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: n}}
			},
		},
		choose: dialect.Ask[choose, chosen]{
			Name: "acme/choose", Doc: "a question", Source: "made up",
			Correlate: correlate,
			Reply:     answer,
			Explain: func(p choose, r chosen) dialect.Answer {
				switch r.Choice {
				case "skip":
					return dialect.Answer{Outcome: dialect.OutcomeSkipped, Feedback: r.Reason}
				case "picked":
					a := dialect.Answer{Outcome: dialect.OutcomeAccepted}
					if r.Option != "" {
						a.Picks = map[string]dialect.Pick{"q": {Options: []string{r.Option}}}
					}
					return a
				}
				return dialect.Answer{}
			},
		},
		observe: func(f dialect.Frame) []dialect.Finding {
			prompt := rawjson.String(rawjson.Get(f.Call.RawInput, "prompt"))
			if prompt == "" {
				return nil
			}
			return []dialect.Finding{{
				Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
				Event: dialect.SubagentPatch{Prompt: dialect.Set(prompt)},
			}}
		},
		caps: func(asks bool) dialect.Capabilities {
			return dialect.Capabilities{"_meta": map[string]any{"acme": asks}}
		},
		cases: []Case{
			{
				Name: "task", Method: "acme/task", Params: `{"toolCallId":"t","title":"T","type":"explore","tags":["a","b"]}`,
				Want: task{ID: "t", Title: "T", Type: word{"explore"}, Tags: []string{"a", "b"}},
				Findings: []dialect.Finding{{
					Link:  dialect.Link{ToolCallID: "t"},
					Event: dialect.SubagentPatch{Title: dialect.Set("T"), AgentType: dialect.Set("explore")},
				}},
			},
			{Name: "task without id", Method: "_acme/task", Params: `{"title":"T"}`, Refused: "toolCallId"},
			{
				Name: "limit", Method: "acme/limit", Params: `{"message":7}`, Soft: true,
				Findings: []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: dialect.Notice{Kind: dialect.NoticeRateLimit, Message: "rate limit"}}},
			},
			{Name: "limit in a list", Method: "acme/limit", Params: `[]`, Refused: "params"},
			{
				Name: "question", Method: "acme/choose", Params: `{"toolCallId":"t","title":"T","options":[{"id":"a"},{"id":"b"}]}`,
				Link: dialect.Link{ToolCallID: "t"},
				Question: dialect.Question{
					Kind: dialect.KindChoice, Title: "T", Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
					Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
					Items:    []dialect.Item{{ID: "q", Options: []dialect.Option{{ID: "a"}, {ID: "b"}}}},
				},
				Decline: `{"choice":"none"}`,
				Answers: []Answered{{
					Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"q": {Options: []string{"b"}}}},
					Result: `{"option":"b","choice":"picked"}`,
				}},
				Refuses: []dialect.Answer{{Outcome: dialect.OutcomeRejected}},
			},
			{Name: "question in a list", Method: "acme/choose", Params: `[]`, Refused: "params", Decline: `{"choice":"none"}`},
			{
				Name:     "frame",
				Frame:    Update("s", `{"sessionUpdate":"tool_call","toolCallId":"t","status":"pending","rawInput":{"prompt":"p"},"_meta":{"acme":{}}}`),
				Findings: []dialect.Finding{{Link: dialect.Link{SessionID: "s", ToolCallID: "t"}, Event: dialect.SubagentPatch{Prompt: dialect.Set("p")}}},
			},
			{Name: "frame of text", Frame: Update("s", `{"sessionUpdate":"agent_message_chunk"}`)},
		},
	}
}

func correlate(p choose) (dialect.Link, dialect.Question) {
	q := dialect.Question{
		Kind: dialect.KindChoice, Title: p.Title,
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
		Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
	}
	seen := map[string]bool{"": true}
	it := dialect.Item{ID: "q"}
	for _, o := range p.Options {
		if !seen[o.ID] {
			seen[o.ID] = true
			it.Options = append(it.Options, dialect.Option{ID: o.ID})
		}
	}
	if len(it.Options) > 0 {
		q.Items = []dialect.Item{it}
	}
	return dialect.Link{ToolCallID: p.ID}, q
}

func answer(_ choose, a dialect.Answer) (chosen, error) {
	switch a.Outcome {
	case dialect.OutcomeAccepted:
		r := chosen{Choice: "picked"}
		if picked := a.Picks["q"].Options; len(picked) > 0 {
			r.Option = picked[0]
		}
		return r, nil
	case dialect.OutcomeSkipped:
		return chosen{Choice: "skip", Reason: a.Feedback}, nil
	}
	return chosen{Choice: "none"}, nil
}
