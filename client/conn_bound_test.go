package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
)

// Law 10: at the bound the reader holds the next frame that is for the host, and
// goes on when there is room. Calls that came and went do not lift the bound.
func TestLaw10TheBoundHoldsTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fromAgent, out := io.Pipe()
		in, toAgent := io.Pipe()
		go func() {
			for lines := bufio.NewScanner(in); lines.Scan(); {
				var f seen
				json.Unmarshal(lines.Bytes(), &f)
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", f.ID)
			}
		}()
		var read, told atomic.Int64
		block := make(chan struct{})
		conn := client.Connect(nil, toAgent, fromAgent, &client.Options{
			MaxBacklog: 10_000,
			Tap: func(dir string, line []byte) {
				if dir == "in" && contains(string(line), "session/update") {
					read.Add(1)
				}
			},
			OnUpdate: func(context.Context, client.Update) {
				<-block
				told.Add(1)
			},
		})
		for i := range 500 {
			if _, err := conn.Call(t.Context(), []string{"session/list", "session/load", "session/prompt"}[i%3], nil); err != nil {
				t.Error(err)
			}
		}
		go func() {
			for range 100 {
				fmt.Fprintln(out, chunk("s1", strings.Repeat("x", 1000)))
			}
		}()
		synctest.Wait()
		if n := read.Load(); n < 9 || n > 11 {
			t.Errorf("%d frames of 1 kB were read at a bound of 10 kB", n)
		}
		close(block)
		synctest.Wait()
		if told.Load() != 100 {
			t.Errorf("%d of 100 updates were told", told.Load())
		}
		conn.Close()
		<-conn.Done()
	})
}

// A callback may call the connection at the bound: the answer is taken in though
// 20,000 frames are ahead of it.
func TestCallbackCallsAtTheBound(t *testing.T) {
	for _, method := range []string{"session/list", "session/load"} {
		t.Run(method, func(t *testing.T) {
			var r *rig
			told := 0
			r = newRig(t, nil, &client.Options{MaxBacklog: 4 << 10, OnUpdate: func(ctx context.Context, _ client.Update) {
				if told++; told == 1 {
					if _, err := r.conn.Call(ctx, method, map[string]string{"sessionId": "s2"}); err != nil {
						t.Errorf("the call of the callback: %v", err)
					}
				}
			}}).open()
			p := r.prompt(t.Context(), "s1")
			r.write(chunk("s1", "first"))
			id := r.call(method, 1).ID
			for i := range 20_000 {
				r.write(chunk("s1", fmt.Sprint(i)))
			}
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id))
			p.ends("end_turn")
			if told != 20_001 {
				t.Errorf("%d updates were told", told)
			}
		})
	}
}

// A callback may write to an agent that does not read while it writes, however
// much is ahead.
func TestCallbackWritesToAnAgentThatWrites(t *testing.T) {
	var r *rig
	told := 0
	r = unreadRig(t, nil, &client.Options{MaxBacklog: 4 << 10, OnUpdate: func(ctx context.Context, _ client.Update) {
		if told++; told == 1 {
			if err := r.conn.NotifyExtension(ctx, "_acme/x", strings.Repeat("x", 1<<20)); err != nil {
				t.Errorf("the notification of the callback: %v", err)
			}
		}
	}})
	for i := range 20_000 {
		r.write(chunk("s1", fmt.Sprint(i)))
	}
	go r.listen()
	r.open()
	r.prompt(t.Context(), "s1").ends("end_turn")
	if told != 20_000 {
		t.Errorf("%d updates were told", told)
	}
}

// Past MaxRequests an ask gets its decline and any other request -32000; when
// there is room again, handlers start again.
func TestMaxRequests(t *testing.T) {
	release := make(chan struct{})
	var entered atomic.Int64
	r := newRig(t, readingHost{read: func() string {
		entered.Add(1)
		<-release
		return "text"
	}}, &client.Options{Registry: acme(), MaxRequests: 3, OnAsk: func(context.Context, *client.Ask) error { return nil }}).open()
	read := func(id int) string {
		return request(fmt.Sprint(id), "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`)
	}
	for i := range 4 {
		r.write(read(i))
	}
	if e := r.answer(`3`).Error; e == nil || e.Code != -32000 {
		t.Errorf("the fourth got %+v", e)
	}
	r.write(request(`4`, "acme/ask", `{"sessionId":"s1"}`), permission(`5`, "s1"))
	if got := string(r.answer(`4`).Result); got != `{"outcome":"cancelled"}` {
		t.Errorf("the ask got %s", got)
	}
	if got := string(r.answer(`5`).Result); got != `{"outcome":{"outcome":"cancelled"}}` {
		t.Errorf("the permission request got %s", got)
	}
	close(release)
	for i := range 3 {
		if got := string(r.answer(fmt.Sprint(i)).Result); got != `{"content":"text"}` {
			t.Errorf("%d got %s", i, got)
		}
	}
	if entered.Load() != 3 {
		t.Errorf("%d handlers ran", entered.Load())
	}
}

// readingHost reads files.
type readingHost struct {
	client.Base
	read func() string
}

func (h readingHost) ReadTextFile(context.Context, acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	return acp.ReadTextFileResponse{Content: h.read()}, nil
}

// Answers to an agent that does not read them are bounded: past it the connection
// ends with an error that says so.
func TestAgentThatDoesNotReadItsAnswers(t *testing.T) {
	text := strings.Repeat("x", 16<<20)
	r := unreadRig(t, readingHost{read: func() string { return text }}, nil)
	r.deaf = true
	done := make(chan error)
	go func() {
		_, err := r.conn.Call(t.Context(), "session/list", nil)
		done <- err
	}()
	for i := range 6 {
		r.write(request(fmt.Sprint(i), "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`))
	}
	if err := within(t, "the call", done); !errors.Is(err, client.ErrNotReading) {
		t.Errorf("the call gave %v", err)
	}
	within(t, "Done", r.conn.Done())
	if err := r.conn.NotifyExtension(t.Context(), "_acme/x", nil); !errors.Is(err, client.ErrNotReading) {
		t.Errorf("a later call gave %v", err)
	}
}

// An answer that is larger than that bound goes to an agent that does read, and
// the next one too.
func TestAnswerLargerThanTheBound(t *testing.T) {
	text := strings.Repeat("x", 65<<20)
	r := unreadRig(t, readingHost{read: func() string { return text }}, nil)
	r.deaf = true
	r.write(request(`1`, "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`), request(`2`, "acme/unknown", `{}`))
	lines := bufio.NewReader(r.in)
	var got []int
	for range 2 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, len(line)>>20)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]int{0, 65}, got); diff != "" {
		t.Error(diff)
	}
}

// A flood into a slow host is told whole and in order, and does not pile up.
func TestFloodKeepsMemoryFlat(t *testing.T) {
	const count, bound = 80_000, 1 << 20
	var base, peak uint64
	heap := func() uint64 { // what is held, not what waits to be collected
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	next := 0
	r := newRig(t, nil, &client.Options{MaxBacklog: bound, OnUpdate: func(_ context.Context, u client.Update) {
		if want := fmt.Sprintf(`"text":"%d "`, next); !contains(string(u.Raw), want) {
			t.Errorf("update %d is %s", next, u.Raw)
		}
		if next++; next%4000 == 0 {
			peak = max(peak, heap())
		}
	}}).open()
	p := r.prompt(t.Context(), "s1")
	base = heap()
	var block strings.Builder
	for i := 0; i < count; i++ {
		block.WriteString(chunk("s1", fmt.Sprint(i, " ")) + "\n")
		if block.Len() > 32<<10 {
			r.raw(block.String())
			block.Reset()
		}
	}
	r.raw(block.String())
	p.ends("end_turn")
	if next != count {
		t.Errorf("%d of %d updates were told", next, count)
	}
	if grown := int64(peak) - int64(base); grown > 10<<20 {
		t.Errorf("the heap grew by %d MiB for a bound of 1 MiB", grown>>20)
	}
}
