package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asAgent in the environment makes the test binary the agent itself.
const asAgent = "SCRIPTEDAGENT_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asAgent) != "" {
		main()
	}
	os.Exit(m.Run())
}

// A client drives the agent as a process over pipes.
type client struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
	stderr bytes.Buffer // to be read after end
	nextID int
}

// start starts the agent. A run that gets stuck is killed, and then fails by
// what it did not write.
func start(t *testing.T, args ...string) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, cmd: exec.CommandContext(ctx, self, args...)}
	// The race detector would sleep for a second at the end of each process.
	c.cmd.Env = append(os.Environ(), asAgent+"=1", "SCRIPTEDAGENT_TEST_WORD=hello", "GORACE=atexit_sleep_ms=0")
	c.cmd.Stderr = &c.stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdout, c.out = out, bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if c.cmd.ProcessState == nil {
			c.cmd.Wait()
		}
	})
	return c
}

// play starts the agent with a script of these lines.
func play(t *testing.T, lines ...string) *client {
	t.Helper()
	return start(t, scriptFile(t, strings.Join(lines, "\n")))
}

func scriptFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (c *client) write(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// call writes a request and gives its id. The ids start at 1.
func (c *client) call(method, params string) int {
	c.t.Helper()
	c.nextID++
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.nextID, method, params))
	return c.nextID
}

// open opens a session in /work: it uses the ids 1 and 2.
func (c *client) open() {
	c.t.Helper()
	c.call("initialize", `{"protocolVersion":1}`)
	c.call("session/new", `{"cwd":"/project","mcpServers":[]}`)
	c.read()
	c.read()
}

func (c *client) prompt(session, text string) int {
	c.t.Helper()
	return c.call("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":%q}]}`, session, text))
}

// read gives the next line without its newline.
func (c *client) read() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.cmd.Wait()
		c.t.Fatalf("the agent wrote %q and then %v; stderr:\n%s", line, err, c.stderr.String())
	}
	return strings.TrimSuffix(line, "\n")
}

func (c *client) readAll(n int) []string {
	c.t.Helper()
	var lines []string
	for range n {
		lines = append(lines, c.read())
	}
	return lines
}

// end closes stdin, gives what the agent still wrote, and checks how it ended.
func (c *client) end(code int) string {
	c.t.Helper()
	c.in.Close()
	rest, err := io.ReadAll(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	c.cmd.Wait()
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		c.t.Errorf("the agent ended with %v, want status %d; stderr:\n%s", c.cmd.ProcessState, code, c.stderr.String())
	}
	return string(rest)
}

// A wireFrame is a line that the agent wrote.
type wireFrame struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

func (c *client) frame() wireFrame {
	c.t.Helper()
	line := c.read()
	var f wireFrame
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		c.t.Fatalf("%v in the line %q", err, line)
	}
	return f
}
