package wire

import (
	"bytes"
	"errors"
	"io"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient is how to read what an agent writes: any bytes in strings, and where a
// name stands twice the last counts, as encoding/json has it.
var lenient = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

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
	s.dec.Reset(&s.buf, lenient)
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
// must read exactly the member's value; the name is gone once it has. It gives
// the object's bytes.
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
		if err := visit(unquote(name)); err != nil {
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
		return errors.New("more than one value on a line")
	}
	return err
}

var (
	errNotObject = errors.New("not a JSON object")
	errNotArray  = errors.New("not a JSON array")
)

// unquote gives the text of a JSON string. What is no text in it (half a
// surrogate pair, invalid UTF-8) becomes U+FFFD, as encoding/json has it.
func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted) // the error is about what is no text
	return text
}

// String gives the text of a JSON string, and false for any other value.
func String(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	return string(unquote(raw)), true
}

// IsNull reports whether raw is absent or null.
func IsNull(raw []byte) bool { return len(raw) == 0 || string(raw) == "null" }
