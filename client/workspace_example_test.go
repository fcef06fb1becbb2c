package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// A window is a host with a display of its own; the rest is the workspace's.
type window struct {
	*client.Workspace
}

func (w window) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	if chunk := n.Update.AgentMessageChunk; chunk != nil && chunk.Content.Text != nil {
		fmt.Print(chunk.Content.Text.Text)
	}
	return nil
}

func ExampleWorkspace() {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	host := window{&client.Workspace{
		Files:    client.ReadWriteFiles,
		Terminal: true,
		CommandPolicy: func(_ context.Context, c client.Command) error {
			if c.Argv[0] != "go" {
				return errors.New("only the go command may run here")
			}
			return nil
		},
	}}
	// The connection calls this when a session was opened.
	host.SessionOpened("s1", dir, nil)

	ctx := context.Background()
	for _, path := range []string{filepath.Join(dir, "notes.txt"), "/etc/passwd"} {
		_, err := host.WriteTextFile(ctx, acp.WriteTextFileRequest{SessionId: "s1", Path: path, Content: "hello\n"})
		fmt.Println(filepath.Base(path), err == nil)
	}
	_, err = host.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s1", Command: "rm", Args: []string{"-rf", "."}})
	fmt.Println(err)
	// Output:
	// notes.txt true
	// passwd false
	// {"code":-32602,"message":"the command was refused: only the go command may run here"}
}

func ExamplePolicy() {
	host := &client.Workspace{Permission: client.Policy{
		Rules: []client.Rule{
			{Kinds: []acp.ToolKind{acp.ToolKindDelete}, Decision: client.Reject},
			{Kinds: []acp.ToolKind{acp.ToolKindRead, acp.ToolKindSearch}, Decision: client.AllowOnce},
			{Kinds: []acp.ToolKind{acp.ToolKindEdit}, Under: []string{"/home/me/project"}, Decision: client.AllowOnce},
		},
		Ask: func(_ context.Context, req acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
			fmt.Println("  asked:", *req.ToolCall.Title)
			return req.Options[1].OptionId, nil // what a person would pick
		},
	}}
	for _, kind := range []acp.ToolKind{acp.ToolKindRead, acp.ToolKindDelete, acp.ToolKindExecute} {
		resp, err := host.RequestPermission(context.Background(), acp.RequestPermissionRequest{
			SessionId: "s1",
			ToolCall:  acp.ToolCallUpdate{ToolCallId: "t1", Kind: &kind, Title: acp.Ptr(strings.ToUpper(string(kind)))},
			Options: []acp.PermissionOption{
				{OptionId: "yes", Name: "Allow once", Kind: acp.PermissionOptionKindAllowOnce},
				{OptionId: "always", Name: "Always allow", Kind: acp.PermissionOptionKindAllowAlways},
				{OptionId: "no", Name: "Reject", Kind: acp.PermissionOptionKindRejectOnce},
			},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(kind, resp.Outcome.Selected.OptionId)
	}
	// Output:
	// read yes
	// delete no
	//   asked: EXECUTE
	// execute always
}
