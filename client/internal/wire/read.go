package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// edge is how much of a stream is read at once, and how much of each end of an
// oversized line is kept to find its id.
const edge = 64 << 10

// A Reader gives the lines of a stream.
type Reader struct {
	br    *bufio.Reader
	max   int64
	begun bool
	tail  bool
}

// NewReader reads lines of at most max bytes.
func NewReader(r io.Reader, max int64) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, edge), max: max}
}

// Next gives the next line without its end. The slice is the caller's. An
// *OversizeError stands for one line and reading can go on; any other error is
// the stream's. A last line that no newline ends comes before io.EOF.
func (r *Reader) Next() ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if !r.begun {
		r.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// More reports whether another line has been read whole, so that Next will not
// wait.
func (r *Reader) More() bool {
	ahead, _ := r.br.Peek(r.br.Buffered())
	return bytes.IndexByte(ahead, '\n') >= 0
}

// Tail reports whether the line that was given last is one that no newline ends.
func (r *Reader) Tail() bool { return r.tail }

func (r *Reader) line() ([]byte, error) {
	var parts [][]byte // of a line that is longer than the buffer
	size := int64(0)
	for {
		chunk, err := r.br.ReadSlice('\n')
		ended := err == nil
		if ended {
			chunk = chunk[:len(chunk)-1]
		}
		size += int64(len(chunk))
		switch {
		case size > r.max:
			return nil, r.skip(parts, bytes.Clone(chunk), size, ended)
		case ended:
			return assemble(parts, chunk), nil
		case errors.Is(err, bufio.ErrBufferFull):
			parts = append(parts, bytes.Clone(chunk))
		case size > 0:
			r.tail = true
			return assemble(parts, chunk), nil // the stream's end comes again with the next call
		default:
			return nil, err
		}
	}
}

func assemble(parts [][]byte, last []byte) []byte {
	if len(parts) == 0 {
		return bytes.Clone(last)
	}
	return bytes.Join(append(parts, last), nil)
}

// skip reads to the end of a line that is too long and keeps its ends.
func (r *Reader) skip(parts [][]byte, last []byte, size int64, ended bool) error {
	head, tail := last, last
	if len(parts) > 0 {
		head = parts[0]
		tail = slices.Concat(parts[len(parts)-1], last)
	}
	for !ended {
		chunk, err := r.br.ReadSlice('\n')
		if ended = err == nil; ended {
			chunk = chunk[:len(chunk)-1]
		}
		size += int64(len(chunk))
		tail = append(tail[max(0, len(tail)-edge):], chunk...)
		if !ended && !errors.Is(err, bufio.ErrBufferFull) {
			r.tail = true
			break // the stream's end comes again with the next call
		}
	}
	return oversized(size, r.max, head[:min(len(head), edge)], tail[max(0, len(tail)-edge):])
}
