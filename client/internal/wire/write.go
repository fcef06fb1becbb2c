package wire

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"
)

// gather is how many bytes of answers are written at once.
const gather = 64 << 10

// A Writer writes whole frames, in the order they were given, from one goroutine.
type Writer struct {
	w    io.Writer
	tap  func([]byte)
	fail func(error) error
	done chan struct{}

	current *Outgoing // the writer's own: what a tap that ended the goroutine has seen

	mu      sync.Mutex
	some    sync.Cond
	queue   []*Outgoing
	owed    int64  // bytes of answers that are not written
	spare   []byte // of answers that are
	writing bool
	closed  bool
	err     error
	idle    []chan struct{} // closed when nothing waits
}

// Outgoing is a frame on its way, or several answers. Its fields are the writer's
// once it is queued.
type Outgoing struct {
	lines   []byte // with their newlines
	answers int64  // bytes of them that are answers
	written func(error)
}

// NewWriter starts the writer's goroutine. Tap, if any, sees each frame before it
// is written, without its newline. Fail is told when a write failed, which ends
// the writer, and gives the reason that everybody else is told.
func NewWriter(w io.Writer, tap func([]byte), fail func(error) error) *Writer {
	wr := &Writer{w: w, tap: tap, fail: fail, done: make(chan struct{})}
	wr.some.L = &wr.mu
	go wr.run()
	return wr
}

// Send queues a frame, given without its newline. Written, if any, is called
// once, from another goroutine: with nil when the frame is written, or with the
// reason why it never will be. The error says why the frame was not taken.
func (wr *Writer) Send(frame []byte, written func(error)) (*Outgoing, error) {
	o := &Outgoing{lines: append(frame, '\n'), written: written}
	wr.mu.Lock()
	defer wr.mu.Unlock()
	if wr.closed {
		return nil, wr.err
	}
	wr.queue = append(wr.queue, o)
	wr.some.Signal()
	return o, nil
}

// Answer queues the answer to a request: e, or result. The writer may sleep on
// until Wake. The result is how many bytes of answers waited before this one.
func (wr *Writer) Answer(id, result []byte, e *Error) int64 {
	failure := e.encode()
	wr.mu.Lock()
	defer wr.mu.Unlock()
	owed := wr.owed
	if wr.closed {
		return owed
	}
	o := wr.last()
	if o == nil {
		o = wr.add()
		o.lines, wr.spare = wr.spare, nil
	}
	before := len(o.lines)
	o.lines = append(appendAnswer(o.lines, id, result, failure), '\n')
	o.answers += int64(len(o.lines) - before)
	wr.owed += int64(len(o.lines) - before)
	return owed
}

// last gives what the next answer may be added to, or nil.
func (wr *Writer) last() *Outgoing {
	if n := len(wr.queue); n > 0 {
		if o := wr.queue[n-1]; o.answers > 0 && len(o.lines) < gather {
			return o
		}
	}
	return nil
}

func (wr *Writer) add() *Outgoing {
	o := new(Outgoing)
	wr.queue = append(wr.queue, o)
	return o
}

// Wake has what is queued written.
func (wr *Writer) Wake() { wr.some.Signal() }

// Drop takes back a frame that is not being written yet and reports whether it
// could.
func (wr *Writer) Drop(o *Outgoing) bool {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	i := slices.Index(wr.queue, o)
	if i < 0 {
		return false
	}
	wr.queue = slices.Delete(wr.queue, i, i+1)
	return true
}

// Close ends the writer: what waits is not written, and err is the reason. It
// does not wait for a write that blocks; Done tells when that is over.
func (wr *Writer) Close(err error) {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	if !wr.closed {
		wr.closed, wr.err = true, err
		wr.some.Signal()
	}
}

// Flush waits until nothing waits to be written, for at most d.
func (wr *Writer) Flush(d time.Duration) {
	idle := make(chan struct{})
	wr.mu.Lock()
	if wr.closed || len(wr.queue) == 0 && !wr.writing {
		wr.mu.Unlock()
		return
	}
	wr.idle = append(wr.idle, idle)
	wr.some.Signal()
	wr.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-idle:
	case <-wr.done:
	case <-timer.C:
	}
}

// Done is closed when the writer's goroutine has ended.
func (wr *Writer) Done() <-chan struct{} { return wr.done }

// run writes until the writer is closed. A tap that ends the goroutine ends
// nothing but itself: what it was shown is written by another one.
func (wr *Writer) run() {
	through := false
	defer func() {
		if through {
			close(wr.done)
		} else {
			go wr.run()
		}
	}()
	for {
		if wr.current == nil {
			if wr.current = wr.next(); wr.current == nil {
				break
			}
			wr.show(wr.current)
		}
		wr.write()
	}
	through = true
}

// show gives the tap what is about to be written: before the write, so that a
// frame stands before its answer in what a tap records.
func (wr *Writer) show(o *Outgoing) {
	if wr.tap == nil {
		return
	}
	for line := range bytes.Lines(o.lines) {
		wr.tap(line[:len(line)-1])
	}
}

// write writes the current frame.
func (wr *Writer) write() {
	o := wr.current
	wr.current = nil
	n, err := wr.w.Write(o.lines)
	if err == nil && n < len(o.lines) {
		err = io.ErrShortWrite
	}
	if err != nil {
		err = wr.fail(err)
		wr.Close(err)
	}
	if o.written != nil {
		o.written(err)
	}
	wr.mu.Lock()
	wr.owed -= o.answers
	if o.answers > 0 && cap(o.lines) <= 2*gather {
		wr.spare = o.lines[:0]
	}
	wr.mu.Unlock()
}

// next waits for a frame. Nil means that the writer is closed; what waited has
// been told.
func (wr *Writer) next() *Outgoing {
	wr.mu.Lock()
	wr.writing = false
	for len(wr.queue) == 0 && !wr.closed {
		for _, idle := range wr.idle {
			close(idle)
		}
		wr.idle = nil
		wr.some.Wait()
	}
	defer wr.mu.Unlock()
	if !wr.closed {
		wr.writing = true
		o := wr.queue[0]
		wr.queue = slices.Delete(wr.queue, 0, 1)
		return o
	}
	rest, err := wr.queue, wr.err
	wr.queue, wr.owed = nil, 0
	wr.mu.Unlock()
	for _, o := range rest {
		if o.written != nil {
			o.written(err)
		}
	}
	wr.mu.Lock()
	return nil
}
