package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      map[string]string // nil: no object
	}{
		{"members", ` {"a": {"b": [1, 2]} , "c":null}`, map[string]string{"a": `{"b": [1, 2]}`, "c": `null`}},
		{"empty", `{ }`, map[string]string{}},
		{"name twice", `{"a":1,"a":2}`, map[string]string{"a": `2`}},
		{"escaped name", `{"\u0061\/b":1}`, map[string]string{"a/b": `1`}},
		{"invalid UTF-8", "{\"\xff\":\"\xfe\"}", map[string]string{"\ufffd": "\"\xfe\""}},
		{"array", `[{}]`, nil},
		{"string", `"{}"`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
		{"truncated", `{"a":1`, nil},
		{"bad value", `{"a":}`, nil},
		{"bad name", `{a:1}`, nil},
		{"more", `{"a":1} 2`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, ok := rawjson.Members(json.RawMessage(c.raw))
			if ok != (c.want != nil) {
				t.Fatalf("Object says %v", ok)
			}
			var got map[string]string
			if ok {
				got = map[string]string{}
			}
			for name, v := range m {
				got[name] = string(v)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("members (-want +got):\n%s", d)
			}
		})
	}
}

func TestMemberssValuesDoNotReachIntoEachOther(t *testing.T) {
	raw := json.RawMessage(`{"a":1,"b":2}`)
	m, _ := rawjson.Members(raw)
	_ = append(m["a"], "xxxxxx"...)
	if got, want := string(raw), `{"a":1,"b":2}`; got != want {
		t.Errorf("appending to a value made %s of %s", got, want)
	}
}

func TestGet(t *testing.T) {
	for _, c := range []struct{ raw, path, want string }{
		{`{"a":{"b":{"c":[7]}}}`, "a/b/c", `[7]`},
		{`{"a":{"b":1}}`, "a", `{"b":1}`},
		{`{"a":{"b":1}}`, "", `{"a":{"b":1}}`},
		{`{"a":{"b":1}}`, "b", ``},
		{`{"a":"b"}`, "a/b", ``},
		{`{"x":"a","b":[{"a":1}]}`, "a", ``},
		{`{"a":1,"a":2}`, "a", `2`},
		{`{"\u0061":{"b":1}}`, "a/b", `1`},
		{`{"a":null}`, "a", `null`},
		{`{"a\"b":1}`, "a\"b", `1`},
		{`{"a\tb":1}`, "a\tb", `1`},
		{`{"a":1`, "a", ``},
		{`[{"a":1}]`, "a", ``},
		{``, "a", ``},
	} {
		var names []string
		if c.path != "" {
			names = strings.Split(c.path, "/")
		}
		if got := string(rawjson.Get(json.RawMessage(c.raw), names...)); got != c.want {
			t.Errorf("At(%s, %q) is %q, want %q", c.raw, names, got, c.want)
		}
	}
	if got := string(rawjson.Get(json.RawMessage(`{"acme.com\/x":1}`), "acme.com/x")); got != "1" {
		t.Errorf("a name with an escaped slash gives %q", got)
	}
}

func TestString(t *testing.T) {
	for raw, want := range map[string]string{
		` "a\nb"`: "a\nb", "\"\xff\"": "\ufffd", `"\ud83d\ude00"`: "😀",
		`7`: "", `null`: "", ``: "", `"a`: "", `["a"]`: "", `"a" "b"`: "",
	} {
		if got := rawjson.String(json.RawMessage(raw)); got != want {
			t.Errorf("Text(%s) is %q, want %q", raw, got, want)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for _, c := range []struct {
		name string
		raw  json.RawMessage
	}{
		{"200 B", json.RawMessage(`{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task","kind":"other","status":"in_progress","rawInput":{"prompt":"do it"},"_meta":{"acme":{"a":1}}}`)},
		{"32 kB", json.RawMessage(`{"sessionUpdate":"tool_call","rawInput":{"prompt":"` + strings.Repeat("do it\\n", 4600) + `"},"_meta":{"acme":{"a":1}}}`)},
	} {
		for what, name := range map[string]string{"found": "acme", "absent": "other"} {
			b.Run(c.name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(c.raw)))
				for b.Loop() {
					rawjson.Get(c.raw, "_meta", name)
				}
			})
		}
	}
}
