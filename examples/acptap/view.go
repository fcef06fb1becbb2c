package main

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A view shows a conversation: as JSON lines or as text, live or replayed.
type view interface {
	Initialized(name, version string, protocol int)
	Session(id string)
	TurnStart(session, prompt string)
	TurnEnd(session, stopReason string)
	Update(client.Update)
	Event(client.Event)
	Settled(client.Settled)
	Declined(method string, request bool)
	Noise(raw []byte, reason string)
	Failed(message string)
	Closed(exitCode int, signal string)
}

// show makes a connection's or a replay's callbacks show what they are told, and
// gives a function that shows the end of the turns that nobody ended.
func show(v view, opts *client.Options) (end func()) {
	turns := &openTurns{view: v, open: map[string]int{}}
	opts.OnUpdate = func(_ context.Context, u client.Update) { v.Update(u) }
	opts.OnEvent = func(_ context.Context, e client.Event) { v.Event(e) }
	opts.OnSettled = func(_ context.Context, s client.Settled) { v.Settled(s) }
	opts.OnTurn = func(_ context.Context, t client.Turn) { turns.told(t) }
	opts.OnStray = func(s client.Stray) { stray(v, opts.Registry, s) }
	return turns.end
}

// stray tells names that nobody registered from what could not be understood.
func stray(v view, reg *registry.Registry, s client.Stray) {
	if _, known := reg.Lookup(s.Method); s.Method == "" || known || served(s.Method) {
		v.Noise(s.Raw, s.Reason)
		return
	}
	v.Declined(s.Method, s.Request)
}

// served reports whether the client serves a method of the protocol, so that a
// message of it went astray because of what it said.
func served(method string) bool {
	switch method {
	case acp.ClientMethodSessionUpdate, acp.ClientMethodSessionRequestPermission, "$/cancel_request":
		return true
	}
	return false
}

// openTurns sees to it that each prompt has its end, also where the connection
// is gone before it could tell.
type openTurns struct {
	view view

	mu   sync.Mutex
	open map[string]int // by session
	over bool
}

func (o *openTurns) told(t client.Turn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.over:
	case t.Began:
		o.open[t.SessionID]++
		o.view.TurnStart(t.SessionID, promptText(t.Prompt))
	default:
		o.open[t.SessionID]--
		o.view.TurnEnd(t.SessionID, t.StopReason)
	}
}

func (o *openTurns) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	for session, n := range o.open {
		for range n {
			o.view.TurnEnd(session, "")
		}
	}
}

// promptText gives the text of a prompt; other content is named.
func promptText(params json.RawMessage) string {
	p, _ := dialect.Lenient[struct {
		Prompt []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"prompt"`
	}](params)
	var parts []string
	for _, block := range p.Prompt {
		if block.Type == "text" || block.Type == "" {
			parts = append(parts, block.Text)
		} else {
			parts = append(parts, "["+block.Type+"]")
		}
	}
	return strings.Join(parts, "\n")
}
