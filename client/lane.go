package client

import (
	"context"
	"runtime/debug"
	"slices"
	"sync/atomic"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
)

func stack() []byte { return debug.Stack() }

// A lane runs the callbacks of one session, one at a time, in order. It exists,
// and has a goroutine, only while there is work.
type lane struct {
	id    string
	queue []item

	// The goroutine's own: what it took from the queue, and how far it is.
	batch []item
	at    int
}

// An item is one callback and the bytes that wait with it, or a barrier. It is
// told by which of update, event, run and pass is set; a barrier (pass) is passed
// even when callbacks are dropped.
type item struct {
	size   int64
	what   string // for the log
	update *Update
	typed  bool // the update is for the host, in the SDK's types
	event  *state.Event
	run    func(context.Context)
	pass   func()
}

// push queues an item. The lock is held.
func (c *Conn) push(session string, it item) {
	if c.closed {
		if it.pass != nil {
			it.pass()
		}
		return
	}
	c.backlog.Add(it.size)
	l := c.lanes[session]
	if l != nil {
		l.queue = append(l.queue, it)
		return
	}
	if l, c.spare = c.spare, nil; l == nil {
		l = new(lane)
	}
	l.id, l.queue = session, append(l.queue, it)
	c.lanes[session] = l
	c.live.Add(1)
	if c.gather {
		c.ready = append(c.ready, l)
	} else {
		go c.work(l)
	}
}

// kick starts what was made ready while the reader had more to take in: lanes,
// and the writer. The lock is held.
func (c *Conn) kick() {
	c.gather = false
	for i, l := range c.ready {
		go c.work(l)
		c.ready[i] = nil
	}
	c.ready = c.ready[:0]
	if c.wr != nil {
		c.wr.Wake()
	}
}

// drop takes back what a lane has not begun. Barriers stay. The lock is held.
func (l *lane) drop() {
	l.queue = slices.DeleteFunc(l.queue, func(it item) bool { return it.pass == nil })
}

// work runs a lane dry. A callback that ends the goroutine (runtime.Goexit) ends
// nothing but itself: another goroutine goes on behind it.
func (c *Conn) work(l *lane) {
	through := false
	defer func() {
		if !through {
			c.ran(l)
			c.live.Add(1)
			go c.work(l)
		}
		c.live.Done()
	}()
	for c.more(l) {
		for l.at < len(l.batch) {
			it := &l.batch[l.at]
			if it.pass != nil {
				it.pass()
			} else if c.base.Err() == nil {
				c.callback(it)
			}
			c.ran(l)
		}
	}
	through = true
}

// more takes what is queued. It is false, and the lane gone, when there is
// nothing.
func (c *Conn) more(l *lane) bool {
	if l.at < len(l.batch) {
		return true
	}
	c.mu.Lock()
	defer c.unlock()
	if len(l.queue) == 0 {
		delete(c.lanes, l.id)
		if cap(l.queue)+cap(l.batch) <= maxSpare {
			l.batch, l.at = l.batch[:0], 0
			c.spare = l
		}
		return false
	}
	l.batch, l.queue, l.at = l.queue, l.batch[:0], 0
	return true
}

// maxSpare bounds the room of a lane that is kept to be used again.
const maxSpare = 4096

// ran follows the end of a lane's current item: its bytes do not wait any more.
func (c *Conn) ran(l *lane) {
	size := l.batch[l.at].size
	l.batch[l.at] = item{}
	l.at++
	c.backlog.Add(-size)
	if c.held.Load() && !c.full() {
		c.locked(c.room.Broadcast)
	}
}

// callback calls the host and contains its panic.
func (c *Conn) callback(it *item) {
	through := false
	defer c.griefIn(it.what, &through)
	switch {
	case it.event != nil:
		c.opts.OnEvent(c.ctx, eventOf(it.event))
	case it.typed:
		c.typedUpdate(it.update)
	case it.update != nil:
		c.opts.OnUpdate(c.ctx, *it.update)
	default:
		it.run(c.ctx)
	}
	through = true
}

// typedUpdate gives the host what the SDK's types take of an update.
func (c *Conn) typedUpdate(u *Update) {
	typed, err := u.Typed()
	if err != nil {
		c.log.Debug("the SDK's types do not take all of an update", "session", u.SessionID, "kind", u.Kind, "error", err)
	}
	if typed.Update == (acp.SessionUpdate{}) {
		return
	}
	if err := c.host.SessionUpdate(c.ctx, typed); err != nil {
		c.log.Warn("the host's SessionUpdate failed", "session", u.SessionID, "kind", u.Kind, "error", err)
	}
}

// contain runs something of the host's outside of a lane and contains its panic.
func (c *Conn) contain(what string, f func()) {
	through := false
	defer c.griefIn(what, &through)
	f()
	through = true
}

// griefIn, deferred, recovers from a panic and logs it, or the end of the
// goroutine, which goes on.
func (c *Conn) griefIn(what string, through *bool) {
	if !*through {
		c.log.Error("the host's code panicked or ended its goroutine", "in", what, "panic", recover(), "stack", string(stack()))
	}
}

// barrier calls pass when everything that is queued now for these sessions has
// run. The lock is held.
func (c *Conn) barrier(sessions []string, pass func()) {
	left := new(atomic.Int64)
	left.Store(1)
	one := func() {
		if left.Add(-1) == 0 {
			pass()
		}
	}
	for _, id := range sessions {
		if c.lanes[id] != nil {
			left.Add(1)
			c.push(id, item{pass: one})
		}
	}
	one()
}

// waitRoom holds the reader while the host is too far behind: unless a host
// operation is under way, whose end may be what it waits for. The lock is held.
func (c *Conn) waitRoom() {
	c.kick()
	c.held.Store(true)
	for c.full() && c.ops == 0 && !c.closed {
		c.room.Wait()
	}
	c.held.Store(false)
}

// full reports whether as many bytes wait for the host as may.
func (c *Conn) full() bool { return c.backlog.Load() >= max(c.opts.MaxBacklog, 1) }
