package state

import (
	"encoding/json"
	"strings"
	"testing"
)

// A later frame of a call may repeat only what has changed under _meta.
func TestMetaIsMerged(t *testing.T) {
	for _, c := range []struct{ name, before, now, want string }{
		{"nothing before", ``, `{"acme":{"a":1}}`, `{"acme":{"a":1}}`},
		{"the same", `{"acme":{"a":1}}`, `{"acme":{"a":1}}`, `{"acme":{"a":1}}`},
		{"a member", `{"acme":{"a":1,"b":"<x>"}}`, `{"acme":{"a":2}}`, `{"acme":{"a":2,"b":"<x>"}}`},
		{"null is a value", `{"acme":{"a":1,"b":1}}`, `{"acme":{"a":null}}`, `{"acme":{"a":null,"b":1}}`},
		{"a vendor", `{"acme":{"a":1}}`, `{"other":{"b":1}}`, `{"acme":{"a":1},"other":{"b":1}}`},
		{"no deeper", `{"acme":{"in":{"a":1}}}`, `{"acme":{"in":{"b":2}}}`, `{"acme":{"in":{"b":2}}}`},
		{"flat", `{"a":1,"b":[1,2]}`, `{"b":[3]}`, `{"a":1,"b":[3]}`},
		{"nothing new is lost", `{"acme":{"a":1}}`, `{ "acme" : {"a":1, "b":2} }`, `{ "acme" : {"a":1, "b":2} }`},
		{"no object before", `{"acme":true}`, `{"acme":{"a":1}}`, `{"acme":{"a":1}}`},
		{"no object now", `{"acme":{"a":1}}`, `{"acme":7}`, `{"acme":7}`},
		{"not an object", `{"acme":{"a":1}}`, `[1]`, `[1]`},
		{"too much", `{"acme":{"a":"` + strings.Repeat("x", maxMeta) + `"}}`, `{"acme":{"b":1}}`, `{"acme":{"b":1}}`},
	} {
		if got := string(mergeMeta(json.RawMessage(c.before), json.RawMessage(c.now))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	p := opened(t, "s1").play(prompt1,
		`s1 tool_call {"toolCallId":"T","_meta":{"acme":{"tool":"task","state":"new"}}}`,
		`s1 tool_call_update {"toolCallId":"T","_meta":{"acme":{"state":"done"}}}`,
		`s1 tool_call_update {"toolCallId":"T","_meta":null}`,
	)
	if got, want := string(p.call("s1", "T").Meta), `{"acme":{"state":"done","tool":"task"}}`; got != want {
		t.Errorf("the record has %s, want %s", got, want)
	}
}
