package client

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	acp "github.com/coder/acp-go-sdk"
)

// A loop is a connection whose other end is the test: an agent that answers
// initialize and session/new and asks what the test wants to have asked.
type loop struct {
	t     *testing.T
	conn  *Conn
	w     io.Writer
	greet json.RawMessage // the params of initialize

	mu      sync.Mutex
	n       int
	answers map[string]chan loopFrame
}

type loopFrame struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params json.RawMessage   `json:"params"`
	Result json.RawMessage   `json:"result"`
	Error  *acp.RequestError `json:"error"`
}

// looped connects a host and opens the session "s1" in dir.
func looped(t *testing.T, host acp.Client, opts *Options, dir string, more ...string) *loop {
	t.Helper()
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	l := &loop{t: t, w: fromAgent, answers: map[string]chan loopFrame{}}
	go l.read(toAgent)
	l.conn = Connect(host, fromClient, toClient, opts)
	t.Cleanup(func() {
		_ = l.conn.Close()
		<-l.conn.Done()
	})
	if _, err := l.conn.Initialize(t.Context(), acp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.conn.NewSession(t.Context(), acp.NewSessionRequest{Cwd: dir, AdditionalDirectories: more}); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *loop) read(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var f loopFrame
		if json.Unmarshal(line, &f) != nil {
			l.t.Errorf("the client wrote %q", line)
			continue
		}
		switch f.Method {
		case "initialize":
			l.greet = f.Params
			l.write(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`, f.ID)
		case "session/new":
			l.write(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1"}}`, f.ID)
		case "":
			l.mu.Lock()
			answer := l.answers[string(f.ID)]
			l.mu.Unlock()
			answer <- f
		}
	}
}

func (l *loop) write(format string, args ...any) { _, _ = fmt.Fprintf(l.w, format+"\n", args...) }

// start sends a request; what comes out is its answer.
func (l *loop) start(method, params string) <-chan loopFrame {
	answer := make(chan loopFrame, 2) // room to notice a second one
	l.mu.Lock()
	l.n++
	id := fmt.Sprint(l.n)
	l.answers[id] = answer
	l.mu.Unlock()
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(params)); err != nil {
		l.t.Fatal(err)
	}
	l.write(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, line.Bytes())
	return answer
}

func (l *loop) ask(method, params string) loopFrame {
	l.t.Helper()
	return <-l.start(method, params)
}

// result asks and decodes the result.
func (l *loop) result(method, params string, into any) {
	l.t.Helper()
	f := l.ask(method, params)
	if f.Error != nil {
		l.t.Fatalf("%s %s: %v", method, params, f.Error)
	}
	if err := json.Unmarshal(f.Result, into); err != nil {
		l.t.Fatal(err)
	}
}

// params fills the directories into params: $WS, $BASE and $OUT.
func params(text, ws, out string) string {
	return strings.NewReplacer("$WS", ws, "$BASE", filepath.Base(ws), "$OUT", out).Replace(text)
}

// tempDir gives a directory by its real name.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// names lists everything under a directory.
func names(t testing.TB, dir string) []string {
	t.Helper()
	out := []string{}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			out = append(out, strings.TrimPrefix(path, dir+string(filepath.Separator)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
