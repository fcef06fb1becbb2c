package client

import (
	"slices"
	"time"
)

// An expiry is a report that waits for its tool call outside any turn.
type expiry struct {
	token uint64
	at    time.Time
}

// maxExpiry is twice what can wait in the state.
const maxExpiry = 2048

// expireLater arms the timer of a waiting report. The lock is held.
func (c *Conn) expireLater(token uint64) {
	if c.closed {
		return
	}
	if len(c.expiry) >= maxExpiry {
		c.expiry = slices.DeleteFunc(c.expiry, func(e expiry) bool { return !c.st.Waits(e.token) })
	}
	c.expiry = append(c.expiry, expiry{token, time.Now().Add(c.opts.JoinWait)})
	if c.timer == nil {
		c.timer = time.AfterFunc(c.opts.JoinWait, c.expire)
	}
}

// expire delivers what has waited long enough.
func (c *Conn) expire() {
	c.mu.Lock()
	defer c.unlock()
	c.timer = nil
	if c.closed {
		return
	}
	now := time.Now()
	for len(c.expiry) > 0 && !c.expiry[0].at.After(now) {
		token := c.expiry[0].token
		c.expiry = c.expiry[1:]
		c.perform(c.st.Expire(token))
	}
	if len(c.expiry) > 0 {
		c.timer = time.AfterFunc(time.Until(c.expiry[0].at), c.expire)
	}
}
