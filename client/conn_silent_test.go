package client_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// silent runs a test on a clock of its own with an agent that reads only what the
// test reads, and writes from a goroutine.
func silent(t *testing.T, options func(block <-chan struct{}) *client.Options, test func(t *testing.T, conn *client.Conn, in *bufio.Scanner, out chan<- string)) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		fromAgent, w := io.Pipe()
		r, toAgent := io.Pipe()
		conn := client.Connect(nil, toAgent, fromAgent, options(block))
		out := make(chan string, 100)
		go func() {
			for line := range out {
				io.WriteString(w, line+"\n")
			}
		}()
		test(t, conn, bufio.NewScanner(r), out)
		close(out)
		close(block)
		r.Close()
		conn.Close()
		<-conn.Done()
	})
}

// A cancel is a fact once it was asked for: it is sent, even if nobody waits for it
// any more.
func TestACancelIsSent(t *testing.T) {
	silent(t, func(<-chan struct{}) *client.Options { return nil }, func(t *testing.T, conn *client.Conn, in *bufio.Scanner, _ chan<- string) {
		go conn.Prompt(context.Background(), acp.PromptRequest{SessionId: "s1"})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := conn.Cancel(ctx, acp.CancelNotification{SessionId: "s1"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Cancel gave %v", err)
		}
		for _, want := range []string{"session/prompt", "session/cancel"} {
			if !in.Scan() || !strings.Contains(in.Text(), want) {
				t.Errorf("the agent reads %q, want %s", in.Text(), want)
			}
		}
	})
}

// The bound is lifted while the cancel of a given-up call waits to be written: the
// agent may not read until it is read from.
func TestGivingUpLiftsTheBound(t *testing.T) {
	for name, call := range map[string]func(context.Context, *client.Conn) error{
		"a prompt": func(ctx context.Context, conn *client.Conn) error {
			_, err := conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1"})
			return err
		},
		"a load": func(ctx context.Context, conn *client.Conn) error {
			_, err := conn.LoadSession(ctx, acp.LoadSessionRequest{SessionId: "s1", Cwd: "/"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			options := func(block <-chan struct{}) *client.Options {
				return &client.Options{MaxBacklog: 1000, OnUpdate: func(context.Context, client.Update) { <-block }}
			}
			silent(t, options, func(t *testing.T, conn *client.Conn, in *bufio.Scanner, out chan<- string) {
				ctx, cancel := context.WithCancel(t.Context())
				gave := make(chan error, 1)
				go func() { gave <- call(ctx, conn) }()
				in.Scan()
				synctest.Wait() // it is written
				for range 50 {
					out <- chunk("s1", strings.Repeat("x", 1000))
				}
				synctest.Wait()
				if len(out) < 40 {
					t.Errorf("the bound does not hold: %d frames wait", len(out))
				}
				cancel()
				if err := <-gave; !errors.Is(err, context.Canceled) {
					t.Errorf("the call gave %v", err)
				}
				synctest.Wait()
				if len(out) > 0 {
					t.Errorf("%d frames wait behind the bound while the cancel waits for its reader", len(out))
				}
			})
		})
	}
}

// A frame that was held at the bound when the connection ended is not taken in,
// however much of what came before it is still to be told.
func TestNothingIsTakenInAfterTheEnd(t *testing.T) {
	var told notes
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		fromAgent, w := io.Pipe()
		r, toAgent := io.Pipe()
		one := chunk("s1", "one")
		conn := client.Connect(nil, toAgent, fromAgent, &client.Options{MaxBacklog: int64(len(one)), // one fits, and begins another
			OnUpdate: func(context.Context, client.Update) { <-gate },
			OnEvent:  func(ctx context.Context, ev client.Event) { told.noteEvents(ctx, ev) },
		})
		r.Close() // nobody reads: a write fails, and what comes is read for a while
		conn.NotifyExtension(t.Context(), "_acme/x", nil)
		go io.WriteString(w, one+"\n"+chunk("s1", "two")+"\n"+update("s1", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"C"}`)+"\n")
		synctest.Wait() // the third is held
		time.Sleep(time.Minute)
		gate <- struct{}{} // there is room
		synctest.Wait()
		gate <- struct{}{}
		<-conn.Done()
		if all := told.all(); len(all) > 0 {
			t.Errorf("told after the end: %q", all)
		}
	})
}
