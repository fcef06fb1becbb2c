package client_test

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/acpdialects/acpdialects/client"
)

// BenchmarkFlood writes updates as fast as a pipe takes them into a host that
// takes longer for each than the connection does. peak-MiB must not depend on
// their number: -benchtime 10000x and 1000000x give the same.
func BenchmarkFlood(b *testing.B) {
	fromAgent, out, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	line := []byte(chunk("s1", "a few words of an answer"))
	told, done := 0, make(chan struct{})
	b.SetBytes(int64(len(line)))
	sampling, sampled := make(chan struct{}), make(chan uint64)
	go func() { sampled <- peakHeap(sampling) }()
	b.ResetTimer()
	conn := client.Connect(nil, io.Discard, fromAgent, &client.Options{MaxBacklog: 1 << 20, OnUpdate: func(context.Context, client.Update) {
		for begun := time.Now(); time.Since(begun) < 5*time.Microsecond; {
		}
		if told++; told == b.N {
			close(done)
		}
	}})
	io.Copy(out, &repeated{text: append(line, '\n'), left: b.N})
	<-done
	b.StopTimer()
	close(sampling)
	b.ReportMetric(float64(<-sampled)/(1<<20), "peak-MiB")
	out.Close()
	<-conn.Done()
	if told != b.N {
		b.Errorf("%d of %d updates were told", told, b.N)
	}
}
