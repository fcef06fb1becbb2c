package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is recorded is whole lines, however they come: a part of one could hide no
// credentials.
func TestRecorderGivesWholeLines(t *testing.T) {
	for name, test := range map[string]struct {
		writes, want []string
	}{
		"lines":        {[]string{"a\nb\r\n", "c\n"}, []string{"a", "b", "c"}},
		"pieces":       {[]string{"a", "b\nc", "\n"}, []string{"ab", "c"}},
		"no end":       {[]string{"a\n", `{"x":1}`}, []string{"a", `{"x":1}`}},
		"cut off":      {[]string{`{"token":"hun`}, []string{"(a last line of 13 bytes was cut off and left out)"}},
		"text cut off": {[]string{"Loading"}, []string{"Loading"}},
		"too long":     {[]string{strings.Repeat("x", maxLine), "x\n", "a\n"}, []string{"(a line of more than 64 MiB was left out)", "a"}},
	} {
		var got []string
		r := &recorder{line: func(line []byte) { got = append(got, string(line)) }}
		for _, w := range test.writes {
			r.Write([]byte(w))
		}
		r.end()
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
	}
}
