// Explicit is a host that uses no global state: it knows the dialects of a registry
// of its own, whatever else is imported, and decides itself what the agent asks.
//
//	explicit cursor-agent acp
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialects/cursor"
	"github.com/acpdialects/acpdialects/registry"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: explicit AGENT [ARG...]")
	}
	if err := talk(context.Background(), os.Stdout, exec.Command(os.Args[1], os.Args[2:]...), "Hello!"); err != nil {
		log.Fatal(err)
	}
}

// talk sends a prompt to an agent and prints what it asks and reports.
func talk(ctx context.Context, out io.Writer, agent *exec.Cmd, prompt string) error {
	var reg registry.Registry
	if err := reg.Register(cursor.Dialect()); err != nil {
		return err
	}
	conn, err := client.Start(ctx, agent, client.Base{}, &client.Options{
		Registry: &reg,
		OnAsk: func(_ context.Context, a *client.Ask) error {
			return a.Answer(decide(a.Question))
		},
		OnSettled: func(_ context.Context, s client.Settled) {
			fmt.Fprintf(out, "%s %q: %s\n", s.Question.Kind, s.Question.Title, s.Answer.Outcome)
		},
		OnEvent: func(_ context.Context, ev client.Event) {
			// The vendor's own type is there too, for a host that knows it.
			if task, ok := ev.Params.(cursor.Task); ok {
				fmt.Fprintf(out, "task %q ran on %s\n", task.Description, task.Model)
			}
		},
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Initialize(ctx, acp.InitializeRequest{}); err != nil {
		return err
	}
	session, err := conn.NewSession(ctx, acp.NewSessionRequest{Cwd: "."})
	if err != nil {
		return err
	}
	_, err = conn.Prompt(ctx, acp.PromptRequest{SessionId: session.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock(prompt)}})
	return err
}

// decide is this host's policy: it takes a recommended option, or else the first,
// and lets a person see a plan before anything is done.
func decide(q dialect.Question) dialect.Answer {
	if q.Kind != dialect.KindChoice {
		return dialect.Answer{} // no decision
	}
	picks := map[string]dialect.Pick{}
	for _, item := range q.Items {
		for i, option := range item.Options {
			if i == 0 || option.Recommended {
				picks[item.ID] = dialect.Pick{Options: []string{option.ID}}
			}
		}
	}
	return dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: picks}
}
