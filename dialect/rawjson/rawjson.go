// Package rawjson reads single members out of raw JSON without decoding the rest.
// Dialects use it for envelopes, for open enums and for _meta.
//
// Names match exactly, byte for byte after unescaping. Where a name stands twice
// in one object, the last one counts. Returned values share memory with the input
// and must not be changed.
package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const space = " \t\r\n"

// lenient accepts any bytes in strings and repeated names, as agents write them.
var lenient = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Members returns the members of a JSON object. It returns false for anything
// else; an empty object is an empty map.
func Members(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	m := map[string]json.RawMessage{}
	ok := scan(raw, func(name jsontext.Value, value json.RawMessage) {
		m[plain(name)] = value
	})
	if !ok {
		return nil, false
	}
	return m, true
}

// Get returns one member of a JSON object, or nil. Several names descend.
func Get(raw json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		if !mayHold(raw, name) {
			return nil // cheaper than a scan
		}
		var found json.RawMessage
		ok := scan(raw, func(key jsontext.Value, value json.RawMessage) {
			if equal(key, name) {
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

// String returns a JSON string's value, or "" for anything else.
func String(raw json.RawMessage) string {
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

// IsNull reports whether raw is absent or null.
func IsNull(raw json.RawMessage) bool {
	return len(raw) == 0 || raw[0] == 'n' && string(bytes.TrimRight(raw, space)) == "null"
}

// Elements returns the elements of a JSON array. It returns false for anything
// else.
func Elements(raw json.RawMessage) ([]json.RawMessage, bool) {
	raw = bytes.TrimLeft(raw, space)
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	var out []json.RawMessage
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		end := dec.InputOffset()
		out = append(out, raw[end-int64(len(value)):end:end])
	}
	if _, err := dec.ReadToken(); err != nil || len(bytes.Trim(raw[dec.InputOffset():], space)) > 0 {
		return nil, false
	}
	return out, true
}

// scan calls f with each member of an object, in one pass and without copying. It
// returns false, possibly after some calls, for what is not an object.
func scan(raw json.RawMessage, f func(name jsontext.Value, value json.RawMessage)) bool {
	raw = bytes.TrimLeft(raw, space)
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
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

// mayHold reports whether an object's bytes may contain a name, plain or escaped.
func mayHold(raw json.RawMessage, name string) bool {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		return true // JSON always escapes it
	}
	return bytes.Contains(raw, []byte(name)) || bytes.Contains(raw, []byte(`\u`)) ||
		strings.Contains(name, "/") && bytes.Contains(raw, []byte(`\/`))
}

// equal compares a quoted name with a plain one.
func equal(quoted jsontext.Value, name string) bool {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		return plain(quoted) == name
	}
	return string(quoted[1:len(quoted)-1]) == name
}

// plain returns a quoted name's text.
func plain(quoted jsontext.Value) string {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	return String(json.RawMessage(quoted))
}
