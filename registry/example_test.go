package registry_test

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func ExampleRegistry() {
	acme := dialect.Dialect{
		Name: "acme",
		Methods: []dialect.Method{dialect.Report[struct {
			Text string `json:"text"`
		}]{
			Name: "acme/note",
			Correlate: func(p struct {
				Text string `json:"text"`
			}) []dialect.Finding {
				return []dialect.Finding{{
					Link:  dialect.Link{Connection: true},
					Event: dialect.Notice{Kind: dialect.NoticeInfo, Message: p.Text},
				}}
			},
		}},
	}
	var r registry.Registry
	if err := r.Register(acme); err != nil {
		fmt.Println(err)
		return
	}

	method, ok := r.Lookup("_acme/note") // as an SDK may spell it
	fmt.Println(ok, method.Dialect, method.Name)
	params, _ := method.Decode(json.RawMessage(`{"text":"hello"}`))
	fmt.Println(method.Findings(params)[0].Event.(dialect.Notice).Message)

	fmt.Println(r.Register(dialect.Dialect{Name: "other", Methods: acme.Methods}))
	// Output:
	// true acme acme/note
	// hello
	// registry: method "acme/note" of dialect "other" is taken by method "acme/note" of dialect "acme"
}
