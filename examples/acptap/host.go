package main

import (
	"context"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// A host serves the agent's requests: files and terminals under the session's
// directory, and permission as the policy says.
type host struct {
	*client.Workspace
	view   view
	cancel bool               // every permission request
	opened chan acp.SessionId // the sessions that were shown
}

func (r *runner) newHost() *host {
	h := &host{
		Workspace: &client.Workspace{Files: client.ReadWriteFiles, Terminal: true},
		view:      r.view,
		cancel:    r.permission == "cancel",
		opened:    make(chan acp.SessionId, 1),
	}
	switch r.permission {
	case "allow":
		h.Permission.Rules = []client.Rule{{Decision: client.AllowOnce}}
	case "ask":
		h.Permission.Ask = r.console.Permission
	}
	return h
}

// SessionOpened shows a session where it stands among the session's updates.
func (h *host) SessionOpened(id acp.SessionId, cwd string, dirs []string) {
	h.Workspace.SessionOpened(id, cwd, dirs)
	h.view.Session(string(id))
	select {
	case h.opened <- id:
	default:
	}
}

// RequestPermission is the workspace's, except that a person may want to see what
// an agent does when its request is cancelled.
func (h *host) RequestPermission(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	if h.cancel {
		return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
	}
	return h.Workspace.RequestPermission(ctx, p)
}
