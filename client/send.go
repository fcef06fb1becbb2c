package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/registry"
)

// A lift is a host operation under way, which lifts the bound once.
type lift bool

// lift begins an operation. The lock is held.
func (c *Conn) lift() lift {
	c.ops++
	c.room.Broadcast()
	return true
}

// lower ends it. The lock is held.
func (c *Conn) lower(l *lift) {
	if *l {
		*l = false
		c.ops--
	}
}

// notify sends a notification and returns when it is written.
func (c *Conn) notify(ctx context.Context, method string, params any) error {
	raw, err := encodeParams(params)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wrote := make(chan error, 1)
	c.mu.Lock()
	if err := c.gone(); err != nil {
		c.unlock()
		return err
	}
	c.perform(c.st.Notify(method, raw))
	l := c.lift()
	out, err := c.wr.Send(wire.Call(nil, method, raw), func(err error) {
		c.locked(func() { c.lower(&l) })
		wrote <- err
	})
	if err != nil { // a write failed this very moment
		c.lower(&l)
		c.unlock()
		return err
	}
	c.unlock()
	select {
	case err = <-wrote:
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-c.base.Done():
		err = c.reason()
	}
	// A cancel is in the state already, so it is sent, whoever waits for it.
	if method != acp.AgentMethodSessionCancel && c.wr.Drop(out) {
		c.locked(func() { c.lower(&l) })
	}
	return err
}

// CallExtension sends a request of a private method, whose name must begin with
// "_", and gives the raw result. Bare names are accepted from agents, never sent
// to them.
func (c *Conn) CallExtension(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if !strings.HasPrefix(method, "_") {
		return nil, fmt.Errorf("client: an extension method's name must begin with _, not %q", method)
	}
	return c.call(ctx, method, params)
}

// NotifyExtension sends a notification of a private method, whose name must begin
// with "_".
func (c *Conn) NotifyExtension(ctx context.Context, method string, params any) error {
	if !strings.HasPrefix(method, "_") {
		return fmt.Errorf("client: an extension method's name must begin with _, not %q", method)
	}
	return c.notify(ctx, method, params)
}

// Call sends a request of any name of the protocol, in this version or another
// ("session/set_model"), and gives the raw result. Other bare names are refused;
// for those that begin with "_" it is CallExtension. A session/prompt sent with
// Call behaves like Prompt.
func (c *Conn) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if !registry.Core(method) {
		return c.CallExtension(ctx, method, params)
	}
	return c.call(ctx, method, params)
}

// encodeParams gives nil for no params: they are left out, for null is none that
// JSON-RPC knows.
func encodeParams(params any) (json.RawMessage, error) {
	raw, err := marshal(params)
	if string(raw) == "null" {
		return nil, err
	}
	return raw, err
}

// compact takes the white space out of JSON from the host: a frame is one line.
func compact(raw json.RawMessage) (json.RawMessage, error) {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return nil, fmt.Errorf("client: not valid JSON: %w", err)
	}
	return buf.Bytes(), nil
}
