// Package client is an Agent Client Protocol client that understands what agents
// say beyond the protocol.
//
// Connect speaks with an agent over its stdio and gives a Conn with every
// client-to-agent method of the SDK under the SDK's own names and types. The
// host, any acp.Client, gets the protocol's own requests and updates; what a
// vendor sends beyond them goes to the dialects that the host blank-imported, and
// comes out of Options.OnEvent and Options.OnAsk in neutral terms. What nobody
// registered is answered "method not found".
//
//	conn := client.Connect(host, stdin, stdout, &client.Options{
//		OnEvent: func(ctx context.Context, ev client.Event) { … },
//	})
//	conn.Initialize(ctx, acp.InitializeRequest{})
//
// Start does the same with a process that it starts and supervises. Workspace is
// a complete host; Base is one to embed. NewHandler serves a host that keeps the
// SDK's own connection.
//
// # What the connection guarantees
//
// Frames take effect in the order of the wire. Callbacks of one session run one
// at a time in that order; a request's handler is started in that order and runs
// beside them. Prompt returns when every callback that precedes its answer has
// run. Every request is answered exactly once and no notification ever is. A
// panic in anything of the host's or of a dialect's is contained. Nothing that
// an agent can write ends the process, and nothing but the end of its stream,
// or an agent that does not read what it is owed, ends the connection.
package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/hashicorp/go-hclog"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// A Conn is a connection to one agent. It may be used from several goroutines.
type Conn struct {
	host  acp.Client // nil: nobody
	opts  Options
	log   hclog.Logger
	r     io.Reader
	w     io.Writer
	wr    *wire.Writer // nil for a Handler
	ended func(error) error

	base   context.Context // of handlers; it ends with the connection
	ctx    context.Context // of callbacks: base with the mark
	cancel context.CancelFunc
	live   sync.WaitGroup // goroutines of ours
	eof    chan struct{}  // closed when the agent's stream has ended
	done   chan struct{}

	in   intake // the reader's own
	mask *Mask  // of what the tap is shown

	backlog atomic.Int64 // bytes that wait for callbacks
	held    atomic.Bool  // the reader waits for room
	told    atomic.Bool  // the host, that the agent is gone

	straying sync.Mutex // OnStray runs
	said     unsaid

	// mu guards everything below it. Nothing of the host runs under it, and
	// only waitRoom waits under it. While the connection is not closed, a
	// goroutine of its own is alive.
	mu       sync.Mutex
	room     sync.Cond // backlog, ops or closed changed
	st       *state.State
	lanes    map[string]*lane
	ready    []*lane // to be started with the next kick
	spare    *lane   // to be used again
	gather   bool    // the reader will kick
	ops      int     // host operations under way that lift the bound
	pending  map[string]*pending
	lastID   uint64
	handlers int // requests accepted and not through
	strays   []state.Stray
	effects  []state.Effect // being carried out
	expiry   []expiry
	timer    *time.Timer
	err      error                   // why there is no connection any more
	mute     error                   // why nothing can be written any more
	idle     chan struct{}           // closed when every request is answered, if somebody waits
	ending   bool                    // the agent is gone: nothing is taken in any more
	closed   bool                    // nothing is delivered any more
	replies  map[string]chan<- reply // of a Handler
}

// Connect starts a connection: r is what the agent writes, w what it reads. The
// host may be nil. Close closes both streams if they are io.Closers.
//
// Besides acp.Client and the SDK's optional methods a host may have these, and is
// told: ClientCapabilities() acp.ClientCapabilities fills in what Initialize
// leaves empty; SessionOpened(acp.SessionId, cwd string, dirs []string) and
// SessionClosed(acp.SessionId) follow the sessions of ours, and
// SessionChild(child, parent acp.SessionId) those of subagents, in the order of
// each session's callbacks; Disconnected() comes once, at the end.
func Connect(host acp.Client, w io.Writer, r io.Reader, opts *Options) *Conn {
	return connect(host, w, r, opts, nil)
}

// connect is Connect with a hook: ended is called once, outside the lock, when
// the agent's stream has ended, and what it returns is what every pending and
// later call fails with.
func connect(host acp.Client, w io.Writer, r io.Reader, opts *Options, ended func(error) error) *Conn {
	c := newConn(host, opts, false)
	c.w, c.r, c.ended = w, r, ended
	c.wr = wire.NewWriter(w, c.tapOut(), c.writeFailed)
	c.live.Add(1)
	go c.read(wire.NewReader(r, c.opts.MaxFrame))
	go func() {
		c.live.Wait()
		<-c.wr.Done()
		c.disconnected()
		close(c.done)
	}()
	return c
}

// disconnected tells the host once, if it wants to know, that there is no agent
// any more.
func (c *Conn) disconnected() {
	if h, ok := c.host.(interface{ Disconnected() }); ok && !c.told.Swap(true) {
		c.contain("Disconnected", h.Disconnected)
	}
}

func newConn(host acp.Client, opts *Options, implicit bool) *Conn {
	o := opts.withDefaults()
	c := &Conn{
		host: host, opts: o, log: o.Logger, eof: make(chan struct{}), done: make(chan struct{}),
		lanes: map[string]*lane{}, pending: map[string]*pending{},
	}
	c.room.L = &c.mu
	c.mask = NewMask(o.Registry)
	c.st = state.New(o.Registry, state.Config{OnHookPanic: c.hookPanicked, Implicit: implicit})
	c.base, c.cancel = context.WithCancel(context.Background())
	c.ctx = context.WithValue(c.base, callbackKey{}, c)
	return c
}

// ToolCall gives the record of a tool call as the last frame left it. It may be
// ahead of the callbacks.
func (c *Conn) ToolCall(session acp.SessionId, id acp.ToolCallId) (dialect.ToolCall, bool) {
	c.mu.Lock()
	defer c.unlock()
	return c.st.ToolCall(string(session), string(id))
}

// Subagents gives the tree of a session's subagents, in the order they were first
// seen. It may be ahead of the callbacks.
func (c *Conn) Subagents(session acp.SessionId) []dialect.Subagent {
	c.mu.Lock()
	defer c.unlock()
	return c.st.Subagents(string(session))
}

// hookPanicked logs what a dialect's hook panicked with.
func (c *Conn) hookPanicked(owner, method string, value any, stack []byte) {
	c.say(func() {
		c.log.Error("a dialect's hook panicked", "dialect", owner, "method", method, "panic", fmt.Sprint(value), "stack", string(stack))
	})
}

// guard runs a hook in a goroutine of its own, so that nothing it does can reach
// the caller, and reports whether it returned.
func (c *Conn) guard(owner, method string, f func()) bool {
	returned := make(chan bool)
	go func() {
		ok := false
		defer func() {
			if v := recover(); v != nil {
				c.hookPanicked(owner, method, v, stack())
			}
			returned <- ok
		}()
		f()
		ok = true
	}()
	return <-returned
}

// marshal makes JSON of a value of ours or of the host's.
func marshal(v any) (json.RawMessage, error) {
	switch raw := v.(type) {
	case json.RawMessage:
		if raw == nil {
			return json.RawMessage("null"), nil
		}
		return compact(raw)
	case nil:
		return json.RawMessage("null"), nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("client: %T cannot be encoded: %w", v, err)
	}
	return b, nil
}
