package client

import (
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestLineAndLimitAreCountedAsTheProtocolSays(t *testing.T) {
	ws := tempDir(t)
	l := looped(t, &Workspace{Files: ReadFiles}, nil, ws)
	put(t, ws+"/unix", "1\n2\n3\n")
	put(t, ws+"/mixed", "1\r\n\n3\rstill 3\n4")
	put(t, ws+"/empty", "")
	for _, c := range []struct{ file, window, want string }{
		{"unix", ``, "1\n2\n3\n"},
		{"unix", `,"line":null,"limit":null`, "1\n2\n3\n"},
		{"unix", `,"line":1`, "1\n2\n3\n"},
		{"unix", `,"line":0`, "1\n2\n3\n"},
		{"unix", `,"line":0,"limit":1`, "1\n"},
		{"unix", `,"line":2`, "2\n3\n"},
		{"unix", `,"line":2,"limit":1`, "2\n"},
		{"unix", `,"line":3,"limit":5`, "3\n"},
		{"unix", `,"line":4`, ""},
		{"unix", `,"line":5,"limit":1`, ""},
		{"unix", `,"line":9007199254740991`, ""},
		{"unix", `,"limit":9007199254740991`, "1\n2\n3\n"},
		{"unix", `,"limit":0`, ""},
		{"unix", `,"limit":2`, "1\n2\n"},
		{"mixed", `,"limit":2`, "1\r\n\n"},
		{"mixed", `,"line":3,"limit":1`, "3\rstill 3\n"},
		{"mixed", `,"line":4`, "4"},
		{"empty", `,"line":1,"limit":1`, ""},
	} {
		var got acp.ReadTextFileResponse
		l.result(fsRead, params(`{"sessionId":"s1","path":"$WS/`+c.file+`"`+c.window+`}`, ws, ""), &got)
		if diff := cmp.Diff(c.want, got.Content); diff != "" {
			t.Errorf("%s%s:%s", c.file, c.window, diff)
		}
	}
	runFileCases(t, l, ws, "", []fileCase{
		{fsRead, `{"sessionId":"s1","path":"$WS/unix","line":-1}`, "-32602", "line must not be negative"},
		{fsRead, `{"sessionId":"s1","path":"$WS/unix","limit":-1}`, "-32602", "limit must not be negative"},
	})
}

// FuzzWindow: the windows of a file, one after the other, are the file.
func FuzzWindow(f *testing.F) {
	f.Add("1\n2\r\n\n3", 2)
	f.Add("", 1)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = limit&0xff + 1
		var parts strings.Builder
		for from := 1; from <= strings.Count(text, "\n")+1; from += limit {
			part := window(text, from, limit)
			if strings.Count(strings.TrimSuffix(part, "\n"), "\n") >= limit {
				t.Fatalf("%q has more than %d lines", part, limit)
			}
			parts.WriteString(part)
		}
		if diff := cmp.Diff(text, parts.String()); diff != "" {
			t.Error(diff)
		}
	})
}
