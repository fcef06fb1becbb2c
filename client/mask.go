package client

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/registry"
)

// A Mask takes the credentials out of the lines of one conversation: strings
// under a telling name, the values of headers and environment variables, and all
// that a dialect's secret asks carry. Options.Tap is shown masked lines; a Mask
// of one's own is for conversations that no Conn carries. It may be used from two
// goroutines, one for each direction.
type Mask struct {
	reg *registry.Registry

	mu    sync.Mutex
	asked map[string]int // ids of open secret asks
}

// NewMask makes a Mask. A nil registry is registry.Default().
func NewMask(reg *registry.Registry) *Mask {
	if reg == nil {
		reg = registry.Default()
	}
	return &Mask{reg: reg, asked: map[string]int{}}
}

// In gives a line of the agent as it may be shown. A line that holds no
// credentials, or is no JSON, is given back as it is.
func (m *Mask) In(line []byte) []byte {
	secret := false
	m.each(line, func(f *wire.Frame) {
		if method, ok := m.reg.Lookup(f.Method); ok && method.Secret {
			secret = true
			if f.ID != nil {
				m.asked[string(f.ID)]++
			}
		}
	})
	return hide(line, secret, "params")
}

// Out gives a line of the client as it may be shown.
func (m *Mask) Out(line []byte) []byte {
	secret := false
	m.each(line, func(f *wire.Frame) {
		if id := string(f.ID); f.Method == "" && m.asked[id] > 0 {
			secret = true
			if m.asked[id]--; m.asked[id] == 0 {
				delete(m.asked, id)
			}
		}
	})
	return hide(line, secret, "result")
}

func (m *Mask) each(line []byte, f func(*wire.Frame)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	frames, _ := wire.ParseAll(line) // what is not quite a frame is shown too
	for i := range frames {
		f(&frames[i])
	}
}

// secretName matches the names of members whose strings are credentials.
var secretName = regexp.MustCompile(`(?i)(token|secret|passw|api[-_]?key|authorization|credential|cookie)`)

// hide replaces credentials by "***", and with secret all strings and numbers under
// a member besides.
func hide(line []byte, secret bool, member string) []byte {
	if !secret && !secretName.Match(line) && !bytes.Contains(line, []byte(`"env"`)) && !bytes.Contains(line, []byte(`"headers"`)) {
		return line
	}
	m := masker{}
	if secret {
		m.member = member
	}
	s := wire.Scan(line)
	defer s.Free()
	if m.value(s, false) != nil || !m.hid {
		return line
	}
	return m.out
}

type masker struct {
	out    []byte
	hid    bool
	member string // all under it is hidden
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
			// In a list of variables or headers the names are no secrets; in
			// a secret ask everything is one.
			return m.value(s, hide && (m.member != "" || string(name) != "name") || m.hides(string(name)))
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
	text, number := v[0] == '"', v[0] == '-' || '0' <= v[0] && v[0] <= '9'
	if hide && (text && len(v) > 2 || number && m.member != "") {
		m.hid = true
		v = []byte(`"***"`)
	}
	m.out = append(m.out, v...)
	return nil
}

func (m *masker) hides(name string) bool {
	return name != "" && name == m.member || name == "env" || name == "headers" || secretName.MatchString(name) && !countName.MatchString(name)
}

// countName matches names that speak of tokens as units of text.
var countName = regexp.MustCompile(`(?i)(tokens|tokens?_(count|used|limit)|token_?usage|tokenCount)`)
