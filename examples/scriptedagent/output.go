package main

import (
	"bytes"
	"encoding/json"
	"io"
)

// An output is the agent's stdout. It reads along, so that the agent knows its
// open requests and the answers it gave however the script wrote them.
type output struct {
	w         io.WriteCloser
	closed    bool
	line      []byte         // what was written since the last newline
	sent      map[string]int // requests by id
	last      string         // the id of the last request
	requested func()
	answered  func(id string)
}

// gone is the end of a client that reads no more.
type gone struct{ error }

// close ends stdout. What is written after that goes nowhere.
func (o *output) close() error {
	o.closed = true
	return o.w.Close()
}

// write writes b in pieces of chunk bytes; 0 is one piece.
func (o *output) write(b []byte, chunk int) error {
	if o.closed {
		return nil
	}
	o.readAlong(b)
	if chunk == 0 {
		chunk = max(len(b), 1)
	}
	for len(b) > 0 {
		n := min(chunk, len(b))
		if _, err := o.w.Write(b[:n]); err != nil {
			return gone{err}
		}
		b = b[n:]
	}
	return nil
}

func (o *output) readAlong(b []byte) {
	for {
		head, rest, ended := bytes.Cut(b, []byte("\n"))
		o.line = append(o.line, head...)
		// A frame counts without its newline too: it may be the last one.
		if !ended && !json.Valid(o.line) {
			return
		}
		o.note(o.line)
		o.line = o.line[:0]
		if !ended {
			return
		}
		b = rest
	}
}

// note notes a request or an answer in a line that was written.
func (o *output) note(text []byte) {
	if !bytes.Contains(text, []byte(`"id"`)) {
		return // the line is one of a flood, perhaps
	}
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '[' {
		var batch []json.RawMessage
		json.Unmarshal(text, &batch) // noise is no batch
		for _, text := range batch {
			o.note(text)
		}
		return
	}
	switch m := parseMessage(text); {
	case m.noise != "" || m.ID == nil:
	case m.Method == nil:
		o.answered(string(m.ID))
	default:
		o.last = string(m.ID)
		o.sent[o.last]++
		o.requested()
	}
}
