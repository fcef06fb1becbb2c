package client

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
)

func TestTailBeginsWithACharacter(t *testing.T) {
	for _, c := range []struct {
		max   int
		text  string
		final bool
		want  string
		cut   bool
	}{
		{10, "short", true, "short", false},
		{5, "short", true, "short", false},
		{4, "short", true, "hort", true},
		{0, "", true, "", false},
		{0, "x", true, "", true},
		{1, "€😀", true, "", true},
		{3, "€😀", true, "", true},
		{4, "€😀", true, "😀", true},
		{6, "€😀", true, "😀", true},
		{7, "€😀", true, "€😀", false},
		{9, "ab\xe2\x82", false, "ab", false},
		{9, "ab\xe2\x82", true, "ab\uFFFD", false},
		{9, "ab\xf0\x9f\x98", false, "ab", false},
		{9, "ab\xff", false, "ab\uFFFD", false},
		{4, "\xff\xfe\xfd\xfca", true, "\uFFFDa", true},
		{3, "a\xff", true, "\uFFFD", true}, // what it is replaced by is longer
		{2, "a\xff", true, "", true},
		{4, "\x80\x80\x80\x80\x80", true, "\uFFFD", true},
	} {
		tl := tail{max: c.max}
		_, _ = tl.Write([]byte(c.text))
		got, cut := tl.text(c.final)
		if got != c.want || cut != c.cut {
			t.Errorf("%d of %q: %q, %v; want %q, %v", c.max, c.text, got, cut, c.want, c.cut)
		}
	}
}

// FuzzTail: however it is written, what is kept is the end, in whole characters.
func FuzzTail(f *testing.F) {
	f.Add([]byte("€😀 and\xff more"), 5, 3)
	f.Fuzz(func(t *testing.T, text []byte, max, chunk int) {
		max, chunk = max&0xff, chunk&0xf+1
		tl := tail{max: max}
		for rest := text; len(rest) > 0; {
			n := min(chunk, len(rest))
			_, _ = tl.Write(rest[:n])
			rest = rest[n:]
			if got, _ := tl.text(false); !utf8.ValidString(got) || len(got) > max {
				t.Fatalf("%q is not text of %d bytes", got, max)
			}
		}
		got, cut := tl.text(true)
		if !utf8.ValidString(got) || len(got) > max {
			t.Fatalf("%q is not text of %d bytes", got, max)
		}
		if !cut && got != strings.ToValidUTF8(string(text), "\uFFFD") && len(text) <= max {
			t.Fatalf("%q became %q, and nothing was cut", text, got)
		}
		if !utf8.Valid(text) {
			return
		}
		if cut != (len(text) > max) || !strings.HasSuffix(string(text), got) {
			t.Fatalf("%q became %q, cut: %v", text, got, cut)
		}
		if missing := max - len(got); cut && missing >= utf8.UTFMax {
			t.Fatalf("%q became %q, which is %d bytes less than there is room for", text, got, missing)
		}
	})
}

func TestTailStaysSmall(t *testing.T) {
	tl := tail{max: 1000}
	for range 10_000 {
		_, _ = tl.Write(bytes.Repeat([]byte("x"), 700))
	}
	if size := cap(tl.buf); size > 10*tl.max {
		t.Errorf("%d bytes are held for a tail of %d", size, tl.max)
	}
}

func TestLastLines(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 3, ""}, {"\n\n", 3, ""}, {"one", 3, "one"}, {"one\ntwo\n", 1, "two"},
		{"one\ntwo\r\nthree\r\n\n", 2, "two\r\nthree"}, {"a\nb", 2, "a\nb"},
	} {
		if diff := cmp.Diff(c.want, lastLines(c.text, c.n)); diff != "" {
			t.Errorf("%d of %q: %s", c.n, c.text, diff)
		}
	}
}

func TestStderrIsLoggedLineByLine(t *testing.T) {
	var out bytes.Buffer
	log := hclog.New(&hclog.LoggerOptions{Level: hclog.Debug, Output: &out, JSONFormat: true, DisableTime: true})
	l := &logLines{log: log, command: "acme"}
	for _, part := range []string{"one\ntw", "o\r\n", "\n", strings.Repeat("x", longLine+1), "\nend"} {
		_, _ = l.Write([]byte(part))
	}
	l.flush()
	var want strings.Builder
	for _, line := range []string{"one", "two", strings.Repeat("x", longLine), "x", "end"} {
		fmt.Fprintf(&want, `{"@level":"debug","@message":"agent's stderr","command":"acme","line":%q}`+"\n", line)
	}
	if diff := cmp.Diff(want.String(), out.String()); diff != "" {
		t.Error(diff)
	}
}
