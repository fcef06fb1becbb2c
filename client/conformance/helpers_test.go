package conformance

import (
	"context"
	"fmt"
	"slices"

	acp "github.com/coder/acp-go-sdk"
)

// prompt starts a turn and gives where its end comes.
func (r *rig) prompt() <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := r.conn.Prompt(context.Background(), acp.PromptRequest{SessionId: "s1", Prompt: []acp.ContentBlock{acp.TextBlock("go")}})
		done <- err
	}()
	return done
}

// conclude runs a turn, so that nothing waits for a tool call any more.
func (r *rig) conclude() {
	done := r.prompt()
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, r.call("session/prompt", 1)))
	if err := within("end of the turn", done); err != nil {
		failf("prompt: %v", err)
	}
}

// forget lets go of the frames that were no calls.
func (r *rig) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = slices.DeleteFunc(r.got, func(f frame) bool { return f.Method == "" })
}

// flood writes n numbered updates and checks that they are told in order.
func (r *rig) flood(n int) {
	for i := range n {
		r.write(chunk("s1", fmt.Sprint(i)))
	}
	r.inOrder(n)
}

// inOrder checks that updates 0 to n-1 are told in order.
func (r *rig) inOrder(n int) {
	r.told(fmt.Sprint("s1 ", n-1))
	r.host.mu.Lock()
	defer r.host.mu.Unlock()
	next := 0
	for _, note := range r.host.notes {
		if note == fmt.Sprint("s1 ", next) {
			next++
		}
	}
	if next != n {
		failf("%d of %d updates were told in order", next, n)
	}
}
