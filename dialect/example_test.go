package dialect_test

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
)

// Task is the params of acme/task.
type Task struct {
	ToolCallID string `json:"toolCallId"`
	Prompt     string `json:"prompt"`
	Model      string `json:"model"`
}

// A whole dialect with one report.
func Example() {
	acme := dialect.Dialect{
		Name: "acme",
		Doc:  "subagents of the acme agent",
		Methods: []dialect.Method{
			dialect.Report[Task]{
				Name:   "acme/task",
				Doc:    "a subagent's task ended",
				Source: "acme's protocol page, version 3, 2026-05-01; high",
				Correlate: func(p Task) []dialect.Finding {
					return []dialect.Finding{{
						Link: dialect.Link{ToolCallID: p.ToolCallID},
						Event: dialect.SubagentPatch{
							Prompt: dialect.SetNonZero(p.Prompt),
							Model:  dialect.SetNonZero(p.Model),
						},
					}}
				},
			},
		},
	}

	method := acme.Methods[0].Spec()
	params, err := method.Decode(json.RawMessage(`{"toolCallId":"t1","prompt":"count files","model":7}`))
	fmt.Println("usable:", dialect.Usable(err), err)
	for _, f := range method.Findings(params) {
		prompt, _ := f.Event.(dialect.SubagentPatch).Prompt.Get()
		fmt.Println(f.Link.ToolCallID, prompt)
	}
	// Output:
	// usable: true dialect: field /model: a JSON number is not what was expected
	// t1 count files
}

func ExampleQuestion_Check() {
	q := dialect.Question{
		Kind:     dialect.KindChoice,
		Items:    []dialect.Item{{ID: "db", Text: "Which database?", Options: []dialect.Option{{ID: "a"}, {ID: "b"}}}},
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
	}
	answer := dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"db": {Options: []string{"c"}}}}
	fmt.Println(q.Check(answer))
	answer.Picks["db"] = dialect.Pick{Options: []string{"b"}}
	fmt.Println(q.Check(answer))
	// Output:
	// dialect: question "db" does not offer the option "c"
	// <nil>
}
