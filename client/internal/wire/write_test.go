package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A gate is a stream whose reader opens it for one write at a time.
type gate struct {
	open chan struct{}
	got  bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	return g.got.Write(p)
}

func lines(b *bytes.Buffer) []string {
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestWriterKeepsOrderAndDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		wr := NewWriter(g, nil, nil)
		var written []string
		send := func(s string) *Outgoing {
			o, err := wr.Send([]byte(s), func(err error) { written = append(written, fmt.Sprint(s, " ", err)) })
			if err != nil {
				t.Error(err)
			}
			return o
		}
		first := send("1")
		synctest.Wait()
		wr.Answer([]byte(`7`), []byte(`{}`), nil)
		dropped := send("2")
		wr.Answer([]byte(`8`), nil, nil)
		wr.Answer([]byte(`9`), nil, &Error{Code: 1, Message: "m"})
		send("3")
		if wr.Drop(first) || !wr.Drop(dropped) || wr.Drop(dropped) {
			t.Error("what is being written cannot be dropped, what is not can, once")
		}
		close(g.open)
		synctest.Wait()
		want := []string{"1", `{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","id":8,"result":null}`,
			`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"m"}}`, "3"}
		if diff := cmp.Diff(want, lines(&g.got)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"1 <nil>", "3 <nil>"}, written); diff != "" {
			t.Error(diff)
		}
		wr.Close(io.EOF)
		<-wr.Done()
	})
}

// What is owed grows with answers that are not written, and is nothing when they
// are.
func TestWriterCountsWhatIsOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		wr := NewWriter(g, nil, nil)
		var owed []int64
		result := []byte(`"` + strings.Repeat("x", 100<<10) + `"`)
		for range 3 {
			owed = append(owed, wr.Answer([]byte(`1`), result, nil)>>10)
			wr.Wake()
			synctest.Wait()
		}
		close(g.open)
		synctest.Wait()
		owed = append(owed, wr.Answer([]byte(`1`), nil, nil))
		if diff := cmp.Diff([]int64{0, 100, 200, 0}, owed); diff != "" {
			t.Error(diff)
		}
		wr.Close(io.EOF)
		<-wr.Done()
	})
}

func TestWriterShowsItsFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		var shown []string
		wr := NewWriter(&got, func(line []byte) { shown = append(shown, string(line)) }, nil)
		wr.Answer([]byte(`1`), []byte(`{}`), nil)
		wr.Answer([]byte(`2`), []byte(`{"token":"t"}`), nil)
		wr.Answer([]byte(`3`), []byte(`{}`), nil)
		wr.Send([]byte("x"), nil)
		wr.Flush(time.Second)
		if diff := cmp.Diff([]string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{"token":"t"}}`, `{"jsonrpc":"2.0","id":3,"result":{}}`, "x"}, shown); diff != "" {
			t.Error(diff)
		}
		if want := strings.Join(shown, "\n") + "\n"; got.String() != want {
			t.Errorf("wrote %s, showed %s", got.String(), want)
		}
		wr.Close(io.EOF)
		<-wr.Done()
	})
}

func TestWriterEndsWithAFailure(t *testing.T) {
	for name, w := range map[string]io.Writer{"error": failing{0, io.ErrClosedPipe}, "short": failing{1, nil}} {
		t.Run(name, func(t *testing.T) {
			reason := errors.New("the reason")
			var cause error
			wr := NewWriter(w, nil, func(err error) error { cause = err; return reason })
			told := make(chan error, 2)
			wr.Send([]byte("frame"), func(err error) { told <- err })
			<-wr.Done()
			if err := <-told; err != reason {
				t.Errorf("the frame's sender is told %v", err)
			}
			if want := w.(failing).err; want != nil && cause != want || want == nil && cause != io.ErrShortWrite {
				t.Errorf("the owner is told %v", cause)
			}
			if _, err := wr.Send([]byte("later"), nil); err != reason {
				t.Errorf("a later sender is told %v", err)
			}
		})
	}
}

type failing struct {
	n   int
	err error
}

func (f failing) Write([]byte) (int, error) { return f.n, f.err }

// Close tells who waits, and waits for nobody; Flush waits for at most its time.
func TestWriterCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{open: make(chan struct{})}
		wr := NewWriter(g, nil, nil)
		told := make(chan error, 2)
		for range 2 {
			wr.Send([]byte("frame"), func(err error) { told <- err })
		}
		begun := time.Now()
		wr.Flush(time.Second)
		if took := time.Since(begun); took != time.Second {
			t.Errorf("Flush took %v", took)
		}
		wr.Close(io.EOF)
		close(g.open)
		<-wr.Done()
		if first, second := <-told, <-told; first != nil || second != io.EOF {
			t.Errorf("told %v and %v", first, second)
		}
	})
}
