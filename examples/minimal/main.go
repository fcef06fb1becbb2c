// Minimal is a host in about forty lines. It starts an agent, sends it a prompt
// and prints what it says and which subagents it has:
//
//	minimal cursor-agent acp
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	_ "github.com/acpdialects/acpdialects/dialects/cursor"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: minimal AGENT [ARG...]")
	}
	if err := talk(context.Background(), exec.Command(os.Args[1], os.Args[2:]...), "Hello!"); err != nil {
		log.Fatal(err)
	}
}

func talk(ctx context.Context, agent *exec.Cmd, prompt string) error {
	conn, err := client.Start(ctx, agent, &client.Workspace{Files: client.ReadFiles}, &client.Options{
		OnUpdate: func(_ context.Context, u client.Update) {
			if n, _ := u.Typed(); n.Update.AgentMessageChunk != nil && n.Update.AgentMessageChunk.Content.Text != nil {
				fmt.Print(n.Update.AgentMessageChunk.Content.Text.Text)
			}
		},
		OnEvent: func(_ context.Context, ev client.Event) {
			if sub, ok := ev.Payload.(dialect.Subagent); ok {
				fmt.Printf("\n[subagent %s: %s, model %q, prompt %q]\n", sub.Change, sub.Title, sub.Model, sub.Prompt)
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
