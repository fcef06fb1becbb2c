package dialect_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

type params struct {
	ID      string            `json:"id"`
	Count   int               `json:"count"`
	Number  dialect.Number    `json:"number"`
	Flag    bool              `json:"flag"`
	List    []string          `json:"list"`
	Entries []entry           `json:"entries"`
	Inner   entry             `json:"inner"`
	Pointer *entry            `json:"pointer"`
	Words   map[string]string `json:"words"`
	Dotted  int               `json:"acme.com/a~b"`
}

type entry struct {
	Name string `json:"name"`
	Next *entry `json:"next"`
}

// What is wrong with one field costs no pointer beside it, however that one decodes.
func TestPointersBesideAWrongField(t *testing.T) {
	type pointers struct {
		Addr  *netip.Addr `json:"addr"`
		Bytes *[]byte     `json:"bytes"`
		Count *int        `json:"count"`
		Share *float64    `json:"share"`
		Flag  *bool       `json:"flag"`
		Name  string      `json:"name"`
	}
	got, err := dialect.Lenient[pointers](json.RawMessage(`{"addr":"1.2.3.4","bytes":"aGk=","count":7,"share":0.5,"flag":true,"name":7}`))
	if !dialect.Usable(err) || err == nil {
		t.Fatal(err)
	}
	addr, bytes, count, share, flag := netip.MustParseAddr("1.2.3.4"), []byte("hi"), 7, 0.5, true
	if d := cmp.Diff(pointers{&addr, &bytes, &count, &share, &flag, ""}, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); d != "" {
		t.Error(d)
	}
	got, err = dialect.Lenient[pointers](json.RawMessage(`{"addr":7,"bytes":{},"count":"x","share":true,"flag":0,"name":"n"}`))
	if d := cmp.Diff(pointers{Name: "n"}, got); d != "" || err == nil || !dialect.Usable(err) {
		t.Errorf("%v: %s", err, d)
	}
}

func TestLenientKeepsWhatItUnderstands(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  string
		want params
		soft string // the field of the soft error
	}{
		{"absent", ``, params{}, ""},
		{"blank", " \r\n\t", params{}, ""},
		{"null", ` null `, params{}, ""},
		{"empty", ` {} `, params{}, ""},
		{"known field", `{"id":"a"}`, params{ID: "a"}, ""},
		{"names match exactly", `{"ID":"a","Id":"b","_id":"c"}`, params{}, ""},
		{"unknown fields", `{"x":{"y":[1]},"id":"a","":null}`, params{ID: "a"}, ""},
		{"null fields", `{"id":null,"count":null,"list":null,"inner":null,"pointer":null,"words":null,"flag":null}`, params{}, ""},
		{"string for a number", `{"count":"7","id":"a"}`, params{ID: "a"}, "/count"},
		{"number for a string", `{"id":7,"count":7}`, params{Count: 7}, "/id"},
		{"fraction for an integer", `{"count":1.5,"id":"a"}`, params{ID: "a"}, "/count"},
		{"huge integer", `{"count":123456789012345678901234567890,"id":"a"}`, params{ID: "a"}, "/count"},
		{"huge float", `{"count":1e999,"id":"a"}`, params{ID: "a"}, "/count"},
		{"string for a bool", `{"flag":"true","id":"a"}`, params{ID: "a"}, "/flag"},
		{"object for a list", `{"list":{"a":1},"id":"a"}`, params{ID: "a"}, "/list"},
		{"list for an object", `{"inner":[1],"id":"a"}`, params{ID: "a"}, "/inner"},
		{"null in a list", `{"list":["a",null,"b"]}`, params{List: []string{"a", "", "b"}}, ""},
		{"null in a list of objects", `{"entries":[null,{"name":"a"}]}`, params{Entries: []entry{{}, {Name: "a"}}}, ""},
		{"wrong type in a list", `{"list":["a",7,"b"],"id":"a"}`, params{ID: "a", List: []string{"a", "", "b"}}, "/list/1"},
		{"wrong type in an object in a list", `{"entries":[{"name":"a"},{"name":7},8],"id":"a"}`, params{ID: "a", Entries: []entry{{Name: "a"}, {}, {}}}, "/entries/1/name"},
		{"wrong type behind a pointer", `{"pointer":{"name":[]},"id":"a"}`, params{ID: "a", Pointer: &entry{}}, "/pointer/name"},
		{"wrong type for a pointer", `{"pointer":false,"id":"a"}`, params{ID: "a"}, "/pointer"},
		{"wrong type for a pointer and for another", `{"pointer":"x","count":"x","id":"a"}`, params{ID: "a"}, "/count"},
		{"wrong type for a pointer in a list", `{"entries":[{"next":[]},{"name":"b"}]}`, params{Entries: []entry{{}, {Name: "b"}}}, "/entries/0/next"},
		{"a map's keys are not repeated", `{"words":{"private":7,"b":"c"}}`, params{Words: map[string]string{"private": "", "b": "c"}}, "/words"},
		{"a name with a dot and a slash", `{"acme.com/a~b":"x","id":"a"}`, params{ID: "a"}, "/acme.com~1a~0b"},
		{"name twice", `{"id":"a","id":"b"}`, params{ID: "b"}, ""},
		{"invalid UTF-8", "{\"id\":\"a\xff\",\"\xfe\":1}", params{ID: "a\ufffd"}, ""},
		{"lone surrogate", `{"id":"\ud800"}`, params{ID: "\ufffd"}, ""},
		{"deep unknown field", `{"x":` + nested("[", "]", 9_000) + `,"id":"a"}`, params{ID: "a"}, ""},
		{"deep wrong field", `{"count":` + nested(`{"a":`, `}`, 9_000) + `,"id":"a"}`, params{ID: "a"}, "/count"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := dialect.Lenient[params](json.RawMessage(c.raw))
			if !dialect.Usable(err) {
				t.Fatalf("a hard error: %v", err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("params (-want +got):\n%s", d)
			}
			field := ""
			var soft *dialect.SoftError
			if errors.As(err, &soft) {
				field = soft.Field
			}
			if field != c.soft {
				t.Errorf("soft error %v is about %q, want %q", err, field, c.soft)
			}
		})
	}
}

func TestLenientRefusesWhatIsNoObject(t *testing.T) {
	for name, raw := range map[string]string{
		"array":        `[]`,
		"string":       `"{}"`,
		"number":       `17`,
		"word":         `true`,
		"half null":    `nul`,
		"more":         `null null`,
		"BOM":          "\xef\xbb\xbf{}",
		"truncated":    `{"id":"a"`,
		"no comma":     `{"id":"a" "count":1}`,
		"last comma":   `{"id":"a",}`,
		"more objects": `{"id":"a"}{}`,
		"control":      "{\"id\":\"a\n\"}",
		"too deep":     nested(`{"a":`, `}`, 10_001),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := dialect.Lenient[params](json.RawMessage(raw))
			var hard *dialect.ParamsError
			if !errors.As(err, &hard) || hard.Field != "" || dialect.Usable(err) {
				t.Errorf("error is %v, want a ParamsError about the params", err)
			}
			if d := cmp.Diff(params{}, got); d != "" {
				t.Errorf("params of a hard error (-want +got):\n%s", d)
			}
		})
	}
}

func TestErrorsRepeatNothingTheAgentSent(t *testing.T) {
	const private = "98765432109876543210987"
	for _, raw := range []string{
		`{"count":` + private + `}`,
		`{"id":` + private + `}`,
		`{"flag":"` + private + `"}`,
		`{"words":{"` + private + `":7}}`,
		`{"inner":{"` + private + `":7,"name":[]}}`,
		`{"` + private,
		`"` + private + `"`,
	} {
		_, err := dialect.Lenient[params](json.RawMessage(raw))
		if err == nil {
			t.Errorf("%s: no error", raw)
			continue
		}
		if strings.Contains(err.Error(), private) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestMissingNamesTheField(t *testing.T) {
	err := dialect.MissingField("toolCallId")
	if got, want := err.Error(), `dialect: field "toolCallId" is missing`; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if dialect.Usable(err) {
		t.Error("a missing field leaves the params usable")
	}
}

func TestSoftErrorUnwraps(t *testing.T) {
	inner := errors.New("odd")
	for _, c := range []struct{ field, want string }{{"", "dialect: odd"}, {"/a", "dialect: field /a: odd"}} {
		err := &dialect.SoftError{Field: c.field, Err: inner}
		if err.Error() != c.want || !errors.Is(err, inner) {
			t.Errorf("error %q, want %q around the cause", err, c.want)
		}
	}
}

func FuzzLenient(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"id":7,"count":"x","list":[null,{}],"entries":[7,{"name":[]}],"words":{"a":1}}`,
		`{"number":"1.5","pointer":{"name":1}}`, "{\"id\":\"\xff\"}", `{"id":"a`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		kept := bytes.Clone(raw)
		p, err := dialect.Lenient[params](raw)
		again, errAgain := dialect.Lenient[params](raw)
		if !bytes.Equal(raw, kept) {
			t.Error("the input was changed")
		}
		if d := cmp.Diff(p, again); d != "" {
			t.Errorf("two runs differ:\n%s", d)
		}
		if (err == nil) != (errAgain == nil) {
			t.Errorf("two runs give %v and %v", err, errAgain)
		}
		var hard *dialect.ParamsError
		if !dialect.Usable(err) && !errors.As(err, &hard) {
			t.Errorf("error %v is neither soft nor a ParamsError", err)
		}
		if _, ok := rawjson.Members(raw); ok != (json.Valid(raw) && bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{"))) {
			t.Errorf("Object says %v", ok)
		}
		if d := rawjson.Get(raw, "id"); d != nil && !json.Valid(d) {
			t.Errorf("At gives %q", d)
		}
	})
}

func nested(open, end string, depth int) string {
	return strings.Repeat(open, depth) + "null" + strings.Repeat(end, depth)
}
