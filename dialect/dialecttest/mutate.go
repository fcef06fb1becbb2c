package dialecttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// marker is in a string that no error may repeat.
const marker = "zq-private-content"

// wrongValues are what an agent's next version may put where something else
// was. At most one of them has the right type.
var wrongValues = []string{
	`null`, `true`, `17`, `-1.5e999`, `18446744073709551616`, `""`, `"` + marker + `"`, "\"\xff\xfe\"",
	`[]`, `[null]`, `[[17],{"":""}]`, `{}`, `{"":null}`, `{"` + marker + `":{"a":[null]}}`,
}

// depth is how deeply a frame may be nested.
const depth = 10_000

// deepValues are nested far deeper than any vendor's, but not as deeply as the
// hostile documents, for they stand at each place of each case.
func deepValues(depth int) []string {
	return []string{nest(`{"a":`, `}`, depth/10), nest(`[`, `]`, depth/10)}
}

// deeply ends the name of such a variant.
const deeply = " is nested deeply"

func nest(open, end string, depth int) string {
	return strings.Repeat(open, depth) + "null" + strings.Repeat(end, depth)
}

// hostileDocuments are whole params that no vendor's page has.
func hostileDocuments(depth int) iter.Seq2[string, []byte] {
	docs := map[string]string{
		"absent":            "",
		"blank":             " \n",
		"null":              "null",
		"a word":            "nul",
		"an array":          "[]",
		"an array of nulls": "[null,null]",
		"a string":          `"text"`,
		"a number":          "17",
		"a huge number":     strings.Repeat("9", 400),
		"an empty object":   "{}",
		"truncated":         `{"a":{"b":[1,`,
		"a half escape":     `{"a":"\u12`,
		"trailing text":     `{} {}`,
		"an unknown field":  `{"":{"":[{}]}}`,
		"invalid UTF-8":     "{\"\xff\":\"\xfe\"}",
		"a lone surrogate":  `{"toolCallId":"\ud800","sessionId":"\udc00"}`,
		"a NUL":             "{\"toolCallId\":\"\x00\"}",
		"a name twice":      `{"toolCallId":"a","toolCallId":7,"toolCallId":"b"}`,
		"deep objects":      nest(`{"a":`, `}`, depth),
		"deep arrays":       nest(`[`, `]`, depth),
		"too deep":          `{"_meta":` + nest(`[`, `]`, depth+1) + `}`,
	}
	return func(yield func(string, []byte) bool) {
		for _, name := range slices.Sorted(maps.Keys(docs)) {
			if !yield(name, []byte(docs[name])) {
				return
			}
		}
	}
}

// An edit is one place in a document.
type edit struct {
	path, shape    string // shape: the path without indices
	value          any    // what is there
	removed        []byte
	before, behind []byte
}

// put gives the document with a value at the place.
func (e edit) put(value string) []byte {
	return slices.Concat(e.before, []byte(value), e.behind)
}

// kind gives the JSON kind of what is there.
func (e edit) kind() byte {
	data, err := json.Marshal(e.value)
	if err != nil {
		return 0
	}
	return kind(string(data))
}

// kind gives the kind of a JSON value: one of { [ " t n 0.
func kind(value string) byte {
	switch c := value[0]; c {
	case '{', '[', '"', 'n', 't':
		return c
	case 'f':
		return 't'
	}
	return '0'
}

// maxEdits bounds the work for one case.
const maxEdits = 300

// edits finds every member of a document, at every depth, breadth first.
func edits(raw []byte) []edit {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var root any
	if dec.Decode(&root) != nil {
		return nil
	}
	const place = "\x01place\x01"
	quoted, _ := json.Marshal(place)
	var out []edit
	type node struct {
		value       any
		path, shape string
	}
	add := func(path, shape string, value any, set func(any), remove func() func()) {
		restore := remove()
		removed, _ := json.Marshal(root)
		restore()
		set(place)
		whole, _ := json.Marshal(root)
		before, behind, found := bytes.Cut(whole, quoted)
		if found {
			out = append(out, edit{path: path, shape: shape, value: value, removed: removed, before: before, behind: behind})
		}
	}
	for queue := []node{{value: root}}; len(queue) > 0 && len(out) < maxEdits; queue = queue[1:] {
		n := queue[0]
		switch v := n.value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				old := v[key]
				path, shape := n.path+"/"+key, n.shape+"/"+key
				add(path, shape, old, func(x any) { v[key] = x }, func() func() {
					delete(v, key)
					return func() { v[key] = old }
				})
				v[key] = old
				queue = append(queue, node{old, path, shape})
			}
		case []any:
			for i, old := range v {
				path, shape := fmt.Sprintf("%s/%d", n.path, i), n.shape+"/*"
				add(path, shape, old, func(x any) { v[i] = x }, func() func() {
					v[i] = nil // as near as a list comes: the place is there, nothing is in it
					return func() { v[i] = old }
				})
				v[i] = old
				queue = append(queue, node{old, path, shape})
			}
		}
	}
	return out
}
