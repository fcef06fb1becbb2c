package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A line is a line of the script, taken apart: its one verb, the verb's value
// and the modifiers beside it.
type line struct {
	verb   string
	fields map[string]json.RawMessage
	value  json.RawMessage
}

func parseLine(text []byte) (line, error) {
	fields, err := object(text)
	if err != nil {
		return line{}, err
	}
	l := line{fields: fields}
	keys := slices.Sorted(maps.Keys(fields))
	for _, key := range keys {
		if _, ok := verbs[key]; !ok {
			continue
		}
		if l.verb != "" {
			return line{}, fmt.Errorf("two steps on one line, %q and %q; give each a line of its own", l.verb, key)
		}
		l.verb, l.value = key, fields[key]
	}
	if l.verb == "" {
		return line{}, fmt.Errorf("names no step; want one of %s; a whole frame goes into \"send\"", strings.Join(slices.Sorted(maps.Keys(verbs)), ", "))
	}
	for _, key := range keys {
		if key != l.verb && !slices.Contains(verbs[l.verb].modifiers, key) {
			takes := "nothing"
			if m := verbs[l.verb].modifiers; len(m) > 0 {
				takes = strings.Join(m, ", ")
			}
			return line{}, fmt.Errorf("%q does not go with %q, which takes %s beside it", key, l.verb, takes)
		}
	}
	return l, nil
}

// object decodes a JSON object and keeps the bytes of its values. Unlike
// json.Unmarshal it refuses a key that comes twice.
func object(text []byte) (map[string]json.RawMessage, error) {
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if any[0] != '{' {
		return nil, errors.New("not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token() // the brace; the text is known to be valid
	fields := map[string]json.RawMessage{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string)
		if _, ok := fields[key]; ok {
			return nil, fmt.Errorf("the key %q comes twice", key)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		fields[key] = value
	}
	return fields, nil
}

// text gives the string under key, which must not be empty.
func (l line) text(key string) (string, error) {
	var s *string
	if err := json.Unmarshal(l.fields[key], &s); err != nil || s == nil || *s == "" {
		return "", fmt.Errorf("%q takes a text that is not empty, not %s", key, l.show(key))
	}
	return *s, nil
}

// number gives the whole number under key, or none if there is no such key.
func (l line) number(key string, low, high, none int) (int, error) {
	if l.fields[key] == nil {
		return none, nil
	}
	var n *int
	if err := json.Unmarshal(l.fields[key], &n); err != nil || n == nil || *n < low || *n > high {
		return 0, fmt.Errorf("%q takes a whole number from %d to %d, not %s", key, low, high, l.show(key))
	}
	return *n, nil
}

// exactly checks that the verb's value is the one it can have.
func (l line) exactly(want string) error {
	if string(l.value) != want {
		return fmt.Errorf("%q takes %s, not %s", l.verb, want, l.show(l.verb))
	}
	return nil
}

// show gives the value under key for an error, shortened.
func (l line) show(key string) string {
	const most = 40
	if s := string(l.fields[key]); len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return string(l.fields[key])
}
