package client

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	acp "github.com/coder/acp-go-sdk"
)

// A fileQueue has the requests for a file served in the order they came, for an
// agent that does not wait for its own: a read after the writes before it, a write
// after everything before it. Requests for other files go their way.
type fileQueue struct {
	mu     sync.Mutex
	visits map[string][]*visit // by path as it was asked for
}

// A visit is one request's, from before its handler begins to its end.
type visit struct {
	path   string
	write  bool
	before []*visit // what it waits for
	left   chan struct{}
}

func (w *Workspace) queue() *fileQueue { return &w.files }

// queueOf gives the queue of a host that is a Workspace or embeds one.
func queueOf(host acp.Client) *fileQueue {
	if h, ok := host.(interface{ queue() *fileQueue }); ok {
		return h.queue()
	}
	return nil
}

type visitKey struct{}

// enter begins a request's visit, which goes into the context of its handler.
// Leave ends it.
func (q *fileQueue) enter(ctx context.Context, params any) (_ context.Context, leave func()) {
	if q == nil {
		return ctx, func() {}
	}
	p := &visit{left: make(chan struct{})}
	switch req := params.(type) {
	case acp.ReadTextFileRequest:
		p.path = req.Path
	case acp.WriteTextFileRequest:
		p.path, p.write = req.Path, true
	default:
		return ctx, func() {}
	}
	p.path = filepath.Clean(p.path)
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range q.visits[p.path] {
		if p.write || o.write {
			p.before = append(p.before, o)
		}
	}
	if q.visits == nil {
		q.visits = map[string][]*visit{}
	}
	q.visits[p.path] = append(q.visits[p.path], p)
	return context.WithValue(ctx, visitKey{}, p), func() { q.leave(p) }
}

func (q *fileQueue) leave(p *visit) {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(p.left)
	p.before = nil
	rest := slices.DeleteFunc(q.visits[p.path], func(o *visit) bool { return o == p })
	if q.visits[p.path] = rest; len(rest) == 0 {
		delete(q.visits, p.path)
	}
}

// inTurn waits until a request's turn has come, if it came by a queue.
func inTurn(ctx context.Context) error {
	p, _ := ctx.Value(visitKey{}).(*visit)
	if p == nil {
		return nil
	}
	for _, o := range p.before {
		select {
		case <-o.left:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
