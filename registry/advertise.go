package registry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// Advertise gives what the dialects want in clientCapabilities, deep merged.
// Objects are merged, equal values agree, and two different values for one key
// are an error that names both owners. asks says whether the host answers asks;
// skip names dialects to leave out. The error comes with what could be merged
// without the later of two that differ.
func (r *Registry) Advertise(asks bool, skip ...string) (dialect.Capabilities, error) {
	m := merger{owners: map[string]string{}}
	out := map[string]any{}
	for _, d := range r.Dialects() {
		if d.Advertise == nil || slices.Contains(skip, d.Name) {
			continue
		}
		m.owner = d.Name
		m.merge(out, d.Advertise(asks), "")
	}
	return out, m.err
}

type merger struct {
	owner  string            // of what is merged now
	owners map[string]string // path: who set it first
	err    error
}

func (m *merger) merge(dst, src map[string]any, path string) {
	for _, key := range slices.Sorted(maps.Keys(src)) {
		at := path + "/" + key
		value := src[key]
		have, taken := dst[key]
		haveMap, both := object(have)
		valueMap, isMap := object(value)
		switch {
		case !taken && isMap:
			fresh := map[string]any{}
			dst[key] = fresh
			m.owners[at] = m.owner
			m.merge(fresh, valueMap, at)
		case !taken:
			dst[key] = value
			m.owners[at] = m.owner
		case both && isMap:
			m.merge(haveMap, valueMap, at)
		case !reflect.DeepEqual(have, value):
			if m.err == nil {
				m.err = fmt.Errorf("registry: clientCapabilities%s: dialect %q wants %v, dialect %q wants %v", at, m.owners[at], have, m.owner, value)
			}
		}
	}
}

func object(v any) (map[string]any, bool) {
	switch o := v.(type) {
	case map[string]any:
		return o, true
	case dialect.Capabilities:
		return o, true
	}
	return nil, false
}

// Merge lays a host's own capabilities over others: objects are merged, and
// where both have a value the host's wins.
func Merge(host, others map[string]any) map[string]any {
	out := maps.Clone(others)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range host {
		have, both := object(out[key])
		own, isMap := object(value)
		if both && isMap {
			out[key] = Merge(own, have)
			continue
		}
		out[key] = value
	}
	return out
}
