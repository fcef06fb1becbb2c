package wire

import (
	"bytes"
	"fmt"
)

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
	return fmt.Sprintf("a frame of %d bytes is larger than the limit of %d", e.Size, e.Max)
}

// oversized makes the error of a line of which there is the beginning and the
// end. They may overlap.
func oversized(size, max int64, head, tail []byte) *OversizeError {
	e := &OversizeError{Size: size, Max: max}
	seen := map[member]bool{}
	e.read(head, int64(len(head)) < size, seen)
	if end := lastMembers(tail); end != nil {
		e.read(end, false, seen)
	}
	e.Request = seen[method]
	e.Response = !seen[method] && seen[version] && (seen[result] || seen[failure])
	if compound(e.ID) {
		e.ID = nil
	}
	return e
}

// read notes the members of an object as far as it goes. What ends where a text
// that is cut does may go on behind it, and is not taken.
func (e *OversizeError) read(text []byte, cut bool, seen map[member]bool) {
	s := Scan(text)
	defer s.Free()
	if _, err := s.dec.ReadToken(); err != nil {
		return
	}
	for s.dec.PeekKind() == '"' {
		m, err := s.member()
		if err != nil {
			return
		}
		seen[m] = seen[m] || m != version && m != id
		v, err := s.Value()
		if err != nil || cut && int(s.dec.InputOffset()) == len(text) {
			return
		}
		switch m {
		case version:
			seen[m] = string(v) == `"2.0"`
		case id:
			e.ID = bytes.Clone(v)
		}
	}
}

// lastMembers gives, as an object, the members of the top level that stand whole
// in the end of a line, nil if there are none. It reads backwards: the line ends
// outside of any string, and a quote that opens a string has no backslash before
// it.
func lastMembers(tail []byte) []byte {
	tail = bytes.TrimRight(tail, " \t\r")
	depth, text, from := 0, false, -1
	for i := len(tail) - 1; i >= 0; i-- {
		switch b := tail[i]; {
		case b == '"' && !(text && escaped(tail[:i])):
			text = !text
		case text:
		case b == '}' || b == ']':
			depth++
		case b == '{' || b == '[':
			depth--
		case b == ',' && depth == 1:
			from = i
		}
		if depth <= 0 {
			break
		}
	}
	if from < 0 {
		return nil
	}
	return append([]byte{'{'}, tail[from+1:]...)
}

// escaped reports whether the byte behind text is escaped: an odd number of
// backslashes ends it.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}
