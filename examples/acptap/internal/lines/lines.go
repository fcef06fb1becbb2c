// Package lines shows a conversation as JSON lines, one object each, for
// programs. Fields that are empty are left out.
package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/acpdialects/acpdialects/client"
)

// A View writes JSON lines. It may be used from several goroutines.
type View struct {
	mu     sync.Mutex
	w      io.Writer
	broken func(error)
}

// New writes to w. The first time that a write fails, broken is called, and
// nothing more is written.
func New(w io.Writer, broken func(error)) *View { return &View{w: w, broken: broken} }

// Initialized shows the agent's answer to initialize.
func (v *View) Initialized(name, version string, protocol int) {
	type agent struct {
		Name    string `json:"name,omitempty"`
		Version string `json:"version,omitempty"`
	}
	v.write(struct {
		Type     string `json:"type"`
		Agent    agent  `json:"agent,omitzero"`
		Protocol int    `json:"protocolVersion,omitempty"`
	}{"initialized", agent{name, version}, protocol})
}

// Session shows that a session was opened or loaded.
func (v *View) Session(id string) {
	v.write(struct {
		Type string `json:"type"`
		ID   string `json:"sessionId,omitempty"`
	}{"session", id})
}

// TurnStart shows a prompt.
func (v *View) TurnStart(session, prompt string) {
	v.write(struct {
		Type    string `json:"type"`
		Session string `json:"sessionId,omitempty"`
		Prompt  string `json:"prompt,omitempty"`
	}{"turn_start", session, prompt})
}

// TurnEnd shows the end of a turn. The stop reason is empty if the prompt was
// not answered.
func (v *View) TurnEnd(session, stopReason string) {
	v.write(struct {
		Type       string `json:"type"`
		Session    string `json:"sessionId,omitempty"`
		StopReason string `json:"stopReason,omitempty"`
	}{"turn_end", session, stopReason})
}

// Update shows a session/update, as it came.
func (v *View) Update(u client.Update) {
	v.write(struct {
		Type    string          `json:"type"`
		Session string          `json:"sessionId,omitempty"`
		Kind    string          `json:"kind,omitempty"`
		Update  json.RawMessage `json:"update"`
		History bool            `json:"history,omitempty"`
	}{"update", u.SessionID, u.Kind, u.Raw, u.History})
}

// Declined shows a message whose method nobody registered.
func (v *View) Declined(method string, request bool) {
	v.write(struct {
		Type    string `json:"type"`
		Method  string `json:"method"`
		Request bool   `json:"request,omitempty"`
	}{"declined", method, request})
}

// Noise shows something that was not understood.
func (v *View) Noise(raw []byte, reason string) {
	v.write(struct {
		Type   string `json:"type"`
		Raw    string `json:"raw,omitempty"`
		Reason string `json:"reason,omitempty"`
	}{"noise", string(raw), reason})
}

// Failed shows an error.
func (v *View) Failed(message string) {
	v.write(struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}{"error", message})
}

// Closed shows how the agent ended: by a signal, or with an exit code.
func (v *View) Closed(exitCode int, signal string) {
	line := struct {
		Type     string `json:"type"`
		ExitCode *int   `json:"exitCode,omitempty"`
		Signal   string `json:"signal,omitempty"`
	}{Type: "closed", Signal: signal}
	if signal == "" {
		line.ExitCode = &exitCode
	}
	v.write(line)
}

// write writes one line.
func (v *View) write(line any) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		buf.Reset()
		enc.Encode(map[string]string{"type": "error", "message": fmt.Sprintf("a line cannot be shown: %v", err)})
	}
	out := harmless(buf.Bytes())
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.w == nil {
		return
	}
	if _, err := v.w.Write(out); err != nil {
		v.w = nil
		v.broken(err)
	}
}
