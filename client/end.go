package client

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// A connection ends from the agent's side or from ours. The agent's: what had
// arrived is delivered, then prompts fail, then it is closed. Ours: it is closed,
// and what was not delivered is dropped.

const (
	// flushGrace bounds how long Close lets the last answers be written.
	flushGrace = 250 * time.Millisecond
	// writeGrace bounds how long an agent that no longer reads is still read.
	writeGrace = time.Second
)

// Done is closed when the connection is over and none of its goroutines is left.
// A reader that is blocked in Read on a stream that cannot be closed keeps it
// open.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection: open asks are declined, contexts cancelled, calls
// fail with ErrClosed, undelivered callbacks are dropped, and the streams are
// closed if they can be. It does not wait for callbacks and handlers; Done does.
// It may be called more than once.
func (c *Conn) Close() error {
	c.shut(ErrClosed)
	return nil
}

// end follows the end of the agent's stream.
func (c *Conn) end(err error) {
	close(c.eof)
	cause := ErrDisconnected
	if err != io.EOF {
		cause = fmt.Errorf("%w: %w", ErrDisconnected, err)
	}
	if c.in.cut > 0 {
		cause = fmt.Errorf("%w: its last line is truncated after %d bytes", cause, c.in.cut)
	}
	if c.ended != nil {
		cause = c.ended(cause)
	}
	c.finish(cause)
}

// finish ends the connection from the agent's side. A prompt fails when the
// callbacks of its session have run; every other call, which a callback may be
// waiting for, at once.
func (c *Conn) finish(cause error) {
	c.mu.Lock()
	defer c.unlock()
	if c.closed || c.ending {
		return
	}
	c.ending, c.err = true, cause
	prompts := map[*pending][]string{}
	for id, p := range c.pending {
		if p.method == acp.AgentMethodSessionPrompt {
			prompts[p] = c.st.PromptLanes(id)
		} else {
			p.fail(cause)
		}
	}
	clear(c.pending)
	c.perform(c.st.Disconnect())
	for p, lanes := range prompts {
		c.barrier(lanes, func() { p.fail(cause) })
	}
	c.live.Add(1)
	c.barrier(slices.Collect(maps.Keys(c.lanes)), func() {
		go func() {
			defer c.live.Done()
			c.shut(cause)
		}()
	})
	c.kick()
}

// writeFailed follows a write that failed: the agent does not read any more, and
// mostly is gone. What it has written is read for a while, or to its end.
func (c *Conn) writeFailed(err error) error {
	cause := fmt.Errorf("%w: %w", ErrDisconnected, err)
	c.mu.Lock()
	defer c.unlock()
	switch {
	case c.err != nil:
		return c.err
	case c.mute == nil:
		c.mute = cause
		c.live.Add(1)
		go func() {
			defer c.live.Done()
			timer := time.NewTimer(writeGrace)
			defer timer.Stop()
			select {
			case <-c.eof:
			case <-c.base.Done():
			case <-timer.C:
				c.finish(cause)
			}
		}()
	}
	return c.mute
}

// notReading ends a connection whose agent is owed too much. The lock is held.
func (c *Conn) notReading() {
	if c.closed || c.mute != nil {
		return
	}
	cause := fmt.Errorf("%w: %d bytes of answers wait for it", ErrNotReading, int64(maxOwed))
	c.mute = cause
	c.live.Add(1)
	go func() {
		defer c.live.Done()
		c.shut(cause)
	}()
}

// gone gives the reason why nothing can be sent any more. The lock is held.
func (c *Conn) gone() error {
	switch {
	case c.err != nil:
		return c.err
	case c.mute != nil:
		return c.mute
	case c.wr == nil:
		return ErrClosed
	}
	return nil
}

// reason is gone for who does not hold the lock.
func (c *Conn) reason() (err error) {
	c.locked(func() { err = c.gone() })
	return err
}

// shut closes the connection.
func (c *Conn) shut(cause error) {
	c.mu.Lock()
	if c.closed {
		c.unlock()
		return
	}
	c.closed = true
	c.perform(c.st.Disconnect())
	if c.err == nil {
		c.err = cause
	}
	for _, p := range c.pending {
		p.fail(c.err)
	}
	clear(c.pending)
	for _, l := range c.lanes {
		l.drop()
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	c.kick()
	c.room.Broadcast()
	c.unlock()

	c.cancel()
	c.hangUp(cause)
}

// hangUp ends the writer and closes the streams.
func (c *Conn) hangUp(cause error) {
	if c.wr == nil {
		return
	}
	if !errors.Is(cause, ErrNotReading) {
		c.wr.Flush(flushGrace)
	}
	c.wr.Close(cause)
	for _, stream := range []any{c.w, c.r} {
		if closer, ok := stream.(io.Closer); ok {
			closer.Close()
		}
	}
}
