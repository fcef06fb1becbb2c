package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/registry"
)

// read takes in what the agent writes until its stream ends. A hook or a tap that
// ends the goroutine ends nothing but itself: the frame it was about is taken in
// without hooks, and reading goes on.
func (c *Conn) read(r *wire.Reader) {
	through := false
	defer func() {
		if !through {
			c.log.Error("a hook ended the reader's goroutine; its frame is taken in without hooks")
			c.live.Add(1)
			go c.read(r)
		}
		c.live.Done()
	}()
	for {
		if f := c.taking; f != nil {
			c.taking = nil
			c.take(f, c.st.InWithoutHooks)
		}
		for len(c.frames) > 0 {
			in := c.frames[0]
			c.frames = c.frames[1:]
			c.inbound(&in)
		}
		line, err := r.Next()
		var over *wire.OversizeError
		switch {
		case err == nil:
			c.line(line)
		case errors.As(err, &over):
			c.oversize(over)
		default:
			c.end(err)
			through = true
			return
		}
	}
}

// line splits a line into its frames.
func (c *Conn) line(line []byte) {
	if c.opts.Tap != nil {
		c.contain("Tap", func() { c.opts.Tap("in", mask(line)) })
	}
	if blank(line) {
		return
	}
	frames, errs := wire.ParseAll(line)
	for i := range frames {
		c.frames = append(c.frames, inbound{frames[i], errs[i]})
	}
	if len(frames) == 1 && errs[0] != nil {
		c.frames = c.frames[:0]
		c.stray(state.Stray{Reason: "noise: " + errs[0].Error(), Raw: clip(line)})
	}
}

func blank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

// clip bounds what is shown of a line that is no frame.
func clip(line []byte) []byte { return line[:min(len(line), 64<<10)] }

func (c *Conn) inbound(in *inbound) {
	if in.err != nil {
		c.stray(state.Stray{Reason: "noise in a batch: " + in.err.Error()})
		return
	}
	c.taking = &in.frame
	c.take(&in.frame, c.st.In)
	c.taking = nil
}

// take takes one frame in and carries out what follows.
func (c *Conn) take(f *wire.Frame, in func(*wire.Frame) []state.Effect) {
	c.locked(func() {
		if c.closed {
			return
		}
		if c.forHost(f) {
			c.waitRoom()
		}
		c.perform(in(f))
	})
	c.showStrays()
}

// locked runs f under the lock, which is released however f ends.
func (c *Conn) locked(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// forHost reports whether a frame may make work for the host's callbacks.
func (c *Conn) forHost(f *wire.Frame) bool {
	if f.Method == "" {
		return false
	}
	if registry.Core(f.Method) {
		_, known := state.ClientMethods[f.Method]
		return known
	}
	_, known := c.opts.Registry.Lookup(f.Method)
	return known
}

// oversize answers a request that was too large to read, and fails a call of ours
// whose answer was.
func (c *Conn) oversize(e *wire.OversizeError) {
	c.locked(func() {
		switch {
		case e.ID == nil || c.closed:
		case e.Request:
			c.send(e.ID, nil, &wire.Error{Code: wire.CodeInvalidRequest, Message: "Invalid request: " + e.Error()}, false)
		case e.Response:
			f := wire.Frame{ID: e.ID, Version: true, Error: oversizeError(e)}
			c.perform(c.st.In(&f))
		}
	})
	c.stray(state.Stray{Request: e.Request && e.ID != nil, Reason: e.Error()})
}

func oversizeError(e *wire.OversizeError) []byte {
	raw, _ := json.Marshal(&wire.Error{Code: wire.CodeInvalidRequest, Message: "the agent's answer: " + e.Error()})
	return raw
}

// stray reports what was not for anybody.
func (c *Conn) stray(s state.Stray) {
	c.locked(func() { c.strays = append(c.strays, s) })
	c.showStrays()
}

func (c *Conn) showStrays() {
	c.mu.Lock()
	strays := c.strays
	c.strays = nil
	c.mu.Unlock()
	for i := range strays {
		s := &strays[i]
		c.log.Debug("not for anybody", "method", s.Method, "request", s.Request, "reason", s.Reason)
		if c.opts.OnStray != nil {
			c.contain("OnStray", func() { c.opts.OnStray(strayOf(s)) })
		}
	}
}

// end follows the end of the agent's stream: what had arrived is delivered, then
// the calls fail, then the connection is over.
func (c *Conn) end(err error) {
	cause := fmt.Errorf("%w: %w", ErrDisconnected, err)
	if err == io.EOF {
		cause = ErrDisconnected
	}
	if c.ended != nil {
		cause = c.ended(cause)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if c.err == nil {
		c.err = cause
	}
	c.perform(c.st.Disconnect())
	lanes := make([]string, 0, len(c.lanes))
	for id := range c.lanes {
		lanes = append(lanes, id)
	}
	failing := c.pending
	c.pending = map[string]*pending{}
	c.live.Add(1)
	c.barrier(lanes, func() {
		go func() {
			defer c.live.Done()
			for _, p := range failing {
				p.fail(cause)
			}
			c.shut(cause)
		}()
	})
}
