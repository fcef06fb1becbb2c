package client_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/acpdialects/acpdialects/client"
)

// BenchmarkReportPath measures what a report costs from its line to its answer
// and its event (read, taken apart, decoded, joined to its call, answered, told),
// beside the cost of decoding the same bytes into the same type and doing nothing
// with them. x-decode is the ratio of the times, x-decode-cpu of the processor
// times.
func BenchmarkReportPath(b *testing.B) {
	for _, size := range []int{100, 1_000, 32_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			line := []byte(request(`17`, "acme/task", taskOf(size)))
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			const rounds = 4
			var path, decode usage
			b.ResetTimer()
			for i := range rounds {
				n := b.N*(i+1)/rounds - b.N*i/rounds
				path.clock(func() { reportPath(line, n) })
				b.StopTimer()
				decode.clock(func() { decodeAlone(b, line, n) })
				b.StartTimer()
			}
			b.StopTimer()
			b.ReportMetric(float64(path.time)/float64(decode.time), "x-decode")
			if decode.cpu > 0 {
				b.ReportMetric(float64(path.cpu)/float64(decode.cpu), "x-decode-cpu")
			}
		})
	}
}

func (u *usage) clock(f func()) {
	begun, used := time.Now(), cpu()
	f()
	u.time += time.Since(begun)
	u.cpu += cpu() - used
}

func reportPath(line []byte, n int) {
	var told sync.WaitGroup
	told.Add(n)
	agent := &repeated{
		first: []byte(update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1"}`) + "\n"),
		text:  append(line[:len(line):len(line)], '\n'), left: n,
	}
	conn := client.Connect(nil, io.Discard, agent, &client.Options{Registry: acme(), OnEvent: func(_ context.Context, ev client.Event) {
		if ev.Matched {
			told.Done()
		}
	}})
	told.Wait()
	<-conn.Done()
}

// decoding is what dialect.Lenient decodes with.
var decoding = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

func decodeAlone(b *testing.B, line []byte, n int) {
	for range n {
		var f struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params acmeTask       `json:"params"`
		}
		if err := jsonv2.Unmarshal(line, &f, decoding); err != nil {
			b.Fatal(err)
		}
	}
}

// repeated is a stream of one text many times, after a first one.
type repeated struct {
	first, text []byte
	at, left    int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	if len(r.first) > 0 {
		n = copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	for n < len(p) {
		if r.left == 0 {
			return n, io.EOF
		}
		m := copy(p[n:], r.text[r.at:])
		n += m
		if r.at += m; r.at == len(r.text) {
			r.at = 0
			r.left--
		}
	}
	return n, nil
}
