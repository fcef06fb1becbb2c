package cursor_test

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialects/cursor"
	"github.com/acpdialects/acpdialects/registry"
)

// A plan is asked for, and the host rejects it with a reason.
func Example() {
	var r registry.Registry
	r.MustRegister(cursor.Dialect())

	method, _ := r.Lookup("cursor/create_plan")
	params, err := method.Decode(json.RawMessage(`{"toolCallId":"call_a\nfc_b","name":"Add cache","plan":"# Plan"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, question := method.Question(params)
	fmt.Println(question.Kind, question.Title, question.Outcomes)

	result, err := method.Reply(params, dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "keep it smaller"})
	text, _ := json.Marshal(result)
	fmt.Println(string(text), err)
	// Output:
	// plan Add cache [accepted rejected]
	// {"outcome":{"outcome":"rejected","reason":"keep it smaller"}} <nil>
}
