package client

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/registry"
)

// An intake is the reader's own: the frames of the line that is being taken in.
type intake struct {
	frames   []inbound
	next     int
	taking   *wire.Frame // one of them
	gathered bool        // something may wait for a kick
	cut      int         // bytes of a last line that is no frame
}

type inbound struct {
	frame wire.Frame
	err   error
}

// read takes in what the agent writes until its stream ends. A hook, a tap or an
// OnStray that ends the goroutine ends nothing but itself: the frame that was
// being taken in is taken in without hooks, and reading goes on.
func (c *Conn) read(r *wire.Reader) {
	through := false
	defer func() {
		if !through {
			c.log.Error("the reader's goroutine was ended and starts again", "panic", recover(), "stack", string(stack()))
			c.live.Add(1)
			go c.read(r)
		}
		c.live.Done()
	}()
	if f := c.in.taking; f != nil {
		c.in.taking = nil
		c.retake(f)
	}
	for {
		c.drain()
		if c.in.gathered && !r.More() {
			c.in.gathered = false
			c.locked(c.kick)
		}
		line, err := r.Next()
		var over *wire.OversizeError
		switch {
		case err == nil:
			c.line(line)
			if r.Tail() && len(c.in.frames) == 1 && c.in.frames[0].err != nil {
				c.in.cut = len(line)
			}
		case errors.As(err, &over):
			c.oversize(over)
			if r.Tail() {
				c.in.cut = int(over.Size)
			}
		default:
			c.end(err)
			through = true
			return
		}
	}
}

// line splits a line into its frames, and shows it to the tap before they are
// taken in.
func (c *Conn) line(line []byte) {
	c.in.frames, c.in.next = c.in.frames[:0], 0
	switch {
	case blank(line):
	case line[0] == '{':
		f, err := wire.Parse(line)
		c.in.frames = append(c.in.frames, inbound{f, err})
	default:
		frames, errs := wire.ParseAll(line)
		for i := range frames {
			c.in.frames = append(c.in.frames, inbound{frames[i], errs[i]})
		}
	}
	c.tapIn(line)
}

func blank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' && b != '\r' {
			return false
		}
	}
	return true
}

// clip bounds what is shown of what went astray.
func clip(line []byte) []byte { return line[:min(len(line), 64<<10)] }

// drain takes in the frames of a line. One is done with before it is taken in,
// so that nothing can make it count twice.
func (c *Conn) drain() {
	for c.in.next < len(c.in.frames) {
		in := &c.in.frames[c.in.next]
		c.in.next++
		if in.err != nil {
			nameless := in.frame.IsNameless(in.err)
			if nameless {
				c.locked(func() {
					c.send(in.frame.ID, nil, &wire.Error{Code: wire.CodeInvalidRequest, Message: "Invalid request: " + in.err.Error()})
				})
			}
			c.stray(state.Stray{Request: nameless, Reason: "noise: " + in.err.Error(), Raw: in.frame.Line})
			continue
		}
		c.in.gathered, c.in.taking = true, &in.frame
		strays := c.take(&in.frame)
		c.in.taking = nil
		if strays {
			c.showStrays()
		}
	}
	clear(c.in.frames) // the lines are not the reader's any more
}

// take takes one frame in and carries out what follows. It reports whether there
// are strays to show.
func (c *Conn) take(f *wire.Frame) bool {
	c.mu.Lock()
	defer c.unlock()
	if c.closed || c.ending {
		return false
	}
	if p := c.echoed(f); p != nil {
		c.withdraw(string(f.ID), p)
		p.fail(ErrEcho)
	}
	if c.full() && c.forHost(f) {
		c.waitRoom()
		if c.closed || c.ending {
			return false
		}
	}
	c.gather = c.wr != nil // a Handler has no reader that kicks
	c.perform(c.st.In(f))
	return len(c.strays) > 0
}

// retake takes in a frame whose hooks ended the goroutine that took it in.
func (c *Conn) retake(f *wire.Frame) {
	c.locked(func() { c.perform(c.st.InWithoutHooks(f)) })
}

// echoed gives the call of ours that a frame is, if it was not answered but sent
// back, by a program that is no agent. No agent calls a client's method by the
// client's own names.
func (c *Conn) echoed(f *wire.Frame) *pending {
	if !f.IsRequest() || !registry.Core(f.Method) {
		return nil
	}
	if _, ours := state.ClientMethods[f.Method]; ours {
		return nil
	}
	p := c.pending[string(f.ID)]
	if p == nil || p.method != f.Method || !bytes.Equal(p.params, f.Params) {
		return nil
	}
	return p
}

// locked runs f under the lock, which is released however f ends.
func (c *Conn) locked(f func()) {
	c.mu.Lock()
	defer c.unlock()
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
	m, known := c.opts.Registry.Lookup(f.Method)
	return known && (m.Ask || c.opts.OnEvent != nil)
}

// oversize answers a request that was too large to read, and fails a call of ours
// whose answer was.
func (c *Conn) oversize(e *wire.OversizeError) {
	c.locked(func() {
		switch {
		case e.ID == nil || c.closed || c.ending:
		case e.Request:
			c.send(e.ID, nil, &wire.Error{Code: wire.CodeInvalidRequest, Message: "Invalid request: " + e.Error()})
		case e.Response:
			raw, _ := json.Marshal(&wire.Error{Code: wire.CodeInvalidRequest, Message: "the agent's answer: " + e.Error()})
			c.perform(c.st.In(&wire.Frame{ID: e.ID, Version: true, Error: raw}))
		}
	})
	c.stray(state.Stray{Request: e.Request && e.ID != nil, Reason: e.Error()})
}

// stray reports what was not for anybody.
func (c *Conn) stray(s state.Stray) {
	c.locked(func() { c.strays = append(c.strays, s) })
	c.showStrays()
}

// showStrays shows one after the other, so that an OnStray that ends its
// goroutine loses none of them.
func (c *Conn) showStrays() {
	for {
		c.mu.Lock()
		if len(c.strays) == 0 {
			c.unlock()
			return
		}
		s := c.strays[0]
		c.strays = c.strays[1:]
		c.unlock()
		c.log.Debug("not for anybody", "method", s.Method, "request", s.Request, "reason", s.Reason)
		if c.opts.OnStray != nil {
			c.contain("OnStray", func() {
				c.straying.Lock()
				defer c.straying.Unlock()
				c.opts.OnStray(strayOf(&s))
			})
		}
	}
}
