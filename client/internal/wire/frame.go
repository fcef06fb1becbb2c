// Package wire is the newline-delimited JSON-RPC under a connection: frames and
// their ids, the reader, the writer and the lanes. It knows no method.
package wire

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A Frame is one JSON-RPC message as it came. Its raw fields are parts of the
// line it was read from.
type Frame struct {
	Method  string
	ID      []byte // the id token as it came; nil where there is none
	Params  []byte // nil where there are none
	Result  []byte // nil where there is none, "null" where it is null
	Error   []byte
	Version bool // "jsonrpc" is "2.0"
	Size    int  // bytes of the line
}

// IsRequest reports whether the frame wants an answer.
func (f *Frame) IsRequest() bool { return f.Method != "" && f.ID != nil }

// IsResponse reports whether the frame has the form of an answer.
func (f *Frame) IsResponse() bool {
	return f.Method == "" && f.ID != nil && f.Version && (f.Result != nil || f.Error != nil)
}

// Options for reading what an agent writes: any bytes in strings, and where a
// name stands twice the last counts, as encoding/json has it.
var lenient = []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

// A Scanner walks JSON without building values. Get one with Scan.
type Scanner struct {
	dec *jsontext.Decoder
	buf bytes.Buffer
	raw []byte
}

var scanners = sync.Pool{New: func() any { return &Scanner{dec: new(jsontext.Decoder)} }}

// Scan gives a scanner over raw; Free returns it.
func Scan(raw []byte) *Scanner {
	s := scanners.Get().(*Scanner)
	s.raw = raw
	s.buf = *bytes.NewBuffer(raw)
	s.dec.Reset(&s.buf, lenient...)
	return s
}

// Free gives the scanner back. Slices it gave stay valid.
func (s *Scanner) Free() {
	s.raw = nil
	s.buf = bytes.Buffer{}
	s.dec.Reset(&s.buf)
	scanners.Put(s)
}

// Kind peeks at the next value: '{', '[', '"', '0', 't', 'f', 'n'.
func (s *Scanner) Kind() jsontext.Kind { return s.dec.PeekKind() }

// Value reads the next value and gives its bytes, a part of raw.
func (s *Scanner) Value() ([]byte, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(s.dec.InputOffset())
	return s.raw[end-len(v) : end : end], nil
}

// Object walks the members of the next value, which must be an object. Visit
// must read exactly the member's value. It gives the object's bytes.
func (s *Scanner) Object(visit func(name []byte) error) ([]byte, error) {
	tok, err := s.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	if tok.Kind() != '{' {
		return nil, errNotObject
	}
	start := int(s.dec.InputOffset()) - 1
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if name, err = unquote(name); err != nil {
			return nil, err
		}
		if err := visit(name); err != nil {
			return nil, err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	end := int(s.dec.InputOffset())
	return s.raw[start:end:end], nil
}

// Array walks the elements of the next value, which must be an array. Visit must
// read exactly one element.
func (s *Scanner) Array(visit func() error) error {
	tok, err := s.dec.ReadToken()
	if err != nil {
		return err
	}
	if tok.Kind() != '[' {
		return errNotArray
	}
	for s.dec.PeekKind() != ']' {
		if err := visit(); err != nil {
			return err
		}
	}
	_, err = s.dec.ReadToken()
	return err
}

// End reports an error if anything but white space follows.
func (s *Scanner) End() error {
	_, err := s.dec.ReadToken()
	switch {
	case err == io.EOF:
		return nil
	case err == nil:
		return errors.New("wire: more than one value on a line")
	}
	return err
}

var (
	errNotObject = errors.New("wire: not a JSON object")
	errNotArray  = errors.New("wire: not a JSON array")
)

func unquote(quoted []byte) ([]byte, error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	return jsontext.AppendUnquote(nil, quoted)
}

// String gives the text of a JSON string, and false for any other value.
func String(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	s, err := jsontext.AppendUnquote(nil, raw)
	if err != nil && s == nil {
		return "", false
	}
	return string(s), true
}

// IsNull reports whether raw is absent or null.
func IsNull(raw []byte) bool { return len(raw) == 0 || string(raw) == "null" }

// Parse reads the envelope of one line. The error says why the line is no frame.
func Parse(line []byte) (Frame, error) {
	s := Scan(line)
	defer s.Free()
	f, err := s.frame()
	if err == nil {
		err = s.End()
	}
	f.Size = len(line)
	return f, err
}

// ParseAll reads a line that may be a batch. Every element stands for itself:
// the second result has one error, or nil, a frame.
func ParseAll(line []byte) ([]Frame, []error) {
	s := Scan(line)
	defer s.Free()
	if s.Kind() != '[' {
		f, err := s.frame()
		if err == nil {
			err = s.End()
		}
		f.Size = len(line)
		return []Frame{f}, []error{err}
	}
	raw, err := s.Value()
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return []Frame{{Size: len(line)}}, []error{err}
	}
	return batch(raw)
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

func (s *Scanner) frame() (f Frame, err error) {
	if s.Kind() != '{' {
		if _, err := s.Value(); err != nil {
			return f, err
		}
		return f, errNotObject
	}
	method := false
	_, err = s.Object(func(name []byte) error {
		// The name is gone once the value is read.
		var to *[]byte
		var text *string
		version := false
		switch string(name) {
		case "id":
			to = &f.ID
		case "params":
			to = &f.Params
		case "result":
			to = &f.Result
		case "error":
			to = &f.Error
		case "method":
			text = &f.Method
		case "jsonrpc":
			version = true
		}
		v, err := s.Value()
		switch {
		case err != nil:
			return err
		case to != nil:
			*to = v
		case text != nil:
			*text, method = String(v)
			if !method {
				return errMethod
			}
		case version:
			f.Version = string(v) == `"2.0"`
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	if len(f.ID) > 0 && (f.ID[0] == '{' || f.ID[0] == '[') {
		return f, errors.New("wire: an id must be a string, a number or null")
	}
	if f.Method == "" && (!f.IsResponse() || method) {
		return f, errors.New("wire: neither a request nor an answer")
	}
	return f, nil
}

var errMethod = errors.New("wire: method is not a string")
