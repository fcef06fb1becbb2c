package client_test

import (
	"testing"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func TestMask(t *testing.T) {
	var reg registry.Registry
	reg.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{dialect.Ask[struct{}, struct{}]{
		Name: "acme/key", Secret: true,
		Correlate: func(struct{}) (l dialect.Link, q dialect.Question) { return },
		Reply:     func(struct{}, dialect.Answer) (r struct{}, err error) { return },
	}}})
	m := client.NewMask(&reg)
	for _, step := range []struct {
		show       func([]byte) []byte
		line, want string
	}{
		{m.Out, `{"params":{"env":[{"name":"KEY","value":"v"}]}}`, `{"params":{"env":[{"name":"KEY","value":"***"}]}}`},
		{m.In, `{"apiKey":"k","inputTokens":3,"note":"token"}`, `{"apiKey":"***","inputTokens":3,"note":"token"}`},
		{m.In, `{ "no" : "secrets" }`, `{ "no" : "secrets" }`},
		{m.In, `token is no JSON`, `token is no JSON`},
		{m.In, `{"jsonrpc":"2.0","id":7,"method":"acme/key","params":{"store":"v"}}`, `{"jsonrpc":"2.0","id":7,"method":"acme/key","params":{"store":"***"}}`},
		{m.Out, `{"jsonrpc":"2.0","id":8,"result":{"value":"v"}}`, `{"jsonrpc":"2.0","id":8,"result":{"value":"v"}}`},
		{m.Out, `{"jsonrpc":"2.0","id":7,"result":{"value":["v",{"n":1}]}}`, `{"jsonrpc":"2.0","id":7,"result":{"value":["***",{"n":"***"}]}}`},
		{m.In, `{"jsonrpc":"2.0","id":9,"method":"acme/key","params":{"name":"v","pin":-1,"on":true,"no":null}}`, `{"jsonrpc":"2.0","id":9,"method":"acme/key","params":{"name":"***","pin":"***","on":true,"no":null}}`},
		{m.Out, `{"jsonrpc":"2.0","id":7,"result":{"value":"v"}}`, `{"jsonrpc":"2.0","id":7,"result":{"value":"v"}}`},
	} {
		if got := string(step.show([]byte(step.line))); got != step.want {
			t.Errorf("%s is shown as %s, want %s", step.line, got, step.want)
		}
	}
}
