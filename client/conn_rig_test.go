package client_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// patience bounds every wait of a test: what takes longer hangs.
const patience = 60 * time.Second

// A rig is a connection over OS pipes, and the agent at its other end.
//
// When the test is over it checks what holds for every connection: Done is
// closed, no goroutine is left, each request of the agent was answered exactly
// once, and nothing else was answered.
type rig struct {
	t    *testing.T
	conn *client.Conn
	deaf bool // the agent does not read to the end, so answers are not counted
	over bool // the test has ended the connection itself

	prompts atomic.Int64

	writing sync.Mutex
	out     *os.File // the agent's standard output
	in      *os.File // its standard input
	read    chan struct{}

	mu      sync.Mutex
	auto    map[string]string // results given to calls of ours at once, by method
	got     []seen
	changed chan struct{}
	asked   map[string]int
}

// seen is a frame that the client wrote.
type seen struct {
	Line   string          `json:"-"`
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// rigs counts those whose test is not over.
var rigs atomic.Int64

func newRig(t *testing.T, host acp.Client, opts *client.Options) *rig {
	t.Helper()
	r := unreadRig(t, host, opts)
	go r.listen()
	return r
}

// unreadRig is newRig with an agent that does not read; listen makes it.
func unreadRig(t *testing.T, host acp.Client, opts *client.Options) *rig {
	t.Helper()
	fromAgent, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, toAgent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{
		t: t, out: out, in: in, read: make(chan struct{}), changed: make(chan struct{}), asked: map[string]int{},
		auto: map[string]string{
			"initialize":       `{"protocolVersion":1}`,
			"session/new":      `{"sessionId":"s1"}`,
			"session/set_mode": `{}`,
		},
	}
	rigs.Add(1)
	r.conn = client.Connect(host, toAgent, fromAgent, opts)
	t.Cleanup(r.finish)
	return r
}

func (r *rig) listen() {
	defer close(r.read)
	lines := bufio.NewReader(r.in)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		f := seen{Line: strings.TrimSuffix(line, "\n")}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			r.t.Errorf("the client wrote what is no JSON: %v: %.200s", err, line)
		}
		r.mu.Lock()
		r.got = append(r.got, f)
		result, answers := r.auto[f.Method]
		close(r.changed)
		r.changed = make(chan struct{})
		r.mu.Unlock()
		if answers && f.ID != nil {
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, f.ID, result))
		}
	}
}

// write writes lines of the agent's, and counts their requests.
func (r *rig) write(lines ...string) {
	r.t.Helper()
	for _, line := range lines {
		r.count(line)
	}
	r.raw(strings.Join(lines, "\n") + "\n")
}

// raw writes bytes as they are.
func (r *rig) raw(b string) {
	r.t.Helper()
	r.writing.Lock()
	defer r.writing.Unlock()
	if _, err := r.out.WriteString(b); err != nil {
		r.t.Errorf("the agent cannot write: %v", err)
	}
}

func (r *rig) count(line string) {
	var batch []json.RawMessage
	if json.Unmarshal([]byte(line), &batch) != nil {
		batch = append(batch, json.RawMessage(line))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, raw := range batch {
		var f map[string]json.RawMessage
		if json.Unmarshal(raw, &f) != nil {
			continue
		}
		if id, ok := f["id"]; ok && f["method"] != nil {
			r.asked[string(id)]++
		}
	}
}

// await gives the first frame of the client's that fits.
func (r *rig) await(what string, fits func(seen) bool) seen {
	r.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for next := 0; ; {
		r.mu.Lock()
		changed, got := r.changed, r.got
		r.mu.Unlock()
		for ; next < len(got); next++ {
			if fits(got[next]) {
				return got[next]
			}
		}
		select {
		case <-changed:
		case <-timeout.C:
			r.t.Fatalf("the client never wrote %s; it wrote:\n%s", what, r.transcript())
		}
	}
}

// answer waits for the answer to a request of the agent's.
func (r *rig) answer(id string) seen {
	r.t.Helper()
	return r.await("an answer to "+id, func(f seen) bool { return f.Method == "" && string(f.ID) == id })
}

// call waits for the nth call of the client's of a method, counted from 1.
func (r *rig) call(method string, nth int) seen {
	r.t.Helper()
	return r.await(method, func(f seen) bool {
		if f.Method == method {
			nth--
		}
		return f.Method == method && nth == 0
	})
}

func (r *rig) transcript() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, f := range r.got {
		fmt.Fprintf(&b, "%.300s\n", f.Line)
	}
	return b.String()
}

// open opens session s1.
func (r *rig) open() *rig {
	r.t.Helper()
	if _, err := r.conn.Initialize(r.t.Context(), acp.InitializeRequest{}); err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.conn.NewSession(r.t.Context(), acp.NewSessionRequest{Cwd: "/"}); err != nil {
		r.t.Fatal(err)
	}
	return r
}
