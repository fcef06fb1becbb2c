package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// A SoftError says that a part of the params was not understood. What was
// understood is usable, and the event that comes of it carries the error.
type SoftError struct {
	Field string // a JSON pointer, or empty
	Err   error
}

func (e *SoftError) Error() string {
	if e.Field == "" {
		return "dialect: " + e.Err.Error()
	}
	return fmt.Sprintf("dialect: field %s: %v", e.Field, e.Err)
}

func (e *SoftError) Unwrap() error { return e.Err }

// A ParamsError is hard: the params cannot be used. Its text names the field and
// what is wrong with it, and never repeats what the agent sent.
type ParamsError struct {
	Field  string // empty: the params as a whole
	Reason string
}

func (e *ParamsError) Error() string {
	if e.Field == "" {
		return "dialect: params " + e.Reason
	}
	return fmt.Sprintf("dialect: field %q %s", e.Field, e.Reason)
}

// Missing is the hard error for a field the method cannot do without.
func Missing(field string) error { return &ParamsError{Field: field, Reason: "is missing"} }

// lenient gives exact names, unknown fields ignored, v1's way with a type
// error (skip the value, go on, report the first), and any bytes in strings.
var lenient = jsonv2.JoinOptions(
	jsonv1.ReportErrorsWithLegacySemantics(true),
	jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true),
)

// Lenient decodes params the way an agent's bytes should be: field names match
// exactly, unknown fields are ignored, and a wrongly typed field is left zero
// and never loses the ones beside it; that is a [*SoftError]. Absent params,
// null and {} give the zero P. Params that are no object are a [*ParamsError].
func Lenient[P any](raw json.RawMessage) (P, error) { return decode[P](raw, lenient) }

// Strict decodes like Lenient, but unknown fields are errors too. It is for
// tests that notice when a vendor has moved.
func Strict[P any](raw json.RawMessage) (P, error) {
	return decode[P](raw, jsonv2.JoinOptions(lenient, jsonv2.RejectUnknownMembers(true)))
}

func decode[P any](raw json.RawMessage, opts jsonv2.Options) (P, error) {
	var p P
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] == 'n' && string(bytes.TrimRight(raw, " \t\r\n")) == "null" {
		return p, nil
	}
	if raw[0] != '{' {
		return p, &ParamsError{Reason: "must be an object"}
	}
	err := jsonv2.Unmarshal(raw, &p, opts)
	if err == nil {
		return p, nil
	}
	var typ *jsonv1.UnmarshalTypeError
	if errors.As(err, &typ) {
		return p, &SoftError{Field: typ.Field, Err: fmt.Errorf("a %s is not what was expected", typ.Value)}
	}
	var sem *jsonv2.SemanticError
	if errors.As(err, &sem) {
		return p, &SoftError{Field: string(sem.JSONPointer), Err: errors.New("is not what was expected")}
	}
	var zero P
	return zero, &ParamsError{Reason: "are not valid JSON"}
}

// Object splits a JSON object into its members without decoding them. It gives
// false for anything else. The values share memory with raw. It is for
// envelopes, open enums and _meta; where a name stands twice the last counts.
func Object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var m map[string]json.RawMessage
	if jsonv2.Unmarshal(raw, &m, lenient) != nil {
		return nil, false
	}
	return m, true
}

// At gives one member of a JSON object, or nil. Several names descend.
func At(raw json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		if !bytes.Contains(raw, []byte(name)) {
			return nil // cheaper than parsing, and names here are plain text
		}
		m, ok := Object(raw)
		if !ok {
			return nil
		}
		raw = m[name]
	}
	return raw
}

// Text gives a JSON string's value, or "" for anything else.
func Text(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	var s string
	if jsonv2.Unmarshal(raw, &s, lenient) != nil {
		return ""
	}
	return s
}

// A Number is a vendor's number: an integer, a float, or either in a string. It
// never fails to decode; Valid says whether there was a number.
type Number struct {
	Value float64
	Valid bool
	Raw   json.RawMessage // as it came
}

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (n *Number) UnmarshalJSON(raw []byte) error {
	*n = Number{Raw: bytes.Clone(raw)}
	text := string(raw)
	if s := Text(raw); s != "" {
		text = s
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		n.Value, n.Valid = v, true
	}
	return nil
}

// MarshalJSON gives back what came.
func (n Number) MarshalJSON() ([]byte, error) {
	switch {
	case len(n.Raw) > 0:
		return n.Raw, nil
	case !n.Valid:
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, n.Value, 'g', -1, 64), nil
}

// Int gives the number as an integer, cut to the range of int64 and towards
// zero; 0 if there is none.
func (n Number) Int() int64 {
	switch {
	case !n.Valid:
		return 0
	case n.Value >= math.MaxInt64:
		return math.MaxInt64
	case n.Value <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n.Value)
}
