package capture

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
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
	if err := Read(&buf, func(l Line) { got = append(got, l) }); err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBytesThatAreNoUTF8LeaveAGoodCapture(t *testing.T) {
	var buf bytes.Buffer
	NewWriter(&buf).Line(In, []byte("{\"a\":\"\xff\"}"))
	err := Read(&buf, func(l Line) {
		if string(l.Wire) != "{\"a\":\"\uFFFD\"}" {
			t.Errorf("read %q", l.Wire)
		}
	})
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

func TestMask(t *testing.T) {
	var reg registry.Registry
	reg.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{dialect.Ask[struct{}, struct{}]{
		Name: "acme/key", Secret: true,
		Correlate: func(struct{}) (l dialect.Link, q dialect.Question) { return },
		Reply:     func(struct{}, dialect.Answer) (r struct{}, err error) { return },
	}}})
	m := &Mask{Registry: &reg}
	for _, step := range []struct{ dir, line, want string }{
		{Out, `{"params":{"env":[{"name":"KEY","value":"v"}]}}`, `{"params":{"env":[{"name":"KEY","value":"***"}]}}`},
		{In, `{"apiKey":"k","inputTokens":3,"note":"token"}`, `{"apiKey":"***","inputTokens":3,"note":"token"}`},
		{In, `{ "no" : "secrets" }`, `{ "no" : "secrets" }`},
		{In, `token is no JSON`, `token is no JSON`},
		{In, `{"id":7,"method":"acme/key"}`, `{"id":7,"method":"acme/key"}`},
		{Out, `{"id":8,"result":"free"}`, `{"id":8,"result":"free"}`},
		{Out, `{"id":7,"result":{"value":"v"}}`, `{"id":7,"result":"***"}`},
		{Out, `{"id":7,"result":{"value":"v"}}`, `{"id":7,"result":{"value":"v"}}`},
	} {
		if got := string(m.Line(step.dir, []byte(step.line))); got != step.want {
			t.Errorf("%s %s is recorded as %s, want %s", step.dir, step.line, got, step.want)
		}
	}
}
