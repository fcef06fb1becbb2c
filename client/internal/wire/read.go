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
	tail  bool
	parts [][]byte // of a line that is longer than the buffer
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
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
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
	defer r.clear()
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
			r.add(chunk)
			return nil, r.skip(size, ended)
		case ended && len(r.parts) == 0:
			return bytes.Clone(chunk), nil
		case ended:
			r.add(chunk)
			return bytes.Join(r.parts, nil), nil
		case errors.Is(err, bufio.ErrBufferFull):
			r.add(chunk)
		case size > 0:
			r.tail = true // the stream's end comes again with the next call
			r.add(chunk)
			return bytes.Join(r.parts, nil), nil
		default:
			return nil, err
		}
	}
}

// maxParts bounds the room that is kept for the parts of long lines.
const maxParts = 32

// add keeps a part of a line that is longer than the buffer, in the room of an
// earlier one's if there is any.
func (r *Reader) add(chunk []byte) {
	n := len(r.parts)
	r.parts = slices.Grow(r.parts, 1)[:n+1]
	r.parts[n] = append(r.parts[n][:0], chunk...)
}

func (r *Reader) clear() {
	if cap(r.parts) > maxParts {
		r.parts = nil
	}
	r.parts = r.parts[:0]
}

// skip reads to the end of a line that is too long and keeps its ends.
func (r *Reader) skip(size int64, ended bool) error {
	head := r.parts[0]
	tail := slices.Concat(r.parts[max(0, len(r.parts)-2):]...)
	r.parts = nil
	for !ended {
		chunk, err := r.br.ReadSlice('\n')
		if ended = err == nil; ended {
			chunk = chunk[:len(chunk)-1]
		}
		size += int64(len(chunk))
		tail = append(tail[:copy(tail, tail[max(0, len(tail)-edge):])], chunk...)
		if !ended && !errors.Is(err, bufio.ErrBufferFull) {
			r.tail = true // the stream's end comes again with the next call
			break
		}
	}
	return oversized(size, r.max, head[:min(len(head), edge)], tail[max(0, len(tail)-edge):])
}
