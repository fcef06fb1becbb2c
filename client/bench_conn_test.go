package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// A switchHost is what a host of the SDK's connection writes by hand.
type switchHost struct {
	client.Base
	got *atomic.Int64
}

func (h switchHost) HandleExtensionMethod(_ context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "_acme/task":
		var task acmeTask
		if err := json.Unmarshal(params, &task); err != nil {
			return nil, acp.NewInvalidParams(map[string]any{"error": err.Error()})
		}
		if task.ToolCallID == "t1" {
			h.got.Add(1)
		}
		return struct{}{}, nil
	}
	return nil, acp.NewMethodNotFound(method)
}

// A runner is one of the two connections, open.
type runner interface {
	Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error)
	NewSession(context.Context, acp.NewSessionRequest) (acp.NewSessionResponse, error)
	CallExtension(context.Context, string, any) (json.RawMessage, error)
}

// BenchmarkReports compares the connections: reports of a private method, decoded
// and answered, over OS pipes, from the same agent. The SDK's hands the bytes to
// a switch; ours also joins each report to its tool call and tells the host of it
// in order. ns/op, B/op and allocs/op are ours; x is
// how many times faster, x-cpu how many times less processor time.
func BenchmarkReports(b *testing.B) {
	for _, mode := range []string{"pipelined", "pingpong"} {
		for _, size := range []int{100, 1_000, 32_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%dB", mode, size), func(b *testing.B) {
				compare(b, load{N: b.N, Size: size, PingPong: mode == "pingpong"})
			})
		}
	}
}

func compare(b *testing.B, l load) {
	var told, switched atomic.Int64
	in, out := startBenchAgent(b)
	ours := client.Connect(nil, in, out, &client.Options{Registry: acme(), OnEvent: func(_ context.Context, ev client.Event) {
		if ev.Matched {
			told.Add(1)
		}
	}})
	defer ours.Close()
	in, out = startBenchAgent(b)
	theirs := acp.NewClientSideConnection(switchHost{got: &switched}, in, out)
	theirs.SetLogger(slog.New(slog.DiscardHandler))
	for _, r := range []runner{ours, theirs} {
		if _, err := r.Initialize(b.Context(), acp.InitializeRequest{ProtocolVersion: 1}); err != nil {
			b.Fatal(err)
		}
		if _, err := r.NewSession(b.Context(), acp.NewSessionRequest{Cwd: "/", McpServers: []acp.McpServer{}}); err != nil {
			b.Fatal(err)
		}
	}

	b.ReportAllocs()
	const rounds = 4 // in turns, so that both see the same machine
	var mine, other usage
	b.ResetTimer()
	for i := range rounds {
		part := l
		part.N = l.N*(i+1)/rounds - l.N*i/rounds
		b.StopTimer()
		other.measure(b, theirs, part, &switched)
		b.StartTimer()
		mine.measure(b, ours, part, &told)
	}
	b.StopTimer()
	n := float64(b.N)
	b.ReportMetric(float64(other.time)/float64(mine.time), "x")
	b.ReportMetric(float64(mine.time)/n, "ns/op")
	b.ReportMetric(float64(other.time)/n, "sdk-ns/op")
	if mine.cpu > 0 {
		b.ReportMetric(float64(other.cpu)/float64(mine.cpu), "x-cpu")
		b.ReportMetric(float64(mine.cpu)/n, "cpu-ns/op")
		b.ReportMetric(float64(other.cpu)/n, "sdk-cpu-ns/op")
	}
	b.ReportMetric(float64(other.allocs)/n, "sdk-allocs/op")
	b.ReportMetric(float64(other.bytes)/n, "sdk-B/op")
	b.ReportMetric(float64(mine.peak)/(1<<20), "peak-MiB")
	b.ReportMetric(float64(other.peak)/(1<<20), "sdk-peak-MiB")
}

// A usage is what a connection has used.
type usage struct {
	time   time.Duration
	cpu    time.Duration
	allocs uint64
	bytes  uint64
	peak   uint64 // bytes of heap
}

// measure runs a load, until its last report is told.
func (u *usage) measure(b *testing.B, r runner, l load, told *atomic.Int64) {
	b.Helper()
	end := told.Load() + int64(l.N)
	runtime.GC()
	sampling, sampled := make(chan struct{}), make(chan uint64)
	go func() { sampled <- peakHeap(sampling) }()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun, used := time.Now(), cpu()
	if _, err := r.CallExtension(b.Context(), "_acme/run", l); err != nil {
		b.Fatal(err)
	}
	for told.Load() < end {
		runtime.Gosched()
	}
	u.time += time.Since(begun)
	u.cpu += cpu() - used
	runtime.ReadMemStats(&after)
	close(sampling)
	u.peak = max(u.peak, <-sampled)
	u.allocs += after.Mallocs - before.Mallocs
	u.bytes += after.TotalAlloc - before.TotalAlloc
}

// peakHeap watches the heap until stop is closed.
func peakHeap(stop <-chan struct{}) (peak uint64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		metrics.Read(sample)
		peak = max(peak, sample[0].Value.Uint64()+sample[1].Value.Uint64())
		select {
		case <-stop:
			return peak
		case <-tick.C:
		}
	}
}
