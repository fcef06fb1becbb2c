package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       Frame
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":1}}`, Frame{Version: true, ID: []byte(`1`), Method: "a/b", Params: []byte(`{"x":1}`)}},
		{"notification", ` {"method" : "a" , "params" : null } `, Frame{Method: "a", Params: []byte(`null`)}},
		{"null id", `{"id":null,"method":"a"}`, Frame{ID: []byte(`null`), Method: "a"}},
		{"result", `{"jsonrpc":"2.0","id":"x","result":null}`, Frame{Version: true, ID: []byte(`"x"`), Result: []byte(`null`)}},
		{"error", `{"jsonrpc":"2.0","id":0,"error":{"code":1}}`, Frame{Version: true, ID: []byte(`0`), Error: []byte(`{"code":1}`)}},
		{"null error beside a result", `{"jsonrpc":"2.0","id":0,"error":null,"result":1}`, Frame{Version: true, ID: []byte(`0`), Result: []byte(`1`)}},
		{"null error alone", `{"jsonrpc":"2.0","id":0,"error":null}`, Frame{Version: true, ID: []byte(`0`), Error: []byte(`null`)}},
		{"escaped name", `{"m\u0065thod":"\u0061"}`, Frame{Method: "a"}},
		{"names that are no text", "{\"\\ud800\":1,\"\xff\\n\":2,\"method\":\"a\"}", Frame{Method: "a"}},
		{"the last of two counts", `{"id":1,"method":"a","id":2,"method":"b"}`, Frame{ID: []byte(`2`), Method: "b"}},
		{"names are exact", `{"ID":1,"Method":"b","method":"a"}`, Frame{Method: "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.line))
			tt.want.Size, tt.want.Line = len(tt.line), []byte(tt.line)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{
		``, `x`, `1`, `"a"`, `null`, `{`, `{}`, `{"id":1}`, `{"method":1}`, `{"method":null,"jsonrpc":"2.0","id":1,"result":1}`,
		`{"method":""}`, `{"id":1,"result":1}`, `{"jsonrpc":"2.1","id":1,"result":1}`, `{"jsonrpc":"2.0","result":1}`,
		`{"id":{},"method":"a"}`, `{"id":[1],"method":"a"}`, `{"method":"a"} {"method":"b"}`, `{"method":"a"}x`, `{"method":"a",}`,
		"{\"method\":\"a\nb\"}", `{"method":"a","params":01}`, `{"method":"a","params":"\x"}`,
		`{"method":"a","params":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`,
	} {
		if f, err := Parse([]byte(line)); err == nil {
			t.Errorf("%.80s is taken for %+v", line, f)
		}
	}
}

func TestParseAllTakesABatchApart(t *testing.T) {
	frames, errs := ParseAll([]byte(` [ {"method":"a"} , 7, {"id":1,"method":"b"}, [], {} ] `))
	var got []string
	for i, f := range frames {
		if errs[i] != nil {
			got = append(got, "noise")
			continue
		}
		got = append(got, f.Method+string(f.ID))
	}
	if diff := cmp.Diff([]string{"a", "noise", "b1", "noise", "noise"}, got); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{`[]`, `[`, `[{"method":"a"}`, `[{"method":"a"}] x`} {
		if frames, errs := ParseAll([]byte(line)); len(frames) != 1 || errs[0] == nil {
			t.Errorf("%s gives %d frames, %v", line, len(frames), errs)
		}
	}
}
