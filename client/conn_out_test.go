package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// OUT-01: lists are lists and never null, paths are absolute, and what the host
// did not set is not there.
func TestOUT01WhatIsSent(t *testing.T) {
	r := newRig(t, nil, nil)
	r.auto["session/load"] = `{}`
	r.auto["session/prompt"] = `{"stopReason":"end_turn"}`
	ctx := t.Context()
	here, _ := filepath.Abs("sub")
	if _, err := r.conn.NewSession(ctx, acp.NewSessionRequest{Cwd: "sub"}); err != nil {
		t.Error(err)
	}
	if _, err := r.conn.LoadSession(ctx, acp.LoadSessionRequest{SessionId: "s1", Cwd: "/w", McpServers: []acp.McpServer{
		{Stdio: &acp.McpServerStdio{Name: "n", Command: "c"}}, {Http: &acp.McpServerHttpInline{Type: "http", Name: "n", Url: "u"}},
	}}); err != nil {
		t.Error(err)
	}
	if _, err := r.conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1", Prompt: []acp.ContentBlock{acp.TextBlock("hi")}}); err != nil {
		t.Error(err)
	}
	if _, err := r.conn.Prompt(ctx, acp.PromptRequest{SessionId: "s1"}); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ method, want string }{
		{"session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, here)},
		{"session/load", `{"cwd":"/w","mcpServers":[{"args":[],"command":"c","env":[],"name":"n"},{"headers":[],"name":"n","type":"http","url":"u"}],"sessionId":"s1"}`},
		{"session/prompt", `{"prompt":[{"text":"hi","type":"text"}],"sessionId":"s1"}`},
	} {
		var params any
		json.Unmarshal(r.call(tt.method, 1).Params, &params)
		if got, _ := json.Marshal(params); string(got) != tt.want {
			t.Errorf("%s: sent %s, want %s", tt.method, got, tt.want)
		}
	}
	if got := string(r.call("session/prompt", 2).Params); !strings.Contains(got, `"prompt":[]`) {
		t.Errorf("an empty prompt was sent as %s", got)
	}
}

// Bare names are accepted, never sent; and JSON of the host's is one line.
func TestOutboundNames(t *testing.T) {
	r := newRig(t, nil, nil)
	ctx := t.Context()
	for what, err := range map[string]error{
		"CallExtension":   second(r.conn.CallExtension(ctx, "acme/x", nil)),
		"Call":            second(r.conn.Call(ctx, "acme/x", nil)),
		"NotifyExtension": r.conn.NotifyExtension(ctx, "acme/x", nil),
	} {
		if err == nil || !strings.Contains(err.Error(), `"acme/x"`) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := r.conn.NotifyExtension(ctx, "_acme/x", json.RawMessage("{\n\t\"a\": 1\n}")); err != nil {
		t.Error(err)
	}
	if got := string(r.call("_acme/x", 1).Params); got != `{"a":1}` {
		t.Errorf("sent %s", got)
	}
	if err := r.conn.NotifyExtension(ctx, "_acme/y", nil); err != nil {
		t.Error(err)
	}
	if got := r.call("_acme/y", 1).Line; got != `{"jsonrpc":"2.0","method":"_acme/y"}` {
		t.Errorf("no params were sent as %s", got)
	}
	if err := r.conn.NotifyExtension(ctx, "_acme/x", json.RawMessage("{")); err == nil {
		t.Error("sent what is no JSON")
	}
}

func second[T any](_ T, err error) error { return err }

// OUT-04: whatever writes at once, each line is one frame and none is missing.
func TestOUT04WholeFrames(t *testing.T) {
	const writers, each, unknown = 16, 30, 500
	r := unreadRig(t, nil, nil)
	r.deaf = true
	counts := map[string]int{}
	read := make(chan struct{})
	go func() {
		defer close(read)
		lines := bufio.NewReaderSize(r.in, 1<<10)
		for len(counts) == 0 || counts["_acme/note"] < writers*each || counts["answers"] < unknown || counts["session/prompt"] < writers*each {
			line, err := lines.ReadString('\n')
			var f seen
			if err != nil || json.Unmarshal([]byte(line), &f) != nil {
				t.Errorf("%v: %.100q", err, line)
				return
			}
			if f.Method == "" {
				counts["answers"]++
			}
			counts[f.Method]++
			if f.Method == "session/prompt" {
				fmt.Fprintf(r.out, `{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`+"\n", f.ID)
			}
		}
	}()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				fill := strings.Repeat("x", (w*each+i)*i%40_000)
				if err := r.conn.NotifyExtension(t.Context(), "_acme/note", fill); err != nil {
					t.Error(err)
				}
				if _, err := r.conn.Prompt(t.Context(), acp.PromptRequest{SessionId: acp.SessionId(fmt.Sprint("s", w)), Prompt: []acp.ContentBlock{acp.TextBlock(fill)}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range unknown {
		fmt.Fprintln(r.out, request(fmt.Sprintf(`"w%d"`, i), "acme/unknown", `{}`))
	}
	all.Wait()
	within(t, "the agent to read all", read)
}

// A brokenPipe takes some bytes and then fails, or says less than it should.
type brokenPipe struct {
	io.WriteCloser
	left int
	err  error
}

func (w *brokenPipe) Write(p []byte) (int, error) {
	if len(p) <= w.left {
		w.left -= len(p)
		return w.WriteCloser.Write(p)
	}
	w.WriteCloser.Write(p[:w.left])
	return w.left, w.err
}

// OUT-04: after a failed or short write nothing more is written, and the
// connection ends; what the agent had written before is still told.
func TestOUT04FailedWrites(t *testing.T) {
	for name, failure := range map[string]error{"fails": errors.New("disk on fire"), "is short": nil} {
		t.Run(name, func(t *testing.T) {
			var got notes
			fromAgent, out, _ := os.Pipe()
			in, toAgent, _ := os.Pipe()
			defer out.Close()
			defer in.Close()
			conn := client.Connect(nil, &brokenPipe{WriteCloser: toAgent, left: 100, err: failure}, fromAgent, &client.Options{OnUpdate: got.noteUpdates})
			go func() {
				fmt.Fprintln(out, chunk("s1", "before"))
				bufio.NewReader(in).ReadString('\n')
			}()
			if err := conn.NotifyExtension(t.Context(), "_acme/x", strings.Repeat("x", 40)); err != nil {
				t.Error(err)
			}
			_, err := conn.Call(t.Context(), "session/list", strings.Repeat("x", 40))
			if !errors.Is(err, client.ErrDisconnected) {
				t.Errorf("the call gave %v", err)
			}
			if failure != nil && !errors.Is(err, failure) {
				t.Errorf("%v does not say why", err)
			}
			within(t, "Done", conn.Done())
			if list := got.all(); len(list) != 1 {
				t.Errorf("told: %q", list)
			}
			if err := conn.NotifyExtension(t.Context(), "_acme/x", nil); !errors.Is(err, client.ErrDisconnected) {
				t.Errorf("a later notification gave %v", err)
			}
		})
	}
}

// A peer that stops reading blocks its own writes only.
func TestAgentThatStopsReading(t *testing.T) {
	var got notes
	r := unreadRig(t, nil, &client.Options{OnUpdate: got.noteUpdates})
	r.deaf = true
	blocked := make(chan error, 1)
	go func() { blocked <- r.conn.NotifyExtension(t.Context(), "_acme/x", strings.Repeat("x", 1<<20)) }()
	for i := range 1000 {
		r.write(chunk("s1", fmt.Sprint(i)), request(fmt.Sprint(i), "acme/unknown", `{}`))
	}
	got.await(t, "999")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.conn.NotifyExtension(ctx, "_acme/y", nil) }()
	cancel()
	if err := within(t, "a notification whose context ends", done); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	r.conn.Close()
	if err := within(t, "the blocked notification", blocked); !errors.Is(err, client.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
