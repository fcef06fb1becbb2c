package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A template is bytes to write with placeholders in them. All other bytes are
// written as the script has them.
type template []part

// A part is literal bytes or a placeholder.
type part struct {
	literal     string
	placeholder *placeholder
	as          form
}

// A form says how a placeholder's value, which is JSON, is written.
type form int

const (
	asValue  form = iota // the JSON itself, in the place of a whole string
	asString             // escaped, inside a JSON string
	asText               // a string's text, outside of JSON
)

// parseText makes a template of a plain text.
func parseText(s string) (template, error) { return parse(s, asText) }

// parseString makes a template of a JSON string that stays a string, also if it
// is nothing but a placeholder.
func parseString(s string) (template, error) {
	inner, err := parse(s[1:len(s)-1], asString)
	return append(append(template{{literal: `"`}}, inner...), part{literal: `"`}), err
}

// parseJSON makes a template of valid JSON, or of the beginning of one. A string
// that is one whole placeholder stands for the placeholder's value, unless it
// is a key.
func parseJSON(s string) (template, error) {
	var t template
	for {
		open := strings.IndexByte(s, '"')
		if open < 0 {
			return append(t, part{literal: s}), nil
		}
		end := open + stringLength(s[open:])
		rest := strings.TrimLeft(s[end:], " \t")
		parts, err := parseString(s[open:end])
		if err != nil {
			return nil, err
		}
		if len(parts) == 3 && parts[1].placeholder != nil && !strings.HasPrefix(rest, ":") {
			parts = template{{placeholder: parts[1].placeholder, as: asValue}}
		}
		t = append(append(t, part{literal: s[:open]}), parts...)
		s = s[end:]
	}
}

// stringLength is the length of the JSON string that s starts with, quotes
// included.
func stringLength(s string) int {
	i := 1
	for s[i] != '"' {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	return i + 1
}

// parse splits s at its placeholders. "$${" is a literal "${".
func parse(s string, as form) (template, error) {
	var t template
	for {
		at := strings.Index(s, "${")
		if at < 0 {
			if s != "" {
				t = append(t, part{literal: s})
			}
			return t, nil
		}
		if at > 0 && s[at-1] == '$' {
			t = append(t, part{literal: s[:at-1] + "${"})
			s = s[at+2:]
			continue
		}
		if at > 0 {
			t = append(t, part{literal: s[:at]})
		}
		end := strings.IndexByte(s[at:], '}')
		if end < 0 {
			return nil, fmt.Errorf("a placeholder without its closing brace: %s; write $${ for a plain ${", s[at:])
		}
		source := s[at+2 : at+end]
		if as == asString {
			// In a JSON string the placeholder itself is written with escapes.
			if err := json.Unmarshal([]byte(`"`+source+`"`), &source); err != nil {
				return nil, fmt.Errorf("the placeholder ${%s}: %w", source, err)
			}
		}
		ph, err := parsePlaceholder(source)
		if err != nil {
			return nil, err
		}
		t = append(t, part{placeholder: ph, as: as})
		s = s[at+end+1:]
	}
}

// expand gives the template's bytes as things are now.
func (t template) expand(p *player) ([]byte, error) {
	var b []byte
	for _, part := range t {
		if part.placeholder == nil {
			b = append(b, part.literal...)
			continue
		}
		value, err := part.placeholder.value(p)
		if err != nil {
			return nil, err
		}
		b = append(b, part.as.write(value)...)
	}
	return b, nil
}

func (f form) write(value json.RawMessage) []byte {
	isString := len(value) > 0 && value[0] == '"'
	switch {
	case f == asText && isString:
		var s string
		json.Unmarshal(value, &s) // a value is valid JSON
		return []byte(s)
	case f == asString && isString:
		return value[1 : len(value)-1]
	case f == asString:
		value = quote(string(value))
		return value[1 : len(value)-1]
	}
	return value
}

// quote is s as a JSON string, with no more escapes than JSON needs.
func quote(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
