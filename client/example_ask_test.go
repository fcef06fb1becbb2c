package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// An acmePoll is what Acme's agent asks, in its private request acme/poll.
type acmePoll struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
}

// An acmeVote is the result that it expects. No votes mean that nobody decided.
type acmeVote struct {
	Votes []string `json:"votes"`
}

var acmePolls = dialect.Dialect{
	Name: "acme",
	Methods: []dialect.Method{
		dialect.Ask[acmePoll, acmeVote]{
			Name: "acme/poll",
			Correlate: func(p acmePoll) (dialect.Link, dialect.Question) {
				item := dialect.Item{ID: "poll", Text: p.Question, Multiple: true}
				for _, o := range p.Options {
					item.Options = append(item.Options, dialect.Option{ID: o, Label: o})
				}
				return dialect.Link{}, dialect.Question{
					Kind:     dialect.KindChoice,
					Items:    []dialect.Item{item},
					Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
				}
			},
			Reply: func(_ acmePoll, a dialect.Answer) (acmeVote, error) {
				return acmeVote{Votes: append([]string{}, a.Picks["poll"].Options...)}, nil
			},
		},
	},
}

// What an agent asks comes to OnAsk in neutral terms, and the answer goes back in
// the vendor's. An answer that was not offered is refused and not sent; returning
// without an answer declines, in the vendor's own way.
func ExampleAsk() {
	stdin, stdout := pretend(
		`{"jsonrpc":"2.0","id":"poll-1","method":"acme/poll","params":{"question":"Which databases?","options":["postgres","sqlite","mysql"]}}`,
		`{"jsonrpc":"2.0","id":"poll-2","method":"acme/poll","params":{"question":"Are you sure?","options":["yes","no"]}}`,
	)

	var dialects registry.Registry
	dialects.MustRegister(acmePolls)
	conn := client.Connect(nil, stdin, stdout, &client.Options{
		Registry: &dialects,
		OnAsk: func(ctx context.Context, a *client.Ask) error {
			item := a.Question.Items[0]
			fmt.Println(item.Text)
			if len(item.Options) < 3 {
				return nil // nobody is there to decide
			}
			vote := func(options ...string) error {
				return a.Answer(dialect.Answer{
					Outcome: dialect.OutcomeAccepted,
					Picks:   map[string]dialect.Pick{item.ID: {Options: options}},
				})
			}
			err := vote("oracle")
			fmt.Println(errors.Is(err, client.ErrNotOffered), "-", err)
			return vote("postgres", "sqlite")
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
	if _, err := conn.Prompt(ctx, acp.PromptRequest{
		SessionId: session.SessionId,
		Prompt:    []acp.ContentBlock{acp.TextBlock("Add a store.")},
	}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Which databases?
	// true - client: the answer was not offered: dialect: question "poll" does not offer the option "oracle"
	// The agent gets {"votes":["postgres","sqlite"]}
	// Are you sure?
	// The agent gets {"votes":[]}
}
