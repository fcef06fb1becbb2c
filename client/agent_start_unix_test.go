//go:build unix

package client

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

func TestWhatCannotBeStartedSaysWhy(t *testing.T) {
	dir := tempDir(t)
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		put(t, path, text)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	orphan := write("orphan", "#!/no/such/interp -x\n", 0o755)
	plain := write("plain", "#!/bin/sh\n", 0o644)
	good := write("good", "#!/bin/sh\n", 0o755)
	odd := write("odd", "no program\n", 0o755)
	started := exec.Command(good)
	if err := started.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		cmd  *exec.Cmd
		is   error // nil: nothing of the system's
		says []string
	}{
		{"not installed", exec.Command("no-such-agent-xyz"), fs.ErrNotExist, []string{`"no-such-agent-xyz"`, "not found in $PATH"}},
		{"no such file", exec.Command(dir + "/nothing"), fs.ErrNotExist, []string{dir + "/nothing", "no such file"}},
		{"no interpreter", exec.Command(orphan), fs.ErrNotExist, []string{orphan, "the interpreter", `"/no/such/interp"`}},
		{"no such directory", &exec.Cmd{Path: good, Dir: dir + "/none"}, fs.ErrNotExist, []string{good, "its working directory", dir + "/none"}},
		{"a file as directory", &exec.Cmd{Path: good, Dir: good}, nil, []string{"its working directory", "not a directory"}},
		{"a directory", exec.Command(dir), fs.ErrPermission, []string{dir, "is a directory"}},
		{"not executable", exec.Command(plain), fs.ErrPermission, []string{plain, "permission denied"}},
		{"no program", exec.Command(odd), nil, []string{odd, "exec format error"}},
		{"stdin is set", &exec.Cmd{Path: good, Stdin: strings.NewReader("")}, nil, []string{good, "cmd.Stdin and cmd.Stdout belong to the connection"}},
		{"stdout is set", &exec.Cmd{Path: good, Stdout: os.Stdout}, nil, []string{"cmd.Stdin and cmd.Stdout belong to the connection"}},
		{"started before", started, nil, []string{"started before"}},
		{"nothing", &exec.Cmd{}, nil, []string{"cannot start"}},
	} {
		a, err := Start(t.Context(), c.cmd, nil, nil)
		var typed *StartError
		if a != nil || !errors.As(err, &typed) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v is not %v", c.name, err, c.is)
		}
		for _, part := range append(c.says, "client: cannot start") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
	}
	if _, err := Start(t.Context(), nil, nil, nil); err == nil {
		t.Error("no command was started")
	}
	noGoroutines(t)
}

func TestBadAgentsFailTheHandshake(t *testing.T) {
	const soon, heard, late = 500 * time.Millisecond, 4 * time.Second, time.Minute
	answer := func(rest string) string { return `read line; echo '{"jsonrpc":"2.0","id":0,` + rest + `}'; cat` }
	for _, c := range []struct {
		name, script string
		timeout      time.Duration
		is           func(error) bool
		says, not    []string
	}{
		{"echoes", "exec cat", late, func(err error) bool { return errors.Is(err, ErrEcho) }, []string{"no ACP agent"}, []string{"printed"}},
		{"hangs", "exec sleep 300", soon, timedOut, []string{"no answer to initialize"}, nil},
		{"hangs behind a wrapper", "sleep 300; :", soon, timedOut, []string{"no answer to initialize"}, nil},
		{"hangs and does not listen", "trap '' TERM; sleep 300; sleep 300", soon, timedOut, []string{"no answer to initialize"}, nil},
		{"prints garbage", `echo "Usage: acme [flags]"; echo oops >&2; exec sleep 300`, heard, timedOut,
			[]string{`it printed "Usage: acme [flags]", which is no message`, "its stderr ends:\noops"}, nil},
		{"prints garbage and exits", `echo "acme: unknown flag"; exit 2`, late, exited(2), []string{`it printed "acme: unknown flag"`, "exited with status 2"}, nil},
		{"exits at once", `echo "env: node: not found" >&2; exit 127`, late, exited(127), []string{"exited with status 127", "env: node: not found"}, nil},
		{"exits with 0", `exit 0`, late, exited(0), []string{"exited with status 0"}, nil},
		{"is killed", `kill -9 $$`, late, exited(-1), []string{"was ended by SIGKILL"}, nil},
		{"speaks another version", answer(`"result":{"protocolVersion":99}`), late, func(err error) bool { return errors.As(err, new(*VersionError)) }, []string{"protocol version 99"}, nil},
		{"refuses", answer(`"error":{"code":-32603,"message":"not today"}`), late, func(err error) bool { return errors.As(err, new(*acp.RequestError)) }, []string{"not today"}, nil},
		{"closes its output", "exec >&-; sleep 300", late, exited(-1), []string{"closed its output without exiting"}, nil},
	} {
		a, err := start(t.Context(), exec.Command("sh", "-c", c.script), nil, &Options{HandshakeTimeout: c.timeout}, quick)
		if err != nil {
			t.Fatal(err)
		}
		pid := a.process.tree.leader
		began := time.Now()
		_, err = a.Initialize(t.Context(), acp.InitializeRequest{})
		took := time.Since(began)
		if left := group(pid); len(left) > 0 {
			t.Errorf("%s: processes %v are left", c.name, left)
		}
		var typed *HandshakeError
		if !errors.As(err, &typed) || typed.Command != "sh" {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !c.is(err) {
			t.Errorf("%s: not for the right reason: %v", c.name, err)
		}
		for _, part := range append(c.says, `no handshake with "sh"`) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
		for _, part := range c.not {
			if strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q says %q", c.name, err, part)
			}
		}
		if took > 10*time.Second {
			t.Errorf("%s: it took %v", c.name, took)
		}
		<-a.Done()
	}
	noGoroutines(t)
}

func timedOut(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

func exited(code int) func(error) bool {
	return func(err error) bool {
		var exit *ExitError
		return errors.As(err, &exit) && exit.Code == code && errors.Is(err, ErrDisconnected)
	}
}

func TestHandshakeThatIsGivenUpEndsTheAgent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a, err := start(t.Context(), exec.Command("sleep", "300"), nil, &Options{HandshakeTimeout: -1}, quick)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := a.Initialize(ctx, acp.InitializeRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left := group(a.process.tree.leader); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
