package client_test

import (
	"context"
	"fmt"
	"log"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// An acmeHelper is what Acme's agent says of a helper, in its private request
// acme/helper. The protocol's own frames do not have it.
type acmeHelper struct {
	ToolCallID string `json:"toolCallId"`
	Task       string `json:"task"`
	Model      string `json:"model"`
}

// A package dialects/acme would register this, and a host blank-import it.
var acmeHelpers = dialect.Dialect{
	Name: "acme",
	Methods: []dialect.Method{
		dialect.Report[acmeHelper]{
			Name: "acme/helper",
			Correlate: func(h acmeHelper) []dialect.Finding {
				return []dialect.Finding{{
					Link:  dialect.Link{ToolCallID: h.ToolCallID},
					Event: dialect.SubagentPatch{Title: dialect.Set(h.Task), Model: dialect.Set(h.Model)},
				}}
			},
		},
	},
}

// What agents say beyond the protocol comes out of OnEvent in neutral terms. Here
// an agent tells who its helper is before it shows the tool call that starts it;
// the event comes with the call, under the call's session.
func ExampleOptions_onEvent() {
	stdin, stdout := pretend(
		`{"jsonrpc":"2.0","id":0,"method":"acme/helper","params":{"toolCallId":"t1","task":"Find the bug","model":"small-1"}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Helper","status":"in_progress"}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"plan","entries":[{"content":"Mend it","priority":"high","status":"pending"}]}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed"}}}`,
	)

	var dialects registry.Registry
	dialects.MustRegister(acmeHelpers)
	conn := client.Connect(nil, stdin, stdout, &client.Options{
		Registry: &dialects, // or leave it out, and blank-import the dialects you want
		OnEvent: func(_ context.Context, ev client.Event) {
			switch p := ev.Payload.(type) {
			case dialect.Subagent:
				fmt.Printf("%s: subagent %q on %s %s, outcome %q\n", ev.SessionID, p.Title, p.Model, p.Change, p.Outcome)
			case dialect.Todos:
				for _, todo := range p.Items {
					fmt.Printf("%s: todo %q is %s\n", ev.SessionID, todo.Content, todo.Status)
				}
			}
		},
	})
	defer conn.Close()

	ctx := context.Background()
	if _, err := conn.Initialize(ctx, acp.InitializeRequest{}); err != nil {
		log.Fatal(err)
	}
	session, err := conn.NewSession(ctx, acp.NewSessionRequest{Cwd: "/home/me/project"})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := conn.Prompt(ctx, acp.PromptRequest{
		SessionId: session.SessionId,
		Prompt:    []acp.ContentBlock{acp.TextBlock("Why does it fail?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StopReason)
	// Output:
	// s1: subagent "Find the bug" on small-1 started, outcome ""
	// s1: todo "Mend it" is pending
	// s1: subagent "Find the bug" on small-1 ended, outcome "completed"
	// end_turn
}
