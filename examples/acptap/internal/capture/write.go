// Package capture reads and writes recorded conversations: one JSON object for
// each line of the wire.
//
//	{"dir":"in","ts":1700000000000,"msg":{"jsonrpc":"2.0", ...}}
//	{"dir":"in","raw":"a line that was no JSON"}
//
// "in" is what the agent wrote and "out" what the client wrote; "ts", in
// milliseconds since 1970, may be absent.
package capture

import (
	"encoding/json"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

// The directions of a line, as Options.Tap names them.
const (
	In  = "in"  // from the agent to the client
	Out = "out" // from the client to the agent
)

// A Writer writes a capture, each line at once, so that what was recorded
// outlives the recorder. It may be used from several goroutines.
type Writer struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Line records one line of the wire, given without its newline. After a write
// has failed nothing more is written; see Err.
func (w *Writer) Line(dir string, line []byte) {
	out := []byte(`{"dir":"` + dir + `","ts":`)
	out = strconv.AppendInt(out, time.Now().UnixMilli(), 10)
	if whole := append(append(append(out, `,"msg":`...), line...), '}'); json.Valid(line) && json.Valid(whole) {
		if out = whole; !utf8.Valid(out) {
			out = []byte(string([]rune(string(out)))) // U+FFFD for every byte, as decoders have it
		}
	} else {
		raw, _ := json.Marshal(string(line))
		out = append(append(append(out, `,"raw":`...), raw...), '}')
	}
	out = append(out, '\n')

	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = w.w.Write(out)
	}
}

// Err gives the first error of writing.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
