package state

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// maxMeta bounds what is merged into: a _meta beyond it is replaced, so that no small
// frame costs as much as a large one.
const maxMeta = 64 << 10

// mergeMeta gives what the frames of a call have said under _meta so far. A later
// frame may repeat only what has changed, of each vendor's object: a name in it
// replaces, the others stay.
func mergeMeta(before, now json.RawMessage) json.RawMessage {
	if len(before) == 0 || len(before) > maxMeta || bytes.Equal(before, now) {
		return now
	}
	merged, _ := overlay(before, now, 1)
	return merged
}

// overlay gives now with the members that only before has, and of the objects that
// both have down to a depth, and reports whether there were any. What is no object
// is replaced.
func overlay(before, now json.RawMessage, depth int) (json.RawMessage, bool) {
	old, wasObject := rawjson.Members(before)
	merged, isObject := rawjson.Members(now)
	if !wasObject || !isObject {
		return now, false
	}
	changed := false
	for name, was := range old {
		is, named := merged[name]
		more := !named
		switch {
		case !named:
			merged[name] = was
		case depth > 0:
			merged[name], more = overlay(was, is, depth-1)
		}
		changed = changed || more
	}
	if !changed {
		return now, false
	}
	return object(merged), true
}

// object writes an object of members that are JSON already, in the order of their
// names.
func object(members map[string]json.RawMessage) json.RawMessage {
	out := []byte{'{'}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, _ := json.Marshal(name) // a string can always be
		out = append(append(append(out, quoted...), ':'), members[name]...)
	}
	return append(out, '}')
}
