package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// patience bounds every wait: what takes longer hangs. The SDK's connection gets
// less, for there it is waited for in vain.
var patience = map[bool]time.Duration{true: 5 * time.Second, false: time.Minute}[os.Getenv(probing) != ""]

// A connection is what both have.
type connection interface {
	Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error)
	NewSession(context.Context, acp.NewSessionRequest) (acp.NewSessionResponse, error)
	Prompt(context.Context, acp.PromptRequest) (acp.PromptResponse, error)
	Done() <-chan struct{}
}

// connect makes one of the two.
type connect func(h *host, w io.Writer, r io.Reader) connection

// ours connects with package client and a dialect.
func ours(h *host, w io.Writer, r io.Reader) *client.Conn {
	var reg registry.Registry
	reg.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{
		dialect.Report[task]{Name: "acme/task", Correlate: func(t task) []dialect.Finding {
			return []dialect.Finding{{Link: dialect.Link{ToolCallID: t.ToolCallID}, Event: dialect.Other{Value: t.Prompt}}}
		}},
	}})
	return client.Connect(h, w, r, &client.Options{Registry: &reg, OnEvent: func(_ context.Context, ev client.Event) {
		if o, ok := ev.Payload.(dialect.Other); ok {
			h.note("task %v", o.Value)
		}
	}})
}

// theirs connects with the SDK and a switch.
func theirs(h *host, w io.Writer, r io.Reader) connection {
	c := acp.NewClientSideConnection(switchHost{h}, w, r)
	c.SetLogger(slog.New(slog.DiscardHandler))
	return c
}

type task struct {
	ToolCallID string `json:"toolCallId"`
	Prompt     string `json:"prompt"`
}

// A host notes what reaches it. Its fields say how it behaves.
type host struct {
	client.Base
	update func(session, text string)
	permit func(context.Context, acp.RequestPermissionRequest)

	mu      sync.Mutex
	notes   []string
	changed chan struct{}
}

func (h *host) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, fmt.Sprintf(format, args...))
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *host) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	if m := n.Update.AgentMessageChunk; m != nil && m.Content.Text != nil {
		text := m.Content.Text.Text
		if h.update != nil {
			h.update(string(n.SessionId), text)
		}
		if len(text) > 100 {
			text = fmt.Sprintf("%d bytes", len(text))
		}
		h.note("%s %s", n.SessionId, text)
	}
	return nil
}

func (h *host) RequestPermission(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	if h.permit != nil {
		h.permit(ctx, p)
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected("yes")}, nil
}

// A switchHost is what a host of the SDK's connection writes by hand.
type switchHost struct{ *host }

func (h switchHost) HandleExtensionMethod(_ context.Context, method string, params json.RawMessage) (any, error) {
	if method != "_acme/task" {
		return nil, acp.NewMethodNotFound(method)
	}
	var t task
	if err := json.Unmarshal(params, &t); err != nil {
		return nil, acp.NewInvalidParams(map[string]any{"error": err.Error()})
	}
	h.note("task %s", t.Prompt)
	return struct{}{}, nil
}

// A rig is one connection, its host, and the agent at its other end.
type rig struct {
	host *host
	conn connection
	out  *os.File // the agent writes

	over <-chan struct{} // the connection

	mu      sync.Mutex
	writing sync.Mutex
	got     []frame
	changed chan struct{}
}

// A frame is one the client wrote.
type frame struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct{ Code int }
}

// A failure is what a probe ends with.
type failure string

func failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// start opens a connection and session s1.
func start(connect connect, h *host) *rig {
	fromAgent, out, err := os.Pipe()
	if err != nil {
		failf("%v", err)
	}
	in, toAgent, err := os.Pipe()
	if err != nil {
		failf("%v", err)
	}
	h.changed = make(chan struct{})
	r := &rig{host: h, out: out, changed: make(chan struct{})}
	r.conn = connect(h, toAgent, fromAgent)
	r.over = r.conn.Done()
	go r.listen(in)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := r.conn.Initialize(ctx, acp.InitializeRequest{ProtocolVersion: 1}); err != nil {
		failf("initialize: %v", err)
	}
	if _, err := r.conn.NewSession(ctx, acp.NewSessionRequest{Cwd: "/", McpServers: []acp.McpServer{}}); err != nil {
		failf("session/new: %v", err)
	}
	return r
}

func (r *rig) listen(in *os.File) {
	auto := map[string]string{"initialize": `{"protocolVersion":1}`, "session/new": `{"sessionId":"s1"}`}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var f frame
		json.Unmarshal(line, &f)
		r.mu.Lock()
		r.got = append(r.got, f)
		close(r.changed)
		r.changed = make(chan struct{})
		r.mu.Unlock()
		if result, ok := auto[f.Method]; ok {
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, f.ID, result))
		}
	}
}

// write writes lines of the agent's, unless the connection is over: that shows in
// what is waited for.
func (r *rig) write(lines ...string) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		r.writing.Lock()
		defer r.writing.Unlock()
		io.WriteString(r.out, strings.Join(lines, "\n")+"\n")
	}()
	select {
	case <-written:
	case <-r.over:
	}
}

// answers waits until an id has n answers, and gives them.
func (r *rig) answers(id string, n int) (out []frame) {
	r.wait(fmt.Sprintf("%d answers to %s", n, id), func() bool {
		out = slices.DeleteFunc(slices.Clone(r.got), func(f frame) bool { return f.Method != "" || string(f.ID) != id })
		return len(out) >= n
	})
	return out
}

// errorOf waits for the answer to an id and checks its code; 0 is a result.
func (r *rig) errorOf(id string, code int) {
	f := r.answers(id, 1)[0]
	got := 0
	if f.Error != nil {
		got = f.Error.Code
	}
	if got != code {
		failf("request %s got the code %d, not %d", id, got, code)
	}
}

// call waits for the nth call of a method and gives its id.
func (r *rig) call(method string, nth int) (id string) {
	r.wait(method, func() bool {
		n := 0
		for _, f := range r.got {
			if f.Method == method {
				if n++; n == nth {
					id = string(f.ID)
				}
			}
		}
		return n >= nth
	})
	return id
}

// wait waits until done, which is asked again when a frame has come.
func (r *rig) wait(what string, done func() bool) {
	r.until(what, func() (bool, chan struct{}) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return done(), r.changed
	})
}

// told waits until the host has noted something.
func (r *rig) told(note string) {
	r.until(fmt.Sprintf("%q for the host", note), func() (bool, chan struct{}) {
		r.host.mu.Lock()
		defer r.host.mu.Unlock()
		return slices.Contains(r.host.notes, note), r.host.changed
	})
}

// until waits until look says that it is so, or that it has changed and is.
func (r *rig) until(what string, look func() (bool, chan struct{})) {
	timeout := time.After(patience)
	for {
		so, changed := look()
		if so {
			return
		}
		select {
		case <-changed:
		case <-r.over:
			if so, _ := look(); !so {
				failf("the connection ended: no %s", what)
			}
			return
		case <-timeout:
			failf("no %s", what)
		}
	}
}

// alive checks that the connection goes on: an update and a request arrive.
func (r *rig) alive() {
	r.write(chunk("s1", "alive"), request(`"alive"`, "acme/alive", `{}`))
	r.answers(`"alive"`, 1)
	r.told("s1 alive")
}

// within waits for a channel.
func within[T any](what string, ch <-chan T) (v T) {
	select {
	case v = <-ch:
	case <-time.After(patience):
		failf("no %s", what)
	}
	return v
}

func chunk(session, text string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + session +
		`","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`
}

func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func permission(id, session string) string {
	return request(id, "session/request_permission", `{"sessionId":"`+session+`","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}`)
}
