// Package wire is the newline-delimited JSON-RPC under a connection: frames and
// their ids, the reader and the writer. It knows no method.
package wire

import (
	"errors"
)

// A Frame is one JSON-RPC message as it came. Its raw fields are parts of the
// line it was read from.
type Frame struct {
	Method  string
	ID      []byte // the id token as it came; nil where there is none
	Params  []byte // nil where there are none
	Result  []byte // nil where there is none, "null" where it is null
	Error   []byte // nil where there is none, or a null beside a result
	Version bool   // "jsonrpc" is "2.0"
	Size    int    // bytes of the line
	Line    []byte // the frame itself: of a batch, its element
}

// IsRequest reports whether the frame wants an answer.
func (f *Frame) IsRequest() bool { return f.Method != "" && f.ID != nil }

// IsNameless reports whether a frame that could not be parsed is a request all the
// same: it has an id, and nothing that could be an answer, but its method is no
// name.
func (f *Frame) IsNameless(err error) bool {
	return (err == errMethod || err == errNoName) && f.ID != nil && f.Result == nil && f.Error == nil
}

// IsResponse reports whether the frame has the form of an answer.
func (f *Frame) IsResponse() bool {
	return f.Method == "" && f.ID != nil && f.Version && (f.Result != nil || f.Error != nil)
}

// Parse reads the envelope of one line. The error says why the line is no frame.
func Parse(line []byte) (Frame, error) {
	s := Scan(line)
	defer s.Free()
	f, err := s.frame()
	if err == nil {
		err = s.End()
	}
	f.Size, f.Line = len(line), line
	return f, err
}

// ParseAll reads a line that may be a batch. Every element stands for itself:
// the second result has one error, or nil, a frame.
func ParseAll(line []byte) ([]Frame, []error) {
	s := Scan(line)
	defer s.Free()
	if s.Kind() != '[' {
		f, err := Parse(line)
		return []Frame{f}, []error{err}
	}
	raw, err := s.Value()
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return []Frame{{Size: len(line), Line: line}}, []error{err}
	}
	frames, errs := batch(raw)
	if len(frames) == 0 {
		return []Frame{{Size: len(line), Line: line}}, []error{errors.New("an empty batch")}
	}
	return frames, errs
}

func batch(raw []byte) (frames []Frame, errs []error) {
	s := Scan(raw)
	defer s.Free()
	s.Array(func() error { // cannot fail: the value was read whole before
		v, err := s.Value()
		if err != nil {
			return err
		}
		f, err := Parse(v)
		frames, errs = append(frames, f), append(errs, err)
		return nil
	})
	return frames, errs
}

// A member is one that an envelope knows.
type member uint8

const (
	unknown member = iota
	version
	id
	method
	params
	result
	failure
)

func memberOf(name []byte) member {
	switch string(name) {
	case "jsonrpc":
		return version
	case "id":
		return id
	case "method":
		return method
	case "params":
		return params
	case "result":
		return result
	case "error":
		return failure
	}
	return unknown
}

// frame reads the next value, which must be an envelope.
func (s *Scanner) frame() (f Frame, err error) {
	if s.Kind() != '{' {
		if _, err := s.Value(); err != nil {
			return f, err
		}
		return f, errNotObject
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return f, err
	}
	named, misnamed := false, false
	for s.dec.PeekKind() != '}' {
		m, err := s.member()
		if err != nil {
			return f, err
		}
		v, err := s.Value()
		if err != nil {
			return f, err
		}
		switch m {
		case version:
			f.Version = string(v) == `"2.0"`
		case id:
			f.ID = v
		case method:
			f.Method, named = String(v)
			misnamed = !named
		case params:
			f.Params = v
		case result:
			f.Result = v
		case failure:
			f.Error = v
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return f, err
	}
	if f.Result != nil && string(f.Error) == "null" {
		f.Error = nil
	}
	if compound(f.ID) {
		return f, errID
	}
	if misnamed {
		return f, errMethod
	}
	if f.Method == "" && named {
		return f, errNoName
	}
	if f.Method == "" && !f.IsResponse() {
		return f, errNeither
	}
	return f, nil
}

// member reads a member's name.
func (s *Scanner) member() (member, error) {
	quoted, err := s.dec.ReadValue()
	if err != nil {
		return unknown, err
	}
	return memberOf(unquote(quoted)), nil
}

// compound reports whether an id is an object or a list, which no id is.
func compound(id []byte) bool { return len(id) > 0 && (id[0] == '{' || id[0] == '[') }

var (
	errMethod  = errors.New("the method is not a string")
	errNoName  = errors.New("the method is empty")
	errID      = errors.New("the id is neither a string nor a number nor null")
	errNeither = errors.New("neither a request nor an answer")
)
