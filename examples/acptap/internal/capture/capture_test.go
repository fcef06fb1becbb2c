package capture

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	want := []Line{
		{In, []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)},
		{Out, []byte(`{"a" : "\u001b\n" }`)},
		{In, []byte(`not JSON`)},
		{In, []byte(`1},"x":{`)},
		{In, []byte(`null`)},
		{In, []byte(``)},
		{In, []byte(deep)},
	}
	var buf bytes.Buffer
	w := NewWriter(&buf)
	for _, l := range want {
		w.Line(l.Dir, l.Wire)
	}
	var got []Line
	if err := Read(&buf, func(l Line) { got = append(got, l) }, func(err error) { t.Error(err) }); err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBytesThatAreNoUTF8LeaveAGoodCapture(t *testing.T) {
	var buf bytes.Buffer
	NewWriter(&buf).Line(In, []byte("{\"a\":\"\xff\xfe\"}"))
	err := Read(&buf, func(l Line) {
		if string(l.Wire) != "{\"a\":\"\uFFFD\uFFFD\"}" {
			t.Errorf("read %q", l.Wire)
		}
	}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriterKeepsItsFirstError(t *testing.T) {
	w := NewWriter(full{})
	w.Line(In, []byte(`1`))
	w.Line(In, []byte(`2`))
	if w.Err() == nil {
		t.Error("there is no error")
	}
}
