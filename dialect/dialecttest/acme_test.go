package dialecttest

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
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
	w.Text = dialect.Text(raw)
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
					return task{}, dialect.Missing("toolCallId")
				}
				return p, err
			},
			Correlate: func(p task) []dialect.Finding {
				return []dialect.Finding{{
					Link:  dialect.Link{ToolCallID: p.ID},
					Event: dialect.Subagent{Title: dialect.SetNonZero(p.Title), AgentType: dialect.SetNonZero(p.Type.Text)},
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
			Reply:     reply1,
			Explain: func(p choose, r chosen) dialect.Answer {
				switch r.Choice {
				case "skip":
					return dialect.Answer{Outcome: dialect.Skipped, Feedback: r.Reason}
				case "picked":
					a := dialect.Answer{Outcome: dialect.Accepted}
					if r.Option != "" {
						a.Picks = map[string]dialect.Pick{"q": {Options: []string{r.Option}}}
					}
					return a
				}
				return dialect.Answer{}
			},
		},
		observe: func(f dialect.Frame) []dialect.Finding {
			prompt := dialect.Text(dialect.At(f.Call.RawInput, "prompt"))
			if prompt == "" {
				return nil
			}
			return []dialect.Finding{{
				Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
				Event: dialect.Subagent{Prompt: dialect.Set(prompt)},
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
					Event: dialect.Subagent{Title: dialect.Set("T"), AgentType: dialect.Set("explore")},
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
					Kind: dialect.Choice, Title: "T", Outcomes: []dialect.Outcome{dialect.Accepted, dialect.Skipped},
					Feedback: []dialect.Outcome{dialect.Skipped},
					Items:    []dialect.Item{{ID: "q", Options: []dialect.Option{{ID: "a"}, {ID: "b"}}}},
				},
				Decline: `{"choice":"none"}`,
				Answers: []Answered{{
					Answer: dialect.Answer{Outcome: dialect.Accepted, Picks: map[string]dialect.Pick{"q": {Options: []string{"b"}}}},
					Result: `{"option":"b","choice":"picked"}`,
				}},
				Refuses: []dialect.Answer{{Outcome: dialect.Rejected}},
			},
			{Name: "question in a list", Method: "acme/choose", Params: `[]`, Refused: "params", Decline: `{"choice":"none"}`},
			{
				Name:     "frame",
				Frame:    Update("s", `{"sessionUpdate":"tool_call","toolCallId":"t","status":"pending","rawInput":{"prompt":"p"},"_meta":{"acme":{}}}`),
				Findings: []dialect.Finding{{Link: dialect.Link{SessionID: "s", ToolCallID: "t"}, Event: dialect.Subagent{Prompt: dialect.Set("p")}}},
			},
			{Name: "frame of text", Frame: Update("s", `{"sessionUpdate":"agent_message_chunk"}`)},
		},
	}
}

func correlate(p choose) (dialect.Link, dialect.Question) {
	q := dialect.Question{
		Kind: dialect.Choice, Title: p.Title,
		Outcomes: []dialect.Outcome{dialect.Accepted, dialect.Skipped},
		Feedback: []dialect.Outcome{dialect.Skipped},
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

func reply1(_ choose, a dialect.Answer) (chosen, error) {
	switch a.Outcome {
	case dialect.Accepted:
		r := chosen{Choice: "picked"}
		if picked := a.Picks["q"].Options; len(picked) > 0 {
			r.Option = picked[0]
		}
		return r, nil
	case dialect.Skipped:
		return chosen{Choice: "skip", Reason: a.Feedback}, nil
	}
	return chosen{Choice: "none"}, nil
}

// A fault is one law broken on purpose.
type fault struct {
	law, what string
	do        func(*acme)
}

var faults = []fault{
	{"described", "a method without a source", func(a *acme) { a.task.Source = "" }},
	{"described", "a Doc of two lines", func(a *acme) { a.limit.Doc = "a\nb" }},
	{"registered", "an alias that was not registered from init", func(a *acme) { a.task.Aliases = []string{"acme/job"} }},
	{"cases", "other findings than the table", func(a *acme) { a.cases[0].Findings[0].Link.ToolCallID = "x" }},
	{"cases", "other params than the table", func(a *acme) { a.cases[0].Want = task{} }},
	{"cases", "another decline than the table", func(a *acme) { a.cases[4].Decline = `{}` }},
	{"cases", "another result than the table", func(a *acme) { a.cases[4].Answers[0].Result = `{}` }},
	{"cases", "offering what the table refuses", func(a *acme) { a.cases[4].Refuses[0].Outcome = dialect.Skipped }},
	{"cases", "accepting what the table refuses", func(a *acme) { a.cases[5].Params = `{}` }},
	{"cases", "refusing another field than the table", func(a *acme) { a.cases[1].Refused = "title" }},
	{"cases", "a soft error that the table does not know", func(a *acme) { a.cases[2].Soft = false }},
	{"cases", "two rows with one name", func(a *acme) { a.cases[7].Name = "frame" }},
	{"cases", "a row for a method that is not there", func(a *acme) { a.cases = append(a.cases, Case{Name: "x", Method: "acme/x"}) }},
	{"covered", "no refused row", func(a *acme) { a.cases = slices.Delete(a.cases, 3, 4) }},
	{"covered", "no frame that finds something", func(a *acme) { a.cases = slices.Delete(a.cases, 6, 7) }},
	{"total", "a panic on bytes that are no object", func(a *acme) {
		a.limit.Decode = func(raw json.RawMessage) (limit, error) {
			if raw != nil && raw[0] == '"' {
				panic("a string")
			}
			return dialect.Lenient[limit](raw)
		}
	}},
	{"total", "a panic on nulls in a list", func(a *acme) {
		a.choose.Decode = dialect.Lenient[choose]
		a.choose.Correlate = func(p choose) (dialect.Link, dialect.Question) {
			if len(p.Options) == 1 {
				_ = p.Options[1]
			}
			return correlate(p)
		}
	}},
	{"total", "params that are no object taken for empty ones", func(a *acme) {
		a.limit.Decode = func(raw json.RawMessage) (limit, error) {
			if len(raw) > 0 && raw[0] == '1' {
				return limit{}, nil
			}
			return dialect.Lenient[limit](raw)
		}
	}},
	{"pure", "changing the params", func(a *acme) {
		find := a.task.Correlate
		a.task.Correlate = func(p task) []dialect.Finding {
			if len(p.Tags) > 1 {
				p.Tags[0] = p.Tags[1]
			}
			return find(p)
		}
	}},
	{"pure", "changing the params' bytes", func(a *acme) {
		decode := a.task.Decode
		a.task.Decode = func(raw json.RawMessage) (task, error) {
			p, err := decode(raw)
			copy(raw, bytes.ToUpper(raw))
			return p, err
		}
	}},
	{"pure", "changing the frame", func(a *acme) {
		find := a.observe
		a.observe = func(f dialect.Frame) []dialect.Finding {
			found := find(f)
			if len(f.Meta) > 0 {
				f.Meta[0] = ' '
			}
			return found
		}
	}},
	{"unknown fields", "a closed list of fields", func(a *acme) {
		a.limit.Decode = dialect.Strict[limit]
		a.cases[2] = Case{Name: "limit", Method: "acme/limit", Params: `{}`, Findings: a.cases[2].Findings}
	}},
	{"wrong types", "a soft error made hard", func(a *acme) {
		a.task.Decode = func(raw json.RawMessage) (task, error) {
			p, err := dialect.Lenient[task](raw)
			switch {
			case err != nil && dialect.Usable(err):
				return task{}, &dialect.ParamsError{Field: "title", Reason: "is wrong"}
			case err == nil && p.ID == "":
				return task{}, dialect.Missing("toolCallId")
			}
			return p, err
		}
	}},
	{"wrong types", "a link lost with another field", func(a *acme) {
		decode := a.choose.Decode
		if decode == nil {
			decode = dialect.Lenient[choose]
		}
		a.choose.Decode = func(raw json.RawMessage) (choose, error) {
			p, err := decode(raw)
			if err != nil && dialect.Usable(err) {
				return choose{}, err
			}
			return p, err
		}
	}},
	{"no echo", "an error with params in it", func(a *acme) {
		decode := a.task.Decode
		a.task.Decode = func(raw json.RawMessage) (task, error) {
			p, err := decode(raw)
			if !dialect.Usable(err) {
				return p, &dialect.ParamsError{Field: "toolCallId", Reason: "is missing: " + string(raw)}
			}
			return p, err
		}
		a.cases = slices.Delete(a.cases, 1, 2)
		a.cases = append(a.cases, Case{Name: "task without id", Method: "acme/task", Params: `{"title":"T"}`, Refused: "toolCallId"})
	}},
	{"events", "an empty title that is set", func(a *acme) {
		a.task.Correlate = func(p task) []dialect.Finding {
			return []dialect.Finding{{
				Link:  dialect.Link{ToolCallID: p.ID},
				Event: dialect.Subagent{Title: dialect.Set(p.Title), AgentType: dialect.SetNonZero(p.Type.Text)},
			}}
		}
	}},
	{"events", "a pointer instead of a value", func(a *acme) {
		find := a.limit.Correlate
		a.limit.Correlate = func(p limit) []dialect.Finding {
			if p.Message != marker {
				return find(p)
			}
			return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: &dialect.Notice{Kind: dialect.NoticeInfo, Message: "x"}}}
		}
	}},
	{"events", "a subagent without any id", func(a *acme) {
		find := a.task.Correlate
		a.task.Correlate = func(p task) []dialect.Finding {
			if p.Title == "" {
				return []dialect.Finding{{Link: dialect.Link{SessionID: "s"}, Event: dialect.Subagent{}}}
			}
			return find(p)
		}
	}},
	{"notices", "an empty message", func(a *acme) {
		find := a.limit.Correlate
		a.limit.Correlate = func(p limit) []dialect.Finding {
			if p.Message == marker {
				return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: dialect.Notice{Kind: dialect.NoticeInfo}}}
			}
			return find(p)
		}
	}},
	{"questions", "options that cannot be told apart", func(a *acme) {
		a.choose.Correlate = func(p choose) (dialect.Link, dialect.Question) {
			link, q := correlate(p)
			if len(q.Items) == 1 && p.Title == "" {
				q.Items[0].Options = append(q.Items[0].Options, q.Items[0].Options...)
			}
			return link, q
		}
	}},
	{"questions", "a question of no kind", func(a *acme) {
		a.choose.Correlate = func(p choose) (dialect.Link, dialect.Question) {
			link, q := correlate(p)
			if p.Title == "" {
				q.Kind = ""
			}
			return link, q
		}
	}},
	{"answers", "an offered outcome that is an error", func(a *acme) {
		a.choose.Reply = func(p choose, ans dialect.Answer) (chosen, error) {
			if ans.Outcome == dialect.Skipped {
				return chosen{}, dialect.Missing("reason")
			}
			return reply1(p, ans)
		}
	}},
	{"declines", "silence that accepts", func(a *acme) {
		a.choose.Reply = func(p choose, ans dialect.Answer) (chosen, error) {
			if ans.Outcome == dialect.Declined {
				ans = dialect.Answer{Outcome: dialect.Accepted, Picks: map[string]dialect.Pick{"q": {Options: []string{"a"}}}}
			}
			return reply1(p, ans)
		}
		a.choose.Explain = nil
		for i := range a.cases {
			if a.cases[i].Decline != "" {
				a.cases[i].Decline = `{"choice":"picked","option":"a"}`
			}
		}
	}},
	{"explain", "picks that are forgotten", func(a *acme) {
		explain := a.choose.Explain
		a.choose.Explain = func(p choose, r chosen) dialect.Answer {
			r.Option = ""
			return explain(p, r)
		}
	}},
	{"explain", "an answer that was not on offer", func(a *acme) {
		a.choose.Explain = func(choose, chosen) dialect.Answer { return dialect.Answer{Outcome: "other"} }
	}},
	{"order", "reading the frame where the record counts", func(a *acme) {
		a.observe = func(f dialect.Frame) []dialect.Finding {
			in := dialect.At(f.Raw, "rawInput")
			prompt := dialect.Text(dialect.At(in, "prompt"))
			if prompt == "" || f.Call.Status == "" {
				return nil
			}
			return []dialect.Finding{{
				Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
				Event: dialect.Subagent{Prompt: dialect.Set(prompt)},
			}}
		}
	}},
	{"advertise", "a value that JSON does not have", func(a *acme) {
		a.caps = func(bool) dialect.Capabilities { return dialect.Capabilities{"version": 1} }
	}},
	{"linear", "a list searched for each of its elements", func(a *acme) {
		find := a.task.Correlate
		a.task.Correlate = func(p task) []dialect.Finding {
			same := 0
			for _, x := range p.Tags {
				for _, y := range p.Tags {
					if x == y {
						same++
					}
				}
			}
			if same < 0 {
				return nil
			}
			return find(p)
		}
	}},
}
