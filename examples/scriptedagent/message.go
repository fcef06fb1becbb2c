package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// A message is a line from the client.
type message struct {
	ID     json.RawMessage `json:"id"` // nil: a notification
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`

	noise     string // the line, if it was no JSON-RPC message
	cancelled bool   // a prompt that was cancelled before it was played
}

// parseMessage reads a line of JSON-RPC, of either direction.
func parseMessage(text []byte) message {
	var m message
	isAnswer := func() bool { return m.ID != nil && (m.Result != nil || m.Error != nil) }
	if err := json.Unmarshal(text, &m); err != nil || m.Method == nil && !isAnswer() {
		return message{noise: string(text)}
	}
	return m
}

// method is the message's method, or "" for an answer.
func (m message) method() string {
	if m.Method == nil {
		return ""
	}
	return *m.Method
}

func (m message) isRequest() bool { return m.Method != nil && m.ID != nil }

// param is the text of one of the message's params, or "".
func (m message) param(key string) string {
	var s string
	if value, err := dig(m.Params, key); err == nil {
		json.Unmarshal(value, &s) // no text is no param
	}
	return s
}

// A mailbox holds what the client wrote until the player takes it. It has no
// bound, so that the client can always write while the player does.
type mailbox struct {
	mu       sync.Mutex
	messages []message
	ended    bool
	wake     chan struct{} // holds one: something is new
}

func newMailbox(r io.Reader) *mailbox {
	m := &mailbox{wake: make(chan struct{}, 1)}
	go m.fill(r)
	return m
}

// fill reads in small pieces, as a slow peer does: a client must not count on
// its frames being taken whole.
func (m *mailbox) fill(r io.Reader) {
	br := bufio.NewReaderSize(r, 1024)
	for {
		text, err := br.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) > 0 {
			m.put(parseMessage(text))
		}
		if err != nil {
			m.mu.Lock()
			m.ended = true
			m.mu.Unlock()
			m.ring()
			return
		}
	}
}

func (m *mailbox) put(msg message) {
	m.mu.Lock()
	m.messages = append(m.messages, msg)
	m.mu.Unlock()
	m.ring()
}

func (m *mailbox) ring() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take gives all messages there are. Ended says that there will be no more.
func (m *mailbox) take() (messages []message, ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	messages, m.messages = m.messages, nil
	return messages, m.ended
}

// forever holds the calling goroutine until the process ends. Unlike select{}
// it is no deadlock to the runtime.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}
