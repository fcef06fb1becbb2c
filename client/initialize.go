package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A VersionError says that the agent speaks another version of the protocol.
type VersionError struct {
	Want int
	Got  string // as it came
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("client: the agent speaks protocol version %s, this client speaks %d; use a version of the agent that speaks %d", e.Got, e.Want, e.Want)
}

// Initialize calls initialize. A zero ProtocolVersion is the SDK's. Capabilities
// that are zero are taken from the host, if it has ClientCapabilities. To them is
// added what the dialects want (Options.NoAdvertise leaves some out), and
// "subagents" if there is an OnEvent; the caller's own values win.
//
// An agent that answers with another protocol version gives a *VersionError,
// beside its answer.
func (c *Conn) Initialize(ctx context.Context, params acp.InitializeRequest) (acp.InitializeResponse, error) {
	request, err := c.greeting(params)
	if err != nil {
		return acp.InitializeResponse{}, err
	}
	resp, err := ask[acp.InitializeResponse](ctx, c, acp.AgentMethodInitialize, request)
	if err != nil {
		return resp, err
	}
	c.mu.Lock()
	spoken := c.st.Agent().Protocol
	c.unlock()
	return resp, checkVersion(spoken)
}

// checkVersion compares the agent's version with the SDK's; one in a string or
// written as a float is the same number.
func checkVersion(spoken json.RawMessage) error {
	var v dialect.Number
	v.UnmarshalJSON(spoken)
	if v.Valid && v.Value == acp.ProtocolVersionNumber {
		return nil
	}
	got := string(spoken)
	if got == "" {
		got = "none"
	}
	return &VersionError{Want: acp.ProtocolVersionNumber, Got: got}
}

// greeting makes the params of initialize. They are a map because dialects ask
// for members that the SDK's types have no place for.
func (c *Conn) greeting(params acp.InitializeRequest) (map[string]any, error) {
	if params.ProtocolVersion == 0 {
		params.ProtocolVersion = acp.ProtocolVersionNumber
	}
	if reflect.ValueOf(params.ClientCapabilities).IsZero() {
		if h, ok := c.host.(interface{ ClientCapabilities() acp.ClientCapabilities }); ok {
			params.ClientCapabilities = h.ClientCapabilities()
		}
	}
	wanted, err := c.wanted()
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("client: initialize: %w", err)
	}
	var request map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // the host's numbers stay as they are
	if err := dec.Decode(&request); err != nil {
		return nil, fmt.Errorf("client: initialize: %w", err)
	}
	own, _ := request["clientCapabilities"].(map[string]any)
	request["clientCapabilities"] = registry.Merge(own, wanted)
	return request, nil
}

// wanted gives what dialects and connection want in clientCapabilities.
func (c *Conn) wanted() (dialect.Capabilities, error) {
	var wanted dialect.Capabilities
	var err error
	if !c.guard("", "Advertise", func() {
		wanted, err = c.opts.Registry.Advertise(c.opts.OnAsk != nil, c.opts.NoAdvertise...)
	}) {
		c.locked(func() {}) // so that it is logged now
		return nil, errors.New("client: the Advertise of a dialect panicked; leave it out with Options.NoAdvertise")
	}
	if err != nil {
		return nil, fmt.Errorf("client: %w; leave one out with Options.NoAdvertise, or set the value yourself", err)
	}
	if c.opts.OnEvent != nil {
		wanted = registry.Merge(wanted, dialect.Capabilities{"subagents": map[string]any{}})
	}
	return wanted, nil
}
