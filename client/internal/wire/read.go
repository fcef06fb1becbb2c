package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// edge is how much of each end of an oversized line is kept to find its id.
const edge = 64 << 10

// A Reader gives the lines of a stream.
type Reader struct {
	br    *bufio.Reader
	max   int64
	first bool
}

// NewReader reads lines of at most max bytes.
func NewReader(r io.Reader, max int64) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, edge), max: max, first: true}
}

// An OversizeError stands for a line that was longer than allowed. What could
// be learned from its two ends is in ID, Request and Response.
type OversizeError struct {
	Size     int64
	Max      int64
	ID       []byte // nil if it was not found
	Request  bool
	Response bool
}

func (e *OversizeError) Error() string {
	return fmt.Sprintf("wire: a frame of %d bytes is larger than the limit of %d", e.Size, e.Max)
}

// Next gives the next line without its end. The slice is the caller's. An
// *OversizeError stands for one line and reading can go on; any other error is
// the stream's. A last line that no newline ends comes before io.EOF.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return line, err
	}
	if r.first {
		r.first = false
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

func (r *Reader) line() ([]byte, error) {
	chunk, err := r.br.ReadSlice('\n')
	if err == nil {
		if int64(len(chunk)-1) > r.max {
			return nil, r.oversize(chunk[:len(chunk)-1], nil, int64(len(chunk)-1))
		}
		return bytes.Clone(chunk[:len(chunk)-1]), nil
	}
	var line []byte
	for {
		if int64(len(line)+len(chunk)) > r.max+1 {
			return nil, r.skip(append(line, chunk...))
		}
		line = append(line, chunk...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case len(line) > 0:
			return line, nil // the stream's end comes again with the next call
		default:
			return nil, err
		}
		chunk, err = r.br.ReadSlice('\n')
	}
}

// skip reads to the end of a line that is too long and keeps its ends.
func (r *Reader) skip(begin []byte) error {
	size := int64(len(begin))
	head := begin[:min(len(begin), edge):min(len(begin), edge)]
	tail := bytes.Clone(begin[max(0, len(begin)-edge):])
	for begin[len(begin)-1] != '\n' {
		chunk, err := r.br.ReadSlice('\n')
		size += int64(len(chunk))
		tail = append(tail, chunk...)
		if over := len(tail) - edge; over > 0 {
			tail = append(tail[:0], tail[over:]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break // the newline, or the stream's end, which the next call gives
		}
	}
	if len(tail) > 0 && tail[len(tail)-1] == '\n' {
		tail = tail[:len(tail)-1]
		size--
	}
	return r.oversize(head, tail, size)
}

func (r *Reader) oversize(head, tail []byte, size int64) error {
	e := &OversizeError{Size: size, Max: r.max}
	s := Scan(head)
	defer s.Free()
	// The scan ends where the head does, or at the first value that is cut.
	s.Object(func(name []byte) error {
		switch string(name) {
		case "method":
			e.Request = true
		case "result", "error":
			e.Response = true
		case "id":
			v, err := s.Value()
			if err == nil {
				e.ID = bytes.Clone(v)
			}
			return err
		}
		_, err := s.Value()
		return err
	})
	if e.ID == nil || !e.Request && !e.Response {
		e.fromTail(tail)
	}
	return e
}

// fromTail looks for the members that end the object: text that, put behind a
// brace, is an object ending with the line can only be of the top level.
func (e *OversizeError) fromTail(tail []byte) {
	tail = bytes.TrimRight(tail, " \t\r")
	for _, name := range []string{`"id"`, `"method"`, `"result"`, `"error"`} {
		at := bytes.LastIndex(tail, []byte(name))
		if at < 0 {
			continue
		}
		s := Scan(append([]byte{'{'}, tail[at:]...))
		var id []byte
		request, response := false, false
		_, err := s.Object(func(name []byte) error {
			is := string(name)
			v, err := s.Value()
			switch is {
			case "id":
				id = v
			case "method":
				request = true
			case "result", "error":
				response = true
			}
			return err
		})
		if err == nil {
			err = s.End()
		}
		s.Free()
		if err != nil {
			continue
		}
		if e.ID == nil {
			e.ID = bytes.Clone(id)
		}
		e.Request = e.Request || request
		e.Response = e.Response || response
	}
}
