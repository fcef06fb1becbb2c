package client_test

import (
	"runtime"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/registry"
)

// The dialect of the tests.

type acmeTask struct {
	SessionID   string `json:"sessionId"`
	ToolCallID  string `json:"toolCallId"`
	AgentID     string `json:"agentId"`
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Model       string `json:"model"`
}

type acmeAsk struct {
	SessionID  string `json:"sessionId"`
	ToolCallID string `json:"toolCallId"`
	Text       string `json:"text"`
}

type acmeAnswer struct {
	Outcome string `json:"outcome"`
	Token   string `json:"token,omitempty"`
}

// acme gives a registry with the dialect.
func acme() *registry.Registry {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{
		Name: "acme",
		Methods: []dialect.Method{
			dialect.Report[acmeTask]{Name: "acme/task", Correlate: func(t acmeTask) []dialect.Finding {
				trip(t.Description)
				return []dialect.Finding{{
					Link: dialect.Link{SessionID: t.SessionID, ToolCallID: t.ToolCallID, AgentID: t.AgentID},
					Event: dialect.SubagentPatch{
						Description: dialect.SetNonZero(t.Description),
						Prompt:      dialect.SetNonZero(t.Prompt),
						Model:       dialect.SetNonZero(t.Model),
					},
				}}
			}},
			ask("acme/ask", false),
			ask("acme/secret", true),
		},
		Observe: func(f dialect.Frame) []dialect.Finding {
			trip(rawjson.String(rawjson.Get(f.Raw, "acmeHook")))
			if child := rawjson.String(rawjson.Get(f.Raw, "acmeChild")); child != "" {
				return []dialect.Finding{{Link: dialect.Link{ChildSessionID: child}, Event: dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}}}
			}
			return nil
		},
	})
	return &r
}

func ask(name string, secret bool) dialect.Method {
	return dialect.Ask[acmeAsk, acmeAnswer]{
		Name: name, Secret: secret,
		Correlate: func(a acmeAsk) (dialect.Link, dialect.Question) {
			trip(a.Text)
			return dialect.Link{SessionID: a.SessionID, ToolCallID: a.ToolCallID}, dialect.Question{
				Kind: dialect.KindPlan, Text: a.Text, Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
			}
		},
		Reply: func(a acmeAsk, ans dialect.Answer) (acmeAnswer, error) {
			if ans.Outcome == dialect.OutcomeAccepted {
				return acmeAnswer{Outcome: "accepted", Token: "token of " + a.Text}, nil
			}
			if a.Text == "the decline panics" {
				panic(a.Text)
			}
			return acmeAnswer{Outcome: "cancelled"}, nil
		},
	}
}

// trip is a hook that comes to grief.
func trip(how string) {
	switch how {
	case "panic":
		panic("a hook")
	case "exit":
		runtime.Goexit()
	}
}
