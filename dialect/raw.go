package dialect

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Object splits a JSON object into its members without decoding them. It gives
// false for anything else. The values share memory with raw and must not be
// changed. It is for envelopes, open enums and _meta; where a name stands twice
// the last counts.
func Object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	ok := scan(raw, func(name jsontext.Value, value json.RawMessage) {
		if m == nil {
			m = map[string]json.RawMessage{}
		}
		m[plain(name)] = value
	})
	if !ok {
		return nil, false
	}
	if m == nil {
		m = map[string]json.RawMessage{}
	}
	return m, true
}

// At gives one member of a JSON object, or nil. Several names descend. What it
// gives shares memory with raw and must not be changed.
func At(raw json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		if !mayHold(raw, name) {
			return nil // cheaper than reading it
		}
		var found json.RawMessage
		ok := scan(raw, func(key jsontext.Value, value json.RawMessage) {
			if is(key, name) {
				found = value
			}
		})
		if !ok {
			return nil
		}
		raw = found
	}
	return raw
}

// Text gives a JSON string's value, or "" for anything else.
func Text(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, space)
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	var s string
	if jsonv2.Unmarshal(raw, &s, lenient) != nil {
		return ""
	}
	return s
}

// scan calls f with each member of an object, in one pass and without copying.
// It gives false, after some calls maybe, for what is no object.
func scan(raw json.RawMessage, f func(name jsontext.Value, value json.RawMessage)) bool {
	raw = bytes.TrimLeft(raw, space)
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			return false
		}
		end := dec.InputOffset()
		name = jsontext.Value(raw[end-int64(len(name)) : end : end])
		value, err := dec.ReadValue()
		if err != nil {
			return false
		}
		end = dec.InputOffset()
		f(name, raw[end-int64(len(value)):end:end])
	}
	if _, err := dec.ReadToken(); err != nil { // the closing brace
		return false
	}
	return len(bytes.Trim(raw[dec.InputOffset():], space)) == 0
}

// mayHold reports whether an object's bytes may hold a name, which somebody may
// have written with escapes.
func mayHold(raw json.RawMessage, name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		return true // it cannot stand there as it is
	}
	return bytes.Contains(raw, []byte(name)) || bytes.Contains(raw, []byte(`\u`)) ||
		strings.Contains(name, "/") && bytes.Contains(raw, []byte(`\/`))
}

// is compares a quoted name.
func is(quoted jsontext.Value, name string) bool {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		return plain(quoted) == name
	}
	return string(quoted[1:len(quoted)-1]) == name
}

// plain gives a quoted name's text.
func plain(quoted jsontext.Value) string {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	return Text(json.RawMessage(quoted))
}
