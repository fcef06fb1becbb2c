package state

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// The dialect of the tests. Its reports and asks say where they belong and what
// they mean in so many words.

type ids struct {
	SessionID  string `json:"session"`
	ToolCallID string `json:"call"`
	ChildID    string `json:"child"`
	AgentID    string `json:"agent"`
	Connection bool   `json:"connection"`
}

func (i ids) link() dialect.Link {
	return dialect.Link{SessionID: i.SessionID, ToolCallID: i.ToolCallID, ChildSessionID: i.ChildID, AgentID: i.AgentID, Connection: i.Connection}
}

type subagent struct {
	ids
	Title      string `json:"title"`
	Prompt     string `json:"prompt"`
	Model      string `json:"model"`
	Activity   string `json:"activity"`
	Outcome    string `json:"outcome"`
	Background *bool  `json:"background"`
	Fault      string `json:"fault"` // of the hook
}

func (a subagent) patch() dialect.SubagentPatch {
	p := dialect.SubagentPatch{
		Title: dialect.SetNonZero(a.Title), Prompt: dialect.SetNonZero(a.Prompt), Model: dialect.SetNonZero(a.Model),
		Activity: dialect.SetNonZero(dialect.Activity(a.Activity)),
		Outcome:  dialect.SetNonZero(dialect.SubagentOutcome(a.Outcome)),
	}
	if a.Background != nil {
		p.Background = dialect.Set(*a.Background)
	}
	return p
}

type todo struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

func items(list []todo) []dialect.Todo {
	out := []dialect.Todo{}
	for _, t := range list {
		out = append(out, dialect.Todo{ID: t.ID, Content: t.Content, Status: dialect.TodoStatus(t.Status)})
	}
	return out
}

type todoReport struct {
	ids
	Todos []todo `json:"todos"`
	Merge bool   `json:"merge"`
}

type agentsReport struct {
	ids
	Agents []subagent `json:"agents"`
}

type noteReport struct {
	ids
	Text string `json:"text"`
}

type turnReport struct {
	ids
	ID    string `json:"id"`
	Began bool   `json:"began"`
}

type question struct {
	ids
	Text  string `json:"text"`
	Todos []todo `json:"todos"`
	Fault string `json:"fault"`
}

type answer struct {
	Said string `json:"said"`
}

func one(l dialect.Link, e dialect.Event) []dialect.Finding {
	return []dialect.Finding{{Link: l, Event: e}}
}

func acme() *registry.Registry {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{
		Name: "acme",
		Methods: []dialect.Method{
			dialect.Report[subagent]{Name: "acme/agent", Correlate: func(a subagent) []dialect.Finding {
				if a.Fault != "" {
					panic(a.Fault)
				}
				return one(a.link(), a.patch())
			}},
			dialect.Report[agentsReport]{Name: "acme/agents", Correlate: func(r agentsReport) []dialect.Finding {
				var l dialect.SubagentList
				for _, a := range r.Agents {
					l.Members = append(l.Members, dialect.Member{Link: a.link(), Patch: a.patch()})
				}
				return one(r.link(), l)
			}},
			dialect.Report[todoReport]{Name: "acme/todos", Correlate: func(r todoReport) []dialect.Finding {
				return one(r.link(), dialect.Todos{Items: items(r.Todos), Merge: r.Merge})
			}},
			dialect.Report[noteReport]{Name: "acme/note", Correlate: func(n noteReport) []dialect.Finding {
				return one(n.link(), dialect.Notice{Kind: dialect.NoticeInfo, Message: n.Text})
			}},
			dialect.Report[turnReport]{Name: "acme/turn", Correlate: func(n turnReport) []dialect.Finding {
				return one(n.link(), dialect.TurnMark{ID: n.ID, Began: n.Began})
			}},
			dialect.Report[ids]{Name: "acme/withdrawn", Correlate: func(i ids) []dialect.Finding {
				return one(i.link(), dialect.Withdrawn{})
			}},
			dialect.Ask[question, answer]{
				Name: "acme/ask",
				Correlate: func(q question) (dialect.Link, dialect.Question) {
					if q.Fault != "" {
						panic(q.Fault)
					}
					return q.link(), dialect.Question{Kind: dialect.KindPlan, Text: q.Text, Todos: items(q.Todos), Outcomes: []dialect.Outcome{dialect.OutcomeAccepted}}
				},
				Reply: func(q question, a dialect.Answer) (answer, error) {
					if a.Outcome == dialect.OutcomeDeclined {
						return answer{"nothing"}, nil
					}
					return answer{string(a.Outcome)}, nil
				},
			},
		},
		Observe: observe,
	})
	return &r
}

// observe reads a call whose input has a task, and what _meta.acme says.
func observe(f dialect.Frame) []dialect.Finding {
	var found []dialect.Finding
	own := rawjson.Get(f.Meta, "acme")
	if parent := rawjson.Get(own, "parent"); parent != nil {
		p, _ := dialect.Lenient[ids](parent)
		found = append(found, dialect.Finding{
			Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
			Event: dialect.Inside{Parent: p.link()},
		})
	}
	if names := rawjson.Get(own, "names"); names != nil {
		p, _ := dialect.Lenient[subagent](names)
		found = append(found, dialect.Finding{Link: p.link(), Event: p.patch()})
	}
	if f.Call.ID == "" {
		return found
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	if todos := rawjson.Get(f.Call.RawInput, "todos"); todos != nil {
		var list []todo
		json.Unmarshal(todos, &list)
		return append(found, dialect.Finding{Link: link, Event: dialect.Todos{Items: items(list)}})
	}
	task := rawjson.Get(f.Call.RawInput, "task")
	if task == nil {
		return found
	}
	in, _ := dialect.Lenient[subagent](task)
	out, _ := dialect.Lenient[subagent](f.Call.RawOutput)
	patch := in.patch()
	if out.Background != nil {
		patch.Background = dialect.Set(*out.Background)
		if *out.Background {
			patch.Outcome, patch.Activity = dialect.Set(dialect.SubagentLaunched), dialect.Set(dialect.ActivityRunning)
		}
	}
	if out.Outcome != "" {
		patch.Outcome = dialect.Set(dialect.SubagentOutcome(out.Outcome))
	}
	if !f.Call.Finished() && !f.Call.Ended {
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	link.AgentID = out.AgentID
	return append(found, dialect.Finding{Link: link, Event: patch})
}
