package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// onTerminal plays what was written on a terminal and gives what stands on it.
func onTerminal(t *testing.T, written string, width int) string {
	t.Helper()
	rows, row, col := [][]rune{nil}, 0, 0
	parser := ansi.NewParser()
	parser.SetHandler(ansi.Handler{
		Print: func(r rune) {
			if col == width {
				row, col = row+1, 0
			}
			for len(rows) <= row {
				rows = append(rows, nil)
			}
			for len(rows[row]) <= col {
				rows[row] = append(rows[row], ' ')
			}
			rows[row][col] = r
			col++
		},
		Execute: func(b byte) {
			switch b {
			case '\n': // as a terminal's driver makes it
				row, col = row+1, 0
			case '\r':
				col = 0
			}
		},
		HandleCsi: func(cmd ansi.Cmd, params ansi.Params) {
			n, _, _ := params.Param(0, 1)
			switch cmd.Final() {
			case 'A':
				row -= n
			case 'C':
				col += n
			case 'J':
				if row < len(rows) {
					rows = rows[:row+1]
					rows[row] = rows[row][:min(col, len(rows[row]))]
				}
			}
		},
	})
	for _, b := range []byte(written) {
		parser.Advance(b)
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(string(r), " "))
	}
	return strings.Join(lines, "\n")
}

func TestLivePartStandsBelowTheText(t *testing.T) {
	const width, height = 10, 6
	for name, test := range map[string]struct {
		do   func(*Screen)
		want string
	}{
		"whole lines":       {func(s *Screen) { s.Print("one\n"); s.Live([]string{"L1", "L2"}); s.Print("two\n") }, "one\ntwo\n\nL1\nL2"},
		"a line flows on":   {func(s *Screen) { s.Print("ab"); s.Live([]string{"L"}); s.Print("cd"); s.Print("ef\n") }, "abcdef\n\nL"},
		"it changes":        {func(s *Screen) { s.Print("x"); s.Live([]string{"1", "2", "3"}); s.Live([]string{"4"}) }, "x\n\n4"},
		"it goes":           {func(s *Screen) { s.Print("x"); s.Live([]string{"1"}); s.Live(nil); s.Print("y") }, "xy"},
		"a line that wraps": {func(s *Screen) { s.Print("0123456789abc"); s.Live([]string{"L"}); s.Print("d") }, "0123456789\nabcd\n\nL"},
		"a full line":       {func(s *Screen) { s.Print("0123456789"); s.Live([]string{"L"}); s.Print("a") }, "0123456789\na\n\nL"},
		"too wide":          {func(s *Screen) { s.Live([]string{"0123456789abc"}); s.Print("x\n") }, "x\n\n01234567…"},
		"too high":          {func(s *Screen) { s.Live([]string{"1", "2", "3", "4", "5"}); s.Print("x\n") }, "x\n\n1\n2\n… 3 more…"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			test.do(NewScreen(&out, func() (int, int) { return width, height }, func(err error) { t.Error(err) }))
			if diff := cmp.Diff(test.want, onTerminal(t, out.String(), width)); diff != "" {
				t.Errorf("-want +got:\n%s\nwritten %q", diff, out.String())
			}
		})
	}
}

func TestNothingIsWrittenIntoWhatIsTyped(t *testing.T) {
	var out bytes.Buffer
	s := NewScreen(&out, func() (int, int) { return 80, 24 }, func(err error) { t.Error(err) })
	s.Live([]string{"live"})
	s.beginAsking("name? ")
	s.Print("meanwhile\n")
	s.Live([]string{"other"})
	out.WriteString("typed\n")
	s.endAsking(false)
	if diff := cmp.Diff("name? typed\nmeanwhile\n\nother", onTerminal(t, out.String(), 80)); diff != "" {
		t.Errorf("-want +got:\n%s\nwritten %q", diff, out.String())
	}
}

func TestElsewhereThereIsNoLivePart(t *testing.T) {
	var out bytes.Buffer
	s := NewScreen(&out, nil, func(err error) { t.Error(err) })
	s.Print("a")
	s.Live([]string{"live"})
	s.Print("b\n")
	if out.String() != "ab\n" {
		t.Errorf("written is %q", out.String())
	}
}

func TestCleanTextHasNoControls(t *testing.T) {
	for in, want := range map[string]string{
		"plain ✓ text\n\tok": "plain ✓ text\n\tok",
		"a\r\nb":             "a\nb",
		"a\r\nb\x1b[2J":      "a\nb␛[2J",
		"\x7f\u0085\u2028":   "␡\uFFFD\uFFFD",
		"\u202eevil\u2066":   "\uFFFDevil\uFFFD",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) is %q, want %q", in, got, want)
		}
	}
}
