// Package registry holds the dialects that a client understands.
//
// A vendor's package registers its [dialect.Dialect] with [Default] from init,
// so that a host gets the vendor by a blank import. A host that wants no global
// state makes a [Registry] of its own; the zero Registry is empty and ready.
//
// Reads take no lock and allocate nothing: the table is copied on write, and
// registration is for start-up.
package registry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/acpdialects/acpdialects/dialect"
)

// A Registry maps method names to the dialects that own them. It may be used
// from several goroutines at once, registration included.
type Registry struct {
	mu    sync.Mutex // held by writers
	table atomic.Pointer[table]
}

// A table is never changed once it is published.
type table struct {
	dialects []dialect.Dialect
	exact    map[string]*Method
	// bare maps a name without its leading underscores to the one method that
	// has it, or to nil where two methods do.
	bare map[string]*Method
}

// A Method is a registered method and its owner.
type Method struct {
	dialect.Spec
	Dialect string // the owner's name
}

// std is the registry of the blank imports.
var std Registry

// Default is the registry that vendor packages register with.
func Default() *Registry { return &std }

// MustRegister adds d to Default and panics if that fails. It is for init.
func MustRegister(d dialect.Dialect) { std.MustRegister(d) }

// MustRegister is Register that panics with the error's text. It is for init.
func (r *Registry) MustRegister(d dialect.Dialect) {
	if err := r.Register(d); err != nil {
		panic(err.Error())
	}
}

// Register adds a dialect, all of it or nothing. The error names every problem
// that the dialect has by itself (an incomplete method, a name that the protocol
// keeps for itself) or, if there is none, every name that is taken, with both
// owners.
func (r *Registry) Register(d dialect.Dialect) error {
	methods, err := open(d)
	if err != nil {
		return err
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.table.Load()
	next := &table{exact: map[string]*Method{}, bare: map[string]*Method{}}
	if old != nil {
		next.dialects = slices.Clone(old.dialects)
		next.exact = maps.Clone(old.exact)
		next.bare = maps.Clone(old.bare)
	}
	var problems []error
	for _, have := range next.dialects {
		if have.Name == d.Name {
			problems = append(problems, fmt.Errorf("registry: a dialect named %q is registered already", d.Name))
		}
	}
	d.Agents, d.Methods = slices.Clone(d.Agents), slices.Clone(d.Methods)
	next.dialects = append(next.dialects, d)
	for i := range methods {
		m := &methods[i]
		for name := range m.names() {
			if have := next.exact[name]; have != nil {
				problems = append(problems, fmt.Errorf("registry: method %q of dialect %q is taken by method %q of dialect %q", name, m.Dialect, have.Name, have.Dialect))
				continue
			}
			next.exact[name] = m
			bare := strings.TrimLeft(name, "_")
			if have, taken := next.bare[bare]; taken && have != m {
				next.bare[bare] = nil // two methods: only exact names tell them apart
			} else {
				next.bare[bare] = m
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	r.table.Store(next)
	return nil
}

// names yields the method's name and its aliases.
func (m *Method) names() func(func(string) bool) {
	return func(yield func(string) bool) {
		if !yield(m.Name) {
			return
		}
		for _, a := range m.Aliases {
			if !yield(a) {
				return
			}
		}
	}
}

// open checks a dialect by itself and gives its methods.
func open(d dialect.Dialect) ([]Method, error) {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("registry: dialect %q: "+format, append([]any{d.Name}, args...)...))
	}
	if d.Name == "" {
		bad("has no name")
	}
	methods := make([]Method, 0, len(d.Methods))
	for i, v := range d.Methods {
		if v == nil {
			bad("method %d is nil", i)
			continue
		}
		m := Method{Spec: v.Spec(), Dialect: d.Name}
		for name := range m.names() {
			switch {
			case strings.TrimLeft(name, "_") == "":
				bad("method %d has the empty name %q", i, name)
			case Core(name):
				bad("method %q: the protocol keeps this name for itself", name)
			}
		}
		if hook := m.Missing(); hook != "" {
			bad("method %q has no %s", m.Name, hook)
		}
		methods = append(methods, m)
	}
	if len(methods) == 0 && d.Observe == nil && len(problems) == 0 {
		bad("has neither methods nor Observe")
	}
	return methods, errors.Join(problems...)
}

// Lookup finds the method for a name on the wire: the one registered under
// exactly this name, byte for byte, or else the only one whose name differs in
// leading underscores alone, which SDKs add and strip. A name that the protocol
// keeps for itself is never found that way. The Method is shared and must not be
// changed.
func (r *Registry) Lookup(name string) (*Method, bool) {
	t := r.table.Load()
	if t == nil {
		return nil, false
	}
	if m := t.exact[name]; m != nil {
		return m, true
	}
	if Core(name) {
		return nil, false
	}
	m := t.bare[strings.TrimLeft(name, "_")]
	return m, m != nil
}

// Dialects gives the registered dialects in the order of registration. The
// slice is the caller's; what it holds must not be changed.
func (r *Registry) Dialects() []dialect.Dialect {
	t := r.table.Load()
	if t == nil {
		return nil
	}
	return slices.Clone(t.dialects)
}

// Clone gives an independent copy: registration with one changes nothing for
// the other. It costs a pointer.
func (r *Registry) Clone() *Registry {
	c := new(Registry)
	c.table.Store(r.table.Load())
	return c
}
