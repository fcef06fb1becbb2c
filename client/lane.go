package client

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

func stack() []byte { return debug.Stack() }

// A lane runs the callbacks of one session, one at a time, in order. It has a
// goroutine only while there is work.
type lane struct {
	id      string
	queue   []item
	current item // being run; its bytes are still counted
	running bool
}

// An item is one callback and the bytes that wait with it. An item without run
// is a barrier, which is passed even when callbacks are dropped.
type item struct {
	size int64
	what string // for the log
	run  func()
	pass func()
}

// push queues an item. The lock is held.
func (c *Conn) push(session string, it item) {
	if c.closed {
		if it.pass != nil {
			it.pass()
		}
		return
	}
	l := c.lanes[session]
	if l == nil {
		l = &lane{id: session}
		c.lanes[session] = l
	}
	l.queue = append(l.queue, it)
	c.backlog += it.size
	if !l.running {
		l.running = true
		c.live.Add(1)
		go c.work(l)
	}
}

// drop empties a lane. The lock is held.
func (c *Conn) drop(l *lane) {
	for _, it := range l.queue {
		c.backlog -= it.size
		if it.pass != nil {
			it.pass()
		}
	}
	l.queue = nil
}

// work runs a lane dry. A callback that ends the goroutine (runtime.Goexit) ends
// nothing but itself: another goroutine goes on behind it.
func (c *Conn) work(l *lane) {
	through := false
	defer func() {
		if !through {
			c.log.Error("a callback ended its goroutine", "session", l.id, "callback", l.current.what)
			c.live.Add(1)
			go c.work(l)
		}
		c.live.Done()
	}()
	for c.next(l) {
		switch it := l.current; {
		case it.pass != nil:
			it.pass()
		default:
			c.contain(it.what, it.run)
		}
	}
	through = true
}

// next gives back the bytes of the item that has run and takes the next one. It
// is false, and the lane gone, when there is none.
func (c *Conn) next(l *lane) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.current.size > 0 {
		c.backlog -= l.current.size
		c.room.Broadcast()
	}
	l.current = item{}
	if len(l.queue) == 0 {
		delete(c.lanes, l.id)
		return false
	}
	l.current = l.queue[0]
	l.queue[0] = item{}
	l.queue = l.queue[1:]
	return true
}

// contain runs something of the host's and reports its panic.
func (c *Conn) contain(what string, f func()) {
	defer func() {
		if v := recover(); v != nil {
			c.log.Error("the host's code panicked", "in", what, "panic", v, "stack", string(stack()))
		}
	}()
	f()
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
	for c.backlog >= c.opts.MaxBacklog && c.ops == 0 && !c.closed {
		c.room.Wait()
	}
}

// An expiry is a report that waits for its tool call outside any turn.
type expiry struct {
	token uint64
	at    time.Time
}

// expireLater arms the timer of a waiting report. The lock is held.
func (c *Conn) expireLater(token uint64) {
	if c.closed {
		return
	}
	c.expiry = append(c.expiry, expiry{token, time.Now().Add(c.opts.JoinWait)})
	if len(c.expiry) > maxExpiry { // more cannot wait
		c.expiry = c.expiry[1:]
	}
	if c.timer == nil {
		c.timer = time.AfterFunc(c.opts.JoinWait, c.expire)
	}
}

const maxExpiry = 1024

func (c *Conn) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for len(c.expiry) > 0 && !c.expiry[0].at.After(now) {
		token := c.expiry[0].token
		c.expiry = c.expiry[1:]
		if !c.closed {
			c.perform(c.st.Expire(token))
		}
	}
	c.timer = nil
	if len(c.expiry) > 0 && !c.closed {
		c.timer = time.AfterFunc(time.Until(c.expiry[0].at), c.expire)
	}
}
