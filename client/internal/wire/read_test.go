package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAll gives the lines of a stream, and how each that is none is told.
func readAll(r *Reader) (lines []string, end error) {
	for {
		line, err := r.Next()
		var over *OversizeError
		switch {
		case err == nil:
			lines = append(lines, string(line))
		case errors.As(err, &over):
			lines = append(lines, fmt.Sprintf("%d bytes, id %s, request %t, response %t", over.Size, over.ID, over.Request, over.Response))
		default:
			return lines, err
		}
	}
}

func TestReaderGivesLines(t *testing.T) {
	long := strings.Repeat("x", 3*edge)
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a\nb\r\n\n\r\n", []string{"a", "b", "", ""}},
		{"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", []string{"a", "b"}},
		{"a\nlast", []string{"a", "last"}},
		{long + "\n" + long + "\nc", []string{long, long, "c"}},
		{long[:edge] + "\n" + long[:edge-1] + "\n", []string{long[:edge], long[:edge-1]}},
	} {
		for name, r := range map[string]io.Reader{
			"whole":       strings.NewReader(tt.in),
			"by the byte": iotest.OneByteReader(strings.NewReader(tt.in)),
			"with EOF":    iotest.DataErrReader(strings.NewReader(tt.in)),
		} {
			lines, err := readAll(NewReader(r, 1<<20))
			if diff := cmp.Diff(tt.want, lines); diff != "" || err != io.EOF {
				t.Errorf("%.20q %s: %v %.300s", tt.in, name, err, diff)
			}
		}
	}
}

func TestReaderSaysWhetherALineIsTheTail(t *testing.T) {
	r := NewReader(strings.NewReader("a\nb"), 10)
	for _, want := range []bool{false, true} {
		if _, err := r.Next(); err != nil || r.Tail() != want {
			t.Errorf("%v, tail %t, want %t", err, r.Tail(), want)
		}
	}
}

func TestReaderKnowsWhetherThereIsMore(t *testing.T) {
	r := NewReader(strings.NewReader("a\nb\nc"), 10)
	var got []bool
	for range 3 {
		r.Next()
		got = append(got, r.More())
	}
	if diff := cmp.Diff([]bool{true, false, false}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReaderPassesOnAFailure(t *testing.T) {
	broken := errors.New("broken")
	lines, err := readAll(NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10))
	if diff := cmp.Diff([]string{"a", "b"}, lines); diff != "" || err != broken {
		t.Error(err, diff)
	}
}

func TestReaderSkipsWhatIsTooLarge(t *testing.T) {
	fill := strings.Repeat("x", 3*edge)
	deep := strings.Repeat(`{"id":8,"method":[`, 1000) + strings.Repeat(`]}`, 1000)
	for _, tt := range []struct{ name, line, want string }{
		{"request, id ahead", `{"id":"a","method":"m","params":"` + fill + `"}`, `id "a", request true, response false`},
		{"request, id behind", `{"method":"m","params":"` + fill + `","id":5}  `, `id 5, request true, response false`},
		{"request, all behind", `{"params":"` + fill + `","method":"m","id":null}`, `id null, request true, response false`},
		{"request, both ends", `{"id":1,"params":"` + fill + `","method":"m","id":2}`, `id 2, request true, response false`},
		{"notification", `{"method":"m","params":"` + fill + `"}`, `id , request true, response false`},
		{"notification whose params hold an id", `{"method":"m","params":{"x":"` + fill + `","id":5}}`, `id , request true, response false`},
		{"notification whose text looks like an id", `{"method":"m","params":"` + fill + `,\"id\":5}`, `id , request true, response false`},
		{"id as a value", `{"params":["` + fill + `","id",{"id":"id"}],"id":6,"x":{"id":7},"method":"id"}`, `id 6, request true, response false`},
		{"escapes", `{"x":"` + fill + `\\","id":"a\"\\","y":"\\\"","method":"m"}`, `id "a\"\\", request true, response false`},
		{"nesting", `{"x":"` + fill + `","y":` + deep + `,"id":4,"z":` + deep + `,"method":"m"}`, `id 4, request true, response false`},
		{"id that is none", `{"id":{"a":1},"method":"m","params":"` + fill + `"}`, `id , request true, response false`},
		{"number at the cut", `{"method":"m","x":"` + fill[:edge-29] + `","id":123` + strings.Repeat("4", 3*edge) + `}`, `id , request true, response false`},
		{"answer", `{"jsonrpc":"2.0","id":3,"result":"` + fill + `"}`, `id 3, request false, response true`},
		{"answer, all behind", `{"error":"` + fill + `","jsonrpc":"2.0","id":3}`, `id 3, request false, response true`},
		{"answer without version", `{"id":3,"result":"` + fill + `"}`, `id 3, request false, response false`},
		{"both", `{"jsonrpc":"2.0","id":3,"result":"` + fill + `","method":"m"}`, `id 3, request true, response false`},
		{"batch", `[{"id":1,"method":"m","params":"` + fill + `"}]`, `id , request false, response false`},
		{"noise", fill, `id , request false, response false`},
		{"brackets", strings.Repeat("[", 2*edge) + strings.Repeat("]", 2*edge), `id , request false, response false`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, max := range []int64{100, edge, 2*edge - 1} {
				got, err := readAll(NewReader(strings.NewReader("a\n"+tt.line+"\nb"), max))
				want := []string{"a", fmt.Sprintf("%d bytes, %s", len(tt.line), tt.want), "b"}
				if diff := cmp.Diff(want, got); diff != "" || err != io.EOF {
					t.Errorf("max %d: %v %s", max, err, diff)
				}
			}
		})
	}
	got, _ := readAll(NewReader(strings.NewReader(fill), edge))
	if diff := cmp.Diff([]string{fmt.Sprint(len(fill), " bytes, id , request false, response false")}, got); diff != "" {
		t.Error("at the end of the stream:", diff)
	}
}

// A line that is as long as allowed is not too long.
func TestReaderTakesWhatIsJustNotTooLarge(t *testing.T) {
	for _, max := range []int{1, 100, edge - 1, edge, edge + 1, 3*edge + 7} {
		fits := strings.Repeat("x", max)
		got, _ := readAll(NewReader(strings.NewReader(fits+"\n"+fits+"x\nb"), int64(max)))
		if len(got) != 3 || got[0] != fits || !strings.HasPrefix(got[1], fmt.Sprint(max+1, " bytes")) || got[2] != "b" {
			t.Errorf("max %d: %.100q", max, got)
		}
	}
}
