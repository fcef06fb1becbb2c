package client

import (
	"sync"
	"sync/atomic"
)

// An unsaid holds what was to be logged under the lock until it is released: what the
// host's logger writes to may call the connection.
type unsaid struct {
	some atomic.Bool
	mu   sync.Mutex
	list []func()
}

// say logs when the lock is not held any more.
func (c *Conn) say(log func()) {
	c.said.mu.Lock()
	defer c.said.mu.Unlock()
	c.said.list = append(c.said.list, log)
	c.said.some.Store(true)
}

// unlock releases the lock, and logs what was said under it.
func (c *Conn) unlock() {
	c.mu.Unlock()
	if !c.said.some.Swap(false) {
		return
	}
	c.said.mu.Lock()
	list := c.said.list
	c.said.list = nil
	c.said.mu.Unlock()
	for _, log := range list {
		log()
	}
}
