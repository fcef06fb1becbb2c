package client_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The agent of the benchmarks is this test binary, started again. It is the same
// program for both connections, and does as little as it can: it sends one report
// n times, with an id that counts, and counts the answers by their newlines.

const benchAgent = "ACMEDIALECTS_BENCH_AGENT"

func init() {
	if os.Getenv(benchAgent) != "" {
		runBenchAgent(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// A load is what the agent is asked to do.
type load struct {
	N        int  `json:"n"`
	Size     int  `json:"size"` // bytes of the report's longest text
	PingPong bool `json:"pingPong"`
}

func runBenchAgent(in io.Reader, out io.Writer) {
	lines := bufio.NewReaderSize(in, 64<<10)
	w := bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var call struct {
			ID     json.RawMessage
			Method string
			Params load
		}
		if json.Unmarshal(line, &call) != nil || call.ID == nil {
			continue
		}
		switch call.Method {
		case "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", call.ID)
		case "session/new":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1"}}`+"\n", call.ID)
			w.WriteString(update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task","kind":"other","status":"pending"}`) + "\n")
		case "_acme/run":
			call.Params.run(lines, w)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", call.ID)
		}
		w.Flush()
	}
}

func (l load) run(answers *bufio.Reader, w *bufio.Writer) {
	head, tail := []byte(`{"jsonrpc":"2.0","id":`), []byte(`,"method":"_acme/task","params":`+taskOf(l.Size)+"}\n")
	id := []byte("1000000")
	answered := make(chan struct{})
	if !l.PingPong {
		go func() {
			defer close(answered)
			count(answers, l.N)
		}()
	}
	for range l.N {
		w.Write(head)
		w.Write(id)
		w.Write(tail)
		for i := len(id) - 1; ; i-- {
			if id[i]++; id[i] <= '9' {
				break
			}
			id[i] = '0'
		}
		if l.PingPong {
			w.Flush()
			count(answers, 1)
		}
	}
	w.Flush()
	if !l.PingPong {
		<-answered
	}
}

// count reads n lines.
func count(r *bufio.Reader, n int) {
	for n > 0 {
		if _, err := r.Peek(1); err != nil {
			return
		}
		ahead, _ := r.Peek(r.Buffered())
		n -= bytes.Count(ahead, []byte{'\n'})
		r.Discard(len(ahead))
	}
}

// taskOf gives the params of a report whose prompt is size bytes of source code
// in JSON.
func taskOf(size int) string {
	code := strings.Repeat(`func walk(dir string) error { // reads every entry below dir, and theirs\n\treturn fs.WalkDir(dir, \"x\")\n}\n`, size/100+1)
	return `{"sessionId":"s1","toolCallId":"t1","agentId":"ag-1","description":"Summarise","prompt":"` +
		strings.TrimRight(code[:size], `\`) + `","model":"fast-1"}`
}

// startBenchAgent starts the agent and gives its pipes.
func startBenchAgent(b *testing.B) (io.WriteCloser, io.ReadCloser) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), benchAgent+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return in, out
}
