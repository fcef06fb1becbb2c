package client

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

type benchTask struct {
	ToolCallID  string `json:"toolCallId"`
	AgentID     string `json:"agentId"`
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	Model       string `json:"model"`
}

func benchDialect() *registry.Registry {
	var r registry.Registry
	r.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{dialect.Report[benchTask]{
		Name: "acme/task",
		Correlate: func(t benchTask) []dialect.Finding {
			return []dialect.Finding{{
				Link:  dialect.Link{ToolCallID: t.ToolCallID, AgentID: t.AgentID},
				Event: dialect.Subagent{Description: dialect.SetNonZero(t.Description), Prompt: dialect.SetNonZero(t.Prompt), Model: dialect.SetNonZero(t.Model)},
			}}
		},
	}}})
	return &r
}

// BenchmarkReportPath measures what a report costs from its line to its answer
// and its event, beside the cost of decoding the same bytes into the same type
// and doing nothing with them. x is the ratio, for lines that come in bursts.
func BenchmarkReportPath(b *testing.B) {
	for _, size := range []int{100, 1_000, 32_000, 1_000_000} {
		code := strings.Repeat(`func walk(dir string) error { // reads every entry below dir, and theirs\n\treturn fs.WalkDir(dir, \"x\")\n}\n`, size/100+1)
		line := []byte(`{"jsonrpc":"2.0","id":17,"method":"acme/task","params":{"toolCallId":"t1","agentId":"ag-1","description":"Summarise","prompt":"` +
			strings.TrimRight(code[:size], `\`) + `","model":"fast-1"}}`)
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			var told sync.WaitGroup
			told.Add(b.N)
			silent, hush := io.Pipe()
			defer hush.Close()
			c := Connect(nil, io.Discard, silent, &Options{Registry: benchDialect(), OnEvent: func(context.Context, Event) { told.Done() }})
			defer c.Close()
			frames := wire.NewReader(&repeated{text: append(line[:len(line):len(line)], '\n'), left: b.N}, 1<<30)
			c.locked(func() {
				c.perform(c.st.Call("0", "session/new", nil))
				c.perform(c.st.In(&wire.Frame{ID: []byte("0"), Version: true, Result: []byte(`{"sessionId":"s1"}`)}))
				c.perform(c.st.In(&wire.Frame{Method: "session/update", Params: []byte(`{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"t1"}}`)}))
			})
			options := jsonv2.JoinOptions(jsonv1.ReportErrorsWithLegacySemantics(true), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				l, err := frames.Next()
				if err != nil {
					b.Fatal(err)
				}
				c.line(l)
				c.drain()
				if !frames.More() {
					c.locked(c.kick)
				}
			}
			c.locked(c.kick)
			told.Wait()
			whole := b.Elapsed()
			b.StopTimer()
			begun := time.Now()
			for range b.N {
				var f struct {
					ID     jsontext.Value `json:"id"`
					Method string         `json:"method"`
					Params benchTask      `json:"params"`
				}
				if err := jsonv2.Unmarshal(line, &f, options); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(whole)/float64(time.Since(begun)), "x-decode")
		})
	}
}

// repeated is a stream of one text many times.
type repeated struct {
	text []byte
	at   int
	left int
}

func (r *repeated) Read(p []byte) (n int, err error) {
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
