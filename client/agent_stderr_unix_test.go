//go:build unix

package client

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
)

// stuck is a writer that fails.
type stuck struct{}

func (stuck) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestStderrIsAlwaysReadAndItsEndKept(t *testing.T) {
	c := crewOf(t, "agent")
	var log syncBuffer
	c.cmd.Stderr = stuck{}
	a := crewed(t, c, nil, &Options{Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Debug, Output: &log})}, patient)
	if err := prompted(t, a, "stderr 30000"); err != nil {
		t.Fatal(err)
	}
	err := prompted(t, a, "exit 1")
	var exit *ExitError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	lines := strings.Split(exit.Stderr, "\n")
	if len(lines) != stderrLines || lines[0] != "line 29900" || lines[stderrLines-1] != "line 29999" {
		t.Errorf("%d lines are kept, from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
	if shown := strings.Count(err.Error(), "\n"); shown != shownLines {
		t.Errorf("the error shows %d lines", shown)
	}
	if !strings.Contains(log.String(), "line=\"line 12345\"") {
		t.Error("stderr is not in the log")
	}
	if diff := cmp.Diff(exit.Stderr, a.Stderr()); diff != "" {
		t.Error(diff)
	}
}

func TestStderrGoesToTheHostToo(t *testing.T) {
	c := crewOf(t, "agent")
	var also syncBuffer
	c.cmd.Stderr = &also
	a := crewed(t, c, nil, nil, patient)
	if err := prompted(t, a, "stderr 3"); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("line 0\nline 1\nline 2\n", also.String()); diff != "" {
		t.Error(diff)
	}
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
