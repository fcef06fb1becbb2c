package dialecttest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

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
	{"cases", "offering what the table refuses", func(a *acme) { a.cases[4].Refuses[0].Outcome = dialect.OutcomeSkipped }},
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
		a.limit.Decode = Strict[limit]
		a.cases[2] = Case{Name: "limit", Method: "acme/limit", Params: `{}`, Findings: a.cases[2].Findings}
	}},
	{"wrong types", "a soft error made hard", func(a *acme) {
		a.task.Decode = func(raw json.RawMessage) (task, error) {
			p, err := dialect.Lenient[task](raw)
			switch {
			case err != nil && dialect.Usable(err):
				return task{}, &dialect.ParamsError{Field: "title", Reason: "is wrong"}
			case err == nil && p.ID == "":
				return task{}, dialect.MissingField("toolCallId")
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
				Event: dialect.SubagentPatch{Title: dialect.Set(p.Title), AgentType: dialect.SetNonZero(p.Type.Text)},
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
				return []dialect.Finding{{Link: dialect.Link{SessionID: "s"}, Event: dialect.SubagentPatch{}}}
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
			if ans.Outcome == dialect.OutcomeSkipped {
				return chosen{}, dialect.MissingField("reason")
			}
			return answer(p, ans)
		}
	}},
	{"declines", "silence that accepts", func(a *acme) {
		a.choose.Reply = func(p choose, ans dialect.Answer) (chosen, error) {
			if ans.Outcome == dialect.OutcomeDeclined {
				ans = dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"q": {Options: []string{"a"}}}}
			}
			return answer(p, ans)
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
			in := rawjson.Get(f.Raw, "rawInput")
			prompt := rawjson.String(rawjson.Get(in, "prompt"))
			if prompt == "" || f.Call.Status == "" {
				return nil
			}
			return []dialect.Finding{{
				Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
				Event: dialect.SubagentPatch{Prompt: dialect.Set(prompt)},
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
	{"linear", "an open enum read too far down", func(a *acme) {
		decode := a.task.Decode
		a.task.Decode = func(raw json.RawMessage) (task, error) {
			p, err := decode(raw)
			rest := rawjson.Get(raw, "type")
			for range 1200 {
				rest = rawjson.Get(rest, "custom")
			}
			if word := rawjson.String(rest); word != "" {
				p.Type.Text = word
			}
			return p, err
		}
	}},
	{"linear", "different elements compared with each other", func(a *acme) {
		find := a.task.Correlate
		a.task.Correlate = func(p task) []dialect.Finding {
			tags := slices.Compact(slices.Clone(p.Tags))
			longer := 0
			for _, x := range tags {
				for _, y := range tags {
					if strings.Compare(x, y) > len(x) {
						longer++
					}
				}
			}
			if longer > 0 {
				return nil
			}
			return find(p)
		}
	}},
}
