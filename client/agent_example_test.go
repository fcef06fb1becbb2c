package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// An agent is started, asked something, and ended. Whatever happens to it on the
// way is in the error of the call that noticed.
func ExampleStart() {
	ctx := context.Background()
	cmd := exec.Command("acme-agent", "acp")
	cmd.Dir = "/home/me/project"

	host := &client.Workspace{Files: client.ReadWriteFiles}
	agent, err := client.Start(ctx, cmd, host, &client.Options{
		OnUpdate: func(_ context.Context, u client.Update) { fmt.Printf("%s\n", u.Raw) },
	})
	if err != nil {
		log.Fatal(err) // not installed, not executable, no such directory, …
	}
	defer agent.Close()

	if _, err := agent.Initialize(ctx, acp.InitializeRequest{}); err != nil {
		log.Fatal(err) // a *client.HandshakeError: what it printed, how it ended, …
	}
	session, err := agent.NewSession(ctx, acp.NewSessionRequest{Cwd: cmd.Dir})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := agent.Prompt(ctx, acp.PromptRequest{
		SessionId: session.SessionId,
		Prompt:    []acp.ContentBlock{acp.TextBlock("What is in this folder?")},
	})
	var exit *client.ExitError
	switch {
	case errors.As(err, &exit):
		log.Fatalf("the agent ended, %d %s: %s", exit.Code, exit.Signal, exit.Stderr)
	case err != nil:
		log.Fatal(err)
	}
	fmt.Println(answer.StopReason)
}

// What cannot be started is told by the system's error.
func ExampleStartError() {
	_, err := client.Start(context.Background(), exec.Command("no-such-agent"), nil, nil)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	fmt.Println(err)
	// Output:
	// true
	// client: cannot start "no-such-agent": executable file not found in $PATH
}
