package grok_test

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialects/grok"
	"github.com/acpdialects/acpdialects/registry"
)

// A question is asked, in the form a leader process wraps it, and the host picks
// an option.
func Example() {
	var r registry.Registry
	r.MustRegister(grok.Dialect())

	method, _ := r.Lookup("_x.ai/ask_user_question")
	params, err := method.Decode(json.RawMessage(`{"method":"x.ai/ask_user_question","params":{"sessionId":"S","toolCallId":"tc1",
		"questions":[{"question":"Which DB?","options":[{"label":"Postgres"},{"label":"SQLite"}]}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	link, question := method.Question(params)
	fmt.Println(link.SessionID, question.Items[0].Text, question.Outcomes)

	result, err := method.Reply(params, dialect.Answer{
		Outcome: dialect.OutcomeAccepted,
		Picks:   map[string]dialect.Pick{"Which DB?": {Options: []string{"SQLite"}}},
	})
	text, _ := json.Marshal(result)
	fmt.Println(string(text), err)
	// Output:
	// S Which DB? [accepted]
	// {"outcome":"accepted","answers":{"Which DB?":["SQLite"]}} <nil>
}
