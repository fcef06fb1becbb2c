package capture

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A Mask takes the credentials out of the lines of a conversation that no
// connection of ours carries: strings under a telling name, the values of
// headers and environment variables, and the answers to a dialect's secret asks.
type Mask struct {
	Registry *registry.Registry

	mu     sync.Mutex
	secret map[string]bool // ids of requests whose answers are secret
}

// Line gives the line as it may be recorded.
func (m *Mask) Line(dir string, line []byte) []byte {
	answers := m.answersSecret(dir, line)
	if !answers && !secretName.Match(line) && !bytes.Contains(line, []byte(`"env"`)) && !bytes.Contains(line, []byte(`"headers"`)) {
		return line
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	var value any
	if dec.Decode(&value) != nil {
		return line
	}
	hidden := false
	if frame, ok := value.(map[string]any); ok && answers {
		frame["result"], hidden = "***", true
	}
	if value = hide(value, false, &hidden); !hidden {
		return line
	}
	out, err := json.Marshal(value)
	if err != nil {
		return line
	}
	return out
}

// answersSecret notes the agent's secret asks and reports whether a line is the
// answer to one.
func (m *Mask) answersSecret(dir string, line []byte) bool {
	id := string(dialect.At(line, "id"))
	if id == "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if dir == Out {
		defer delete(m.secret, id)
		return m.secret[id] && dialect.At(line, "method") == nil
	}
	if method, ok := m.Registry.Lookup(dialect.Text(dialect.At(line, "method"))); ok && method.Secret {
		if m.secret == nil {
			m.secret = map[string]bool{}
		}
		m.secret[id] = true
	}
	return false
}

var (
	secretName = regexp.MustCompile(`(?i)(token|secret|passw|api[-_]?key|authorization|credential|cookie)`)
	// countName matches names that speak of tokens as units of text.
	countName = regexp.MustCompile(`(?i)(tokens|tokens?_(count|used|limit)|token_?usage|tokenCount)`)
)

// hide replaces strings that are credentials; secret says that they are.
func hide(value any, secret bool, hidden *bool) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = hide(member, secret && name != "name" || hides(name), hidden)
		}
	case []any:
		for i := range v {
			v[i] = hide(v[i], secret, hidden)
		}
	case string:
		if secret && v != "" {
			*hidden = true
			return "***"
		}
	}
	return value
}

func hides(name string) bool {
	return name == "env" || name == "headers" || secretName.MatchString(name) && !countName.MatchString(name)
}
