package wire

import (
	"io"
	"sync"
	"time"
)

// batchBytes is how much of what waits is written at once.
const batchBytes = 64 << 10

// A Writer writes whole frames, in the order they were given, from one goroutine.
type Writer struct {
	w    io.Writer
	tap  func([]byte)
	done chan struct{}

	mu      sync.Mutex
	some    sync.Cond
	queue   []*Outgoing
	bytes   int64
	closed  bool
	writing bool
	idle    []chan struct{} // closed when nothing waits
	err     error
}

// Outgoing is a frame on its way. Its fields are the writer's once it is queued.
type Outgoing struct {
	line    []byte // with its newline
	masked  []byte // what the tap sees instead; nil: the line
	written func(error)
}

// NewWriter starts the writer's goroutine. Tap, if any, sees each frame as it is
// written, without its newline.
func NewWriter(w io.Writer, tap func([]byte)) *Writer {
	wr := &Writer{w: w, tap: tap, done: make(chan struct{})}
	wr.some.L = &wr.mu
	go wr.run()
	return wr
}

// Send queues a frame, given without its newline. Written, if any, is called
// once, from another goroutine: with nil when the frame is written, or with the
// reason why it never will be. The result is how many bytes wait now.
func (wr *Writer) Send(frame, masked []byte, written func(error)) (*Outgoing, int64) {
	o := &Outgoing{line: append(frame, '\n'), masked: masked, written: written}
	wr.mu.Lock()
	defer wr.mu.Unlock()
	if wr.closed {
		if written != nil {
			go written(wr.err)
		}
		return o, 0
	}
	wr.queue = append(wr.queue, o)
	wr.bytes += int64(len(o.line))
	wr.some.Signal()
	return o, wr.bytes
}

// Drop takes back a frame that is not being written yet and reports whether it
// could.
func (wr *Writer) Drop(o *Outgoing) bool {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	for i, q := range wr.queue {
		if q == o {
			wr.queue = append(wr.queue[:i], wr.queue[i+1:]...)
			wr.bytes -= int64(len(o.line))
			return true
		}
	}
	return false
}

// Close ends the writer: what waits is not written, and err is the reason. It
// does not wait for a write that blocks; Done tells when that is over.
func (wr *Writer) Close(err error) {
	wr.mu.Lock()
	defer wr.mu.Unlock()
	if wr.closed {
		return
	}
	wr.closed, wr.err = true, err
	wr.some.Signal()
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
	wr.mu.Unlock()
	select {
	case <-idle:
	case <-wr.done:
	case <-time.After(d):
	}
}

// Done is closed when the writer's goroutine has ended.
func (wr *Writer) Done() <-chan struct{} { return wr.done }

func (wr *Writer) run() {
	defer close(wr.done)
	var buf []byte
	for {
		batch := wr.take()
		if batch == nil {
			return
		}
		line := batch[0].line
		if len(batch) > 1 {
			buf = buf[:0]
			for _, o := range batch {
				buf = append(buf, o.line...)
			}
			line = buf
		}
		wr.show(batch)
		n, err := wr.w.Write(line)
		if err == nil && n < len(line) {
			err = io.ErrShortWrite
		}
		for _, o := range batch {
			if o.written != nil {
				o.written(err)
			}
		}
		if err != nil {
			wr.Close(err)
		}
	}
}

// show gives the tap what is about to be written: before the write, so that a
// frame stands before its answer in what a tap records.
func (wr *Writer) show(batch []*Outgoing) {
	if wr.tap == nil {
		return
	}
	for _, o := range batch {
		seen := o.masked
		if seen == nil {
			seen = o.line[:len(o.line)-1]
		}
		wr.tap(seen)
	}
}

// take waits for frames and gives those to write next: one large one, or several
// small ones. Nil means that the writer is closed; what waited has been told.
func (wr *Writer) take() []*Outgoing {
	wr.mu.Lock()
	wr.writing = false
	for len(wr.queue) == 0 && !wr.closed {
		for _, idle := range wr.idle {
			close(idle)
		}
		wr.idle = nil
		wr.some.Wait()
	}
	if wr.closed {
		rest, err := wr.queue, wr.err
		wr.queue, wr.bytes = nil, 0
		wr.mu.Unlock()
		for _, o := range rest {
			if o.written != nil {
				o.written(err)
			}
		}
		return nil
	}
	defer wr.mu.Unlock()
	wr.writing = true
	n, size := 0, 0
	for n < len(wr.queue) && (n == 0 || size+len(wr.queue[n].line) <= batchBytes) {
		size += len(wr.queue[n].line)
		n++
	}
	batch := append([]*Outgoing(nil), wr.queue[:n]...)
	rest := copy(wr.queue, wr.queue[n:])
	clear(wr.queue[rest:])
	wr.queue = wr.queue[:rest]
	wr.bytes -= int64(size)
	return batch
}
