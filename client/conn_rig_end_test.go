package client_test

import (
	"bytes"
	"runtime"
	"testing"
	"time"
)

// hangUp ends the agent's output, as its exit does.
func (r *rig) hangUp() {
	r.over = true
	r.out.Close()
}

// close is Close, for a test that ends the connection itself.
func (r *rig) close() {
	r.over = true
	r.conn.Close()
}

func (r *rig) finish() {
	if !r.over && !r.deaf && !r.t.Failed() { // what was written has been read
		r.write(request(`"the last"`, "acme/last", `{}`))
		r.answer(`"the last"`)
	}
	r.conn.Close()
	within(r.t, "Done", r.conn.Done())
	r.out.Close()
	if !r.deaf {
		within(r.t, "the end of the agent's input", r.read)
	}
	r.in.Close()
	if rigs.Add(-1) == 0 {
		noGoroutines(r.t)
	}
	if r.deaf || r.t.Failed() {
		return
	}
	answered := map[string]int{}
	for _, f := range r.got {
		if f.Method == "" {
			answered[string(f.ID)]++
		}
	}
	for id, n := range r.asked {
		if answered[id] != n {
			r.t.Errorf("%d requests with the id %.100s got %d answers", n, id, answered[id])
		}
		delete(answered, id)
	}
	if len(answered) > 0 {
		r.t.Errorf("answers to what was no request: %v\n%s", answered, r.transcript())
	}
}

// noGoroutines checks that no goroutine of a connection's is left. One that has
// said that it is done may still be on its way out.
func noGoroutines(t *testing.T) {
	t.Helper()
	buf := make([]byte, 4<<20)
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		all := buf[:runtime.Stack(buf, true)]
		if !bytes.Contains(all, []byte("/client.(*Conn)")) && !bytes.Contains(all, []byte("/client/internal/")) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("goroutines are left:\n%s", all)
		}
	}
}
