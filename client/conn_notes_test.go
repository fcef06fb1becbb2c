package client_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/hashicorp/go-hclog"

	"github.com/acpdialects/acpdialects/client"
)

// Notes is a list that callbacks write and tests wait for.
type notes struct {
	mu      sync.Mutex
	list    []string
	changed chan struct{}
}

func (n *notes) add(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, fmt.Sprintf(format, args...))
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

func (n *notes) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list)
}

// await waits for a note.
func (n *notes) await(t *testing.T, note string) {
	t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		n.mu.Lock()
		if slices.Contains(n.list, note) {
			n.mu.Unlock()
			return
		}
		if n.changed == nil {
			n.changed = make(chan struct{})
		}
		changed := n.changed
		n.mu.Unlock()
		select {
		case <-changed:
		case <-timeout.C:
			t.Fatalf("%q was never noted; noted: %q", note, n.all())
		}
	}
}

// textOf gives the text of a message chunk, or the kind of another update.
func textOf(u client.Update) string {
	typed, _ := u.Typed()
	if m := typed.Update.AgentMessageChunk; m != nil && m.Content.Text != nil {
		return m.Content.Text.Text
	}
	return u.Kind
}

// noteUpdates is an OnUpdate that notes the texts, those of other sessions than
// s1 with the session.
func (n *notes) noteUpdates(_ context.Context, u client.Update) {
	if u.SessionID == "s1" {
		n.add("%s", textOf(u))
	} else {
		n.add("%s: %s", u.SessionID, textOf(u))
	}
}

func (n *notes) noteStrays(s client.Stray) { n.add("stray %s: %s", s.Method, s.Reason) }

// logTo gives a logger whose messages are noted.
func (n *notes) logTo() hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Level: hclog.Debug, Output: lineWriter(func(line string) { n.add("%s", line) })})
}

func (n *notes) holds(part string) bool {
	return slices.ContainsFunc(n.all(), func(s string) bool { return strings.Contains(s, part) })
}

type lineWriter func(string)

func (w lineWriter) Write(p []byte) (int, error) {
	w(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// permissionHost answers permission requests.
type permissionHost struct {
	client.Base
	decide func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error)
}

func (h permissionHost) RequestPermission(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	return h.decide(ctx, p)
}

func choose(option acp.PermissionOptionId) (acp.RequestPermissionResponse, error) {
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(option)}, nil
}

// Lines of an agent.

func update(session, body string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, session, body)
}

func chunk(session, text string) string {
	return update(session, fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}`, text))
}

func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

func notification(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

func permission(id, session string) string {
	return request(id, "session/request_permission", fmt.Sprintf(`{"sessionId":%q,"toolCall":{"toolCallId":"t1"},"options":[`+
		`{"optionId":"allow-once","name":"Allow once","kind":"allow_once"},{"optionId":"reject-once","name":"Reject","kind":"reject_once"}]}`, session))
}

func contains(s, part string) bool { return strings.Contains(s, part) }

func asRequestError(err error, re **acp.RequestError) bool { return errors.As(err, re) }
