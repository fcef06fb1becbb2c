package client_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// pretend is an agent in memory, for the examples: it gives the streams to hand
// to Connect. When it is prompted it writes the script, waiting for the answer to
// each request in it, and prints the answers to what is no report.
func pretend(script ...string) (stdin io.WriteCloser, stdout io.ReadCloser) {
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	go func() {
		lines := bufio.NewScanner(in)
		read := func() (f struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
		}) {
			lines.Scan()
			json.Unmarshal(lines.Bytes(), &f)
			return f
		}
		answer := func(id json.RawMessage, result string) {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
		}
		for f := read(); f.ID != nil; f = read() {
			switch f.Method {
			case "initialize":
				answer(f.ID, `{"protocolVersion":1,"agentInfo":{"name":"acme","version":"1"}}`)
			case "session/new":
				answer(f.ID, `{"sessionId":"s1"}`)
			case "session/prompt":
				for _, line := range script {
					fmt.Fprintln(out, line)
					var request struct{ ID json.RawMessage }
					if json.Unmarshal([]byte(line), &request); request.ID == nil {
						continue
					}
					if result := string(read().Result); result != "{}" {
						fmt.Println("The agent gets", result)
					}
				}
				answer(f.ID, `{"stopReason":"end_turn"}`)
			}
		}
		out.Close()
	}()
	return stdin, stdout
}
