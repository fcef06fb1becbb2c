package client

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/acpdialects/acpdialects/client/internal/wire"
)

// tapOut gives what the writer shows its frames to.
func (c *Conn) tapOut() func([]byte) {
	if c.opts.Tap == nil {
		return nil
	}
	return func(line []byte) {
		c.contain("Tap", func() { c.opts.Tap("out", mask(line)) })
	}
}

// secretName matches the names of members whose strings are credentials.
var secretName = regexp.MustCompile(`(?i)(token|secret|passw|api[-_]?key|authorization|credential|cookie)`)

// mask replaces the credentials in a line by "***": strings under a member with a
// telling name, and the values of headers and environment variables. A line that
// holds none, or is no JSON, is given back as it is.
func mask(line []byte) []byte {
	if !secretName.Match(line) && !bytes.Contains(line, []byte(`"env"`)) && !bytes.Contains(line, []byte(`"headers"`)) {
		return line
	}
	m := masker{}
	s := wire.Scan(line)
	defer s.Free()
	if m.value(s, false) != nil || !m.hid {
		return line
	}
	return m.out
}

type masker struct {
	out []byte
	hid bool
}

// value copies the next value; hide says that its strings are credentials.
func (m *masker) value(s *wire.Scanner, hide bool) error {
	first := true
	comma := func() {
		if !first {
			m.out = append(m.out, ',')
		}
		first = false
	}
	switch s.Kind() {
	case '{':
		m.out = append(m.out, '{')
		_, err := s.Object(func(name []byte) error {
			comma()
			quoted, err := json.Marshal(string(name))
			if err != nil {
				return err
			}
			m.out = append(append(m.out, quoted...), ':')
			return m.value(s, hide && string(name) != "name" || hides(string(name)))
		})
		m.out = append(m.out, '}')
		return err
	case '[':
		m.out = append(m.out, '[')
		err := s.Array(func() error {
			comma()
			return m.value(s, hide)
		})
		m.out = append(m.out, ']')
		return err
	}
	v, err := s.Value()
	if err != nil {
		return err
	}
	if hide && len(v) > 2 && v[0] == '"' {
		m.hid = true
		v = []byte(`"***"`)
	}
	m.out = append(m.out, v...)
	return nil
}

func hides(name string) bool {
	return name == "env" || name == "headers" || secretName.MatchString(name) && !countName.MatchString(name)
}

// countName matches names that speak of tokens as units of text.
var countName = regexp.MustCompile(`(?i)(tokens|tokens?_(count|used|limit)|token_?usage|tokenCount)`)
