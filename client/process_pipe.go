package client

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// quiet is how long a pipe may say nothing, once the process that it was made
// for is gone, before it counts as empty.
const quiet = 100 * time.Millisecond

// rest is the most that is read then: more than a pipe holds. Last is the longest
// that it is read then: what was left behind may never be quiet.
const (
	rest = 1 << 20
	last = time.Second
)

// errQuiet says that the process is gone and all it wrote was read, though
// somebody else still holds the pipe.
var errQuiet = errors.New("client: the pipe is held by a process that was left behind")

// A pipe is our end of a stream that a command and whoever inherited it write.
type pipe struct {
	file   *os.File
	gone   atomic.Bool // the command is
	closed atomic.Bool
	until  atomic.Int64 // the end of last, in nanoseconds; 0 while the command is there

	mu   sync.Mutex // held by the one that reads
	left int        // of rest
}

// newPipe gives our end and the one for the command, which is to be closed when
// the command has started.
func newPipe() (*pipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &pipe{file: r, left: rest}, w, nil
}

// Read reads what was written. The end is io.EOF, or errQuiet once the command
// is gone and the pipe empty.
func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read(b, func() bool { return p.closed.Load() })
}

func (p *pipe) read(b []byte, closed func() bool) (int, error) {
	for {
		gone := p.gone.Load()
		limit := time.Time{}
		if gone {
			now := time.Now()
			p.until.CompareAndSwap(0, now.Add(last).UnixNano())
			if p.left <= 0 || now.UnixNano() >= p.until.Load() {
				return 0, errQuiet
			}
			limit = now.Add(quiet)
		}
		_ = p.file.SetReadDeadline(limit)
		// Both wake a read that waits by a deadline of theirs. One that came
		// before the deadline just set was lost, and is seen here.
		if closed() {
			return 0, os.ErrClosed
		}
		if gone != p.gone.Load() {
			continue
		}
		n, err := p.file.Read(b)
		if gone {
			p.left -= n
		}
		switch {
		case n > 0:
			return n, nil
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return 0, err
		case gone && !closed():
			return 0, errQuiet
		}
	}
}

// orphan says that the command is gone.
func (p *pipe) orphan() {
	p.gone.Store(true)
	if p.file.SetReadDeadline(time.Now().Add(quiet)) != nil { // no deadlines here
		time.AfterFunc(quiet, func() { _ = p.file.Close() })
	}
}

// adopt takes errQuiet back: whoever was left behind is read on.
func (p *pipe) adopt() {
	p.gone.Store(false)
	p.until.Store(0)
}

// Close ends reading. What is still written is thrown away rather than refused,
// so that a program that says goodbye does not die of it.
func (p *pipe) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	_ = p.file.SetReadDeadline(time.Unix(1, 0))
	go func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		_, _ = io.Copy(io.Discard, discard{p})
		_ = p.file.Close()
	}()
	return nil
}

// discard reads a pipe whose reader has closed it.
type discard struct{ *pipe }

func (d discard) Read(b []byte) (int, error) {
	return d.read(b, func() bool { return false })
}
