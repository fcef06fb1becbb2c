package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
)

// Any bytes: every line comes once, those within the limit as they are, of the
// others the size and an id that is theirs.
func FuzzReader(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfa\r\n\nb"), int64(3))
	f.Add([]byte("\n\xef\xbb\xbf"), int64(10))
	f.Add([]byte(`{"id":1,"method":"m","params":"xxxxxxxxxxxxxxxxxxxx"}`+"\n{}\n"), int64(10))
	f.Add([]byte(`{"x":"\\","id":"\"","result":[{}],"jsonrpc":"2.0"}`+"\n"), int64(10))
	f.Fuzz(func(t *testing.T, in []byte, max int64) {
		max = max&0xffff + 1
		r := NewReader(bytes.NewReader(in), max)
		text := in
		for {
			got, err := r.Next()
			if err == io.EOF {
				if len(text) > 0 {
					t.Fatalf("%q never came", text)
				}
				return
			}
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			text = rest
			var over *OversizeError
			if errors.As(err, &over) {
				if over.Size != int64(len(line)) || over.Size <= max {
					t.Fatalf("a line of %d bytes is told as %d; the limit is %d", len(line), over.Size, max)
				}
				if over.ID != nil && !json.Valid(over.ID) {
					t.Fatalf("the id %q is no JSON", over.ID)
				}
				if members, ok := envelope(line); ok && len(line) < edge && over.ID != nil && !bytes.Equal(over.ID, members["id"]) {
					t.Fatalf("the id of %q is told as %q", line, over.ID)
				}
				continue
			}
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			if want := bytes.TrimSuffix(line, []byte("\r")); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("got %q, %v; want %q", got, err, want)
			}
		}
	})
}

// envelope is what encoding/json makes of a line.
func envelope(line []byte) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	return m, json.Unmarshal(line, &m) == nil && m != nil
}

// The envelope agrees with encoding/json on what is JSON and on every member.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":[1,"\u00e9\ud800",null,true,-1.5e+3]}}`,
		`{"jsonrpc":"2.0","id":"\"","result":null}`, `{"id":null,"method":"","error":{}}`, `{"m\u0065thod":"a","id":1,"id":2}`,
		"{\"method\":\"\xff\",\"\xfe\":1}", ` [1, {"method":"a"}] `, `{"method":"a"}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return // no line holds one
		}
		got, err := Parse(line)
		m, ok := envelope(line)
		if !ok {
			if err == nil {
				t.Fatalf("%q is no object, and is taken for %+v", line, got)
			}
			return
		}
		var method string
		named := json.Unmarshal(m["method"], &method) == nil && m["method"][0] == '"'
		if len(m["error"]) > 0 && m["result"] != nil && string(m["error"]) == "null" {
			m["error"] = nil
		}
		response := m["id"] != nil && string(m["jsonrpc"]) == `"2.0"` && (m["result"] != nil || m["error"] != nil)
		valid := named && method != "" || m["method"] == nil && response
		if id := m["id"]; id != nil && (id[0] == '{' || id[0] == '[') {
			valid = false
		}
		if valid != (err == nil) && !twice(line) {
			t.Fatalf("%q: %v, %+v", line, err, got)
		}
		if err != nil {
			return
		}
		for name, pair := range map[string][2][]byte{
			"id": {got.ID, m["id"]}, "params": {got.Params, m["params"]}, "result": {got.Result, m["result"]}, "error": {got.Error, m["error"]},
		} {
			if !bytes.Equal(pair[0], pair[1]) || (pair[0] == nil) != (pair[1] == nil) {
				t.Fatalf("%q: %s is %q, want %q", line, name, pair[0], pair[1])
			}
		}
		if named && string([]rune(got.Method)) != method || got.Version != (string(m["jsonrpc"]) == `"2.0"`) {
			t.Fatalf("%q: method %q, version %t", line, got.Method, got.Version)
		}
	})
}

// twice reports whether "method" may stand twice: one that is no text is refused
// even where another follows.
func twice(line []byte) bool { return bytes.Count(line, []byte("thod")) > 1 }
