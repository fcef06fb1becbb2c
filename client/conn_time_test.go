package client_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// A bubble is a connection on a clock of its own. The agent's answers are what
// the test writes.
type bubble struct {
	conn *client.Conn
	out  io.Writer
	got  notes
}

func inBubble(t *testing.T, host acp.Client, opts *client.Options, test func(t *testing.T, b *bubble)) {
	synctest.Test(t, func(t *testing.T) {
		fromAgent, out := io.Pipe()
		in, toAgent := io.Pipe()
		b := &bubble{out: out, conn: client.Connect(host, toAgent, fromAgent, opts)}
		go func() {
			for lines := bufio.NewScanner(in); lines.Scan(); {
				b.got.add("%s", lines.Text())
			}
		}()
		test(t, b)
		b.conn.Close()
		<-b.conn.Done()
	})
}

func (b *bubble) write(line string) {
	fmt.Fprintln(b.out, line)
	synctest.Wait()
}

// A report that waits for its tool call outside any turn waits JoinWait, however
// many others come and go meanwhile.
func TestJoinWait(t *testing.T) {
	var told notes
	opts := &client.Options{Registry: acme(), JoinWait: time.Minute, OnEvent: func(_ context.Context, ev client.Event) {
		if s := ev.Payload.(dialect.Subagent); s.Change == dialect.ChangeStarted {
			told.add("%s %t", s.Description, ev.Matched)
		}
	}}
	inBubble(t, nil, opts, func(t *testing.T, b *bubble) {
		begun := time.Now()
		report := func(id string) {
			b.write(notification("acme/task", fmt.Sprintf(`{"sessionId":"s1","toolCallId":%q,"description":%q}`, id, id)))
		}
		report("never comes")
		var want []string
		for i := range 3000 {
			id := fmt.Sprint("call ", i)
			report(id)
			b.write(update("s1", fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q}`, id)))
			want = append(want, id+" true")
		}
		time.Sleep(time.Minute - time.Since(begun) - time.Nanosecond)
		if synctest.Wait(); len(told.all()) != len(want) {
			t.Errorf("told before its time: %q", told.all()[len(want):])
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if diff := cmp.Diff(append(want, "never comes false"), told.all()); diff != "" {
			t.Error(diff)
		}
	})
}

// AskTimeout ends an ask and a permission request with their decline.
func TestAskTimeout(t *testing.T) {
	wait := func(ctx context.Context, _ string) { <-ctx.Done() }
	opts := &client.Options{Registry: acme(), AskTimeout: time.Hour, OnAsk: func(ctx context.Context, _ *client.Ask) error {
		wait(ctx, "ask")
		return nil
	}}
	inBubble(t, waitingHost{wait: wait}, opts, func(t *testing.T, b *bubble) {
		b.write(permission(`1`, "s1"))
		b.write(request(`2`, "acme/ask", `{"sessionId":"s1"}`))
		time.Sleep(time.Hour - time.Nanosecond)
		if synctest.Wait(); len(b.got.all()) > 0 {
			t.Errorf("answered before its time: %q", b.got.all())
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		all := strings.Join(b.got.all(), "\n")
		for _, want := range []string{`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`, `{"jsonrpc":"2.0","id":2,"result":{"outcome":"cancelled"}}`} {
			if len(b.got.all()) != 2 || !strings.Contains(all, want) {
				t.Errorf("got %s, want %s", all, want)
			}
		}
	})
}

// IDS-05: a Prompt whose context ends returns at that moment.
func TestPromptReturnsWhenItsContextEnds(t *testing.T) {
	inBubble(t, nil, nil, func(t *testing.T, b *bubble) {
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := b.conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1"})
		if err != context.DeadlineExceeded || time.Since(begun) != 200*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// Close waits for the last answers to be written, but not for an agent that does
// not read them.
func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fromAgent, out := io.Pipe()
		_, toAgent := io.Pipe()
		conn := client.Connect(nil, toAgent, fromAgent, nil)
		fmt.Fprintln(out, request(`1`, "acme/unknown", `{}`))
		begun := time.Now()
		conn.Close()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("Close took %v", took)
		}
		<-conn.Done()
	})
}
