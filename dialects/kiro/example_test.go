package kiro_test

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialects/kiro"
	"github.com/acpdialects/acpdialects/registry"
)

// The V3 engine asks its host for an access token, which only a host that has
// one can answer.
func Example() {
	var r registry.Registry
	r.MustRegister(kiro.Dialect())

	method, _ := r.Lookup("_kiro/auth/getAccessToken")
	params, err := method.Decode(json.RawMessage(`{}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, question := method.Question(params)
	fmt.Println(question.Kind, question.Title, method.Secret)

	_, err = method.Reply(params, dialect.Answer{})
	fmt.Println(err)

	token := kiro.AccessToken{AccessToken: "hunter2", ExpiresAt: "2030-01-01T00:00:00Z"}
	result, err := method.Reply(params, dialect.Answer{Result: token})
	fmt.Println(result, err)
	// Output:
	// request Access token true
	// dialect: no answer: no access token here
	// {(credential) 2030-01-01T00:00:00Z   } <nil>
}
