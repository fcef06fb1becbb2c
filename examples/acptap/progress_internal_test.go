package main

import (
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// What takes long to be passed on or recorded is waited for; what somebody holds
// open and says nothing is not.
func TestSlowOutputIsWaitedFor(t *testing.T) {
	for _, slow := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			to, drained := progress{w: w}, make(chan struct{})
			go func() {
				to.Write([]byte("the end"))
				if slow {
					close(drained)
				}
			}()
			if !slow {
				r.Read(make([]byte, 16))
			}
			begun := time.Now()
			time.AfterFunc(time.Hour, func() { io.CopyN(io.Discard, r, 7) })
			to.wait(drained)
			if took := time.Since(begun); slow != (took >= time.Hour) {
				t.Errorf("slow %v: it was waited for %v", slow, took)
			}
			w.Close()
		})
	}
}
