package client_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// A prompting is a Prompt in flight.
type prompting struct {
	r    *rig
	id   string
	done chan struct{}
	resp acp.PromptResponse
	err  error
}

// prompt starts a Prompt and waits until the agent has it.
func (r *rig) prompt(ctx context.Context, session acp.SessionId) *prompting {
	r.t.Helper()
	mark := fmt.Sprintf("prompt %d.", r.prompts.Add(1))
	p := &prompting{r: r, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.resp, p.err = r.conn.Prompt(ctx, acp.PromptRequest{SessionId: session, Prompt: []acp.ContentBlock{acp.TextBlock(mark)}})
	}()
	f := r.await("the prompt", func(f seen) bool { return f.Method == "session/prompt" && strings.Contains(f.Line, mark) })
	p.id = string(f.ID)
	return p
}

// end has the agent answer.
func (p *prompting) end(stopReason string) *prompting {
	p.r.t.Helper()
	p.r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, p.id, stopReason))
	return p
}

func (p *prompting) wait() (acp.PromptResponse, error) {
	p.r.t.Helper()
	within(p.r.t, "Prompt to return", p.done)
	return p.resp, p.err
}

// ends has the agent answer and checks that Prompt gives the stop reason.
func (p *prompting) ends(stopReason acp.StopReason) {
	p.r.t.Helper()
	resp, err := p.end(string(stopReason)).wait()
	if err != nil || resp.StopReason != stopReason {
		p.r.t.Errorf("Prompt gave %q, %v; want %q", resp.StopReason, err, stopReason)
	}
}

// within waits for a channel to be closed, or for what it gives.
func within[T any](t *testing.T, what string, ch <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-ch:
	case <-time.After(patience):
		buf := make([]byte, 1<<20)
		t.Fatalf("waited in vain for %s\n%s", what, buf[:runtime.Stack(buf, true)])
	}
	return v
}
