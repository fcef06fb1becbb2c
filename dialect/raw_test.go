package dialect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

func TestObject(t *testing.T) {
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
			m, ok := dialect.Object(json.RawMessage(c.raw))
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

func TestObjectsValuesDoNotReachIntoEachOther(t *testing.T) {
	raw := json.RawMessage(`{"a":1,"b":2}`)
	m, _ := dialect.Object(raw)
	_ = append(m["a"], "xxxxxx"...)
	if got, want := string(raw), `{"a":1,"b":2}`; got != want {
		t.Errorf("appending to a value made %s of %s", got, want)
	}
}

func TestAt(t *testing.T) {
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
		if got := string(dialect.At(json.RawMessage(c.raw), names...)); got != c.want {
			t.Errorf("At(%s, %q) is %q, want %q", c.raw, names, got, c.want)
		}
	}
	if got := string(dialect.At(json.RawMessage(`{"acme.com\/x":1}`), "acme.com/x")); got != "1" {
		t.Errorf("a name with an escaped slash gives %q", got)
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		` "a\nb"`: "a\nb", "\"\xff\"": "\ufffd", `"\ud83d\ude00"`: "😀",
		`7`: "", `null`: "", ``: "", `"a`: "", `["a"]`: "", `"a" "b"`: "",
	} {
		if got := dialect.Text(json.RawMessage(raw)); got != want {
			t.Errorf("Text(%s) is %q, want %q", raw, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for raw, want := range map[string]dialect.Number{
		`7`:            {Value: 7, Valid: true},
		`-1.5e3`:       {Value: -1500, Valid: true},
		`"4210"`:       {Value: 4210, Valid: true},
		`"130.5"`:      {Value: 130.5, Valid: true},
		`0`:            {Valid: true},
		`""`:           {},
		`"7 ms"`:       {},
		`"1_000"`:      {},
		`"0x1p4"`:      {},
		`"Infinity"`:   {},
		`"NaN"`:        {},
		`1e999`:        {},
		`null`:         {},
		`true`:         {},
		`[7]`:          {},
		`{"value":7}`:  {},
		`"\u0037"`:     {Value: 7, Valid: true},
		`"--7"`:        {},
		`"7\u0000"`:    {},
		`-0.0`:         {Valid: true},
		`"1e400"`:      {},
		`4503599627.5`: {Value: 4503599627.5, Valid: true},
	} {
		p, err := dialect.Lenient[params](json.RawMessage(`{"number":` + raw + `}`))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		got := p.Number
		if string(got.Raw) != raw {
			t.Errorf("%s: Raw is %s", raw, got.Raw)
		}
		if back, err := json.Marshal(got); err != nil || string(back) != raw {
			t.Errorf("%s: written again it is %s (%v)", raw, back, err)
		}
		got.Raw = nil
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", raw, d)
		}
	}
}

func TestNumberOfOnesOwn(t *testing.T) {
	for want, n := range map[string]dialect.Number{
		`null`: {}, `1.5`: {Value: 1.5, Valid: true}, `1e+100`: {Value: 1e100, Valid: true},
	} {
		if got, err := json.Marshal(n); err != nil || string(got) != want {
			t.Errorf("%+v is written as %s (%v), want %s", n, got, err, want)
		}
	}
}

func TestNumberInt(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want int64
	}{
		{`1.9`, 1}, {`-1.9`, -1}, {`1e30`, 1<<63 - 1}, {`-1e30`, -1 << 63}, {`9223372036854775807`, 1<<63 - 1}, {`"x"`, 0}, {`null`, 0},
	} {
		var n dialect.Number
		if err := n.UnmarshalJSON([]byte(c.raw)); err != nil || n.Int() != c.want {
			t.Errorf("%s: Int is %d (%v), want %d", c.raw, n.Int(), err, c.want)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{`7`, `"7"`, `1e999`, `"`, `null`, `-0`, `"0x1p4"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var n dialect.Number
		if err := n.UnmarshalJSON(raw); err != nil {
			t.Fatal(err)
		}
		if !n.Valid && (n.Value != 0 || n.Int() != 0) {
			t.Errorf("no number, and yet %v", n.Value)
		}
		if json.Valid(raw) {
			if out, err := json.Marshal(n); err != nil || !json.Valid(out) {
				t.Errorf("written again it is %s (%v)", out, err)
			}
		}
	})
}

func BenchmarkAt(b *testing.B) {
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
					dialect.At(c.raw, "_meta", name)
				}
			})
		}
	}
}
