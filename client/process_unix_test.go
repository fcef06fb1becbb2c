//go:build unix

package client

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test's own program plays the processes it is about: a chain of roles, each
// of which starts the next. A role is a name and what is particular about it:
// "wrapper/agent:stubborn/child:detached".
const roleEnv = "CLIENT_TEST_ROLES"

func init() {
	if chain := os.Getenv(roleEnv); chain != "" {
		time.AfterFunc(time.Minute, func() { os.Exit(99) }) // whatever the test does
		os.Exit(play(chain))
	}
}

func play(chain string) int {
	role, rest, _ := strings.Cut(chain, "/")
	name, manner, _ := strings.Cut(role, ":")
	stubborn := strings.Contains(manner, "stubborn")
	if stubborn {
		signal.Ignore(syscall.SIGTERM)
	}
	var next *exec.Cmd
	if rest != "" {
		next = exec.Command(os.Args[0])
		next.Env = append(os.Environ(), roleEnv+"="+rest)
		next.Stdout, next.Stderr = os.Stdout, os.Stderr
		next.ExtraFiles = []*os.File{os.NewFile(3, "crew")}
		if name == "wrapper" {
			next.Stdin = os.Stdin
		}
		if strings.Contains(rest, "detached") {
			next.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}
		if err := next.Start(); err != nil {
			panic(err)
		}
	}
	fmt.Fprintf(os.NewFile(3, "crew"), "%s %d\n", name, os.Getpid())
	switch name {
	case "agent":
		return serveAgent(stubborn)
	case "wrapper":
		_ = next.Wait()
		if code := next.ProcessState.ExitCode(); code >= 0 {
			return code
		}
		return 137
	}
	time.Sleep(time.Hour)
	return 0
}

// serveAgent is an agent that does as it is prompted.
func serveAgent(stubborn bool) int {
	say := func(format string, args ...any) bool {
		_, err := fmt.Printf(format+"\n", args...)
		return err == nil
	}
	lines := bufio.NewReader(os.Stdin)
	goodbye := ""
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var f loopFrame
		if json.Unmarshal(line, &f) != nil {
			continue
		}
		switch f.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`, f.ID)
		case "session/new":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s1"}}`, f.ID)
		case "session/prompt":
			var p struct{ Prompt []struct{ Text string } }
			_ = json.Unmarshal(f.Params, &p)
			word, arg, _ := strings.Cut(p.Prompt[0].Text, " ")
			switch word {
			case "die":
				say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"last words"}}}}`)
				say(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"yes","name":"Allow","kind":"allow_once"}]}}`)
				fmt.Fprintln(os.Stderr, "fatal: out of memory")
				_, _ = lines.ReadBytes('\n') // the host has the request
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			case "hold":
				say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"holding"}}}}`)
			case "exit":
				code, _ := strconv.Atoi(arg)
				return code
			case "stderr":
				n, _ := strconv.Atoi(arg)
				for i := range n {
					fmt.Fprintln(os.Stderr, "line", i)
				}
				say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, f.ID)
			case "shut":
				_ = os.Stdout.Close()
			case "goodbye":
				goodbye = strings.Repeat("bye ", 500_000)
				say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, f.ID)
			}
		}
	}
	if goodbye != "" && !say("%s", goodbye) {
		return 9
	}
	if stubborn {
		time.Sleep(time.Hour)
	}
	return 0
}

// A crew is the processes of a chain. All hold a pipe to the test while they are
// there, and tell it who they are.
type crew struct {
	t    *testing.T
	cmd  *exec.Cmd
	pipe *os.File
	told *bufio.Reader
	pids map[string]int
}

func crewOf(t *testing.T, chain string) *crew {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &crew{t: t, cmd: exec.Command(self), pipe: r, told: bufio.NewReader(r), pids: map[string]int{}}
	c.cmd.Env = append(os.Environ(), roleEnv+"="+chain, "GORACE=atexit_sleep_ms=0")
	c.cmd.ExtraFiles = []*os.File{w}
	t.Cleanup(func() {
		_ = w.Close()
		for _, pid := range c.left() { // for a test that has failed
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = r.SetReadDeadline(time.Now().Add(10 * time.Second))
		if rest, err := io.ReadAll(c.told); err != nil {
			t.Errorf("somebody of the crew is left: %v, %q", err, rest)
		}
		_ = r.Close()
	})
	return c
}

// wait waits until so many have told who they are.
func (c *crew) wait(n int) {
	c.t.Helper()
	_ = c.pipe.SetReadDeadline(time.Now().Add(30 * time.Second))
	for len(c.pids) < n {
		line, err := c.told.ReadString('\n')
		if err != nil {
			c.t.Fatalf("%v of %d are there: %v", c.pids, n, err)
		}
		name, pid, _ := strings.Cut(strings.TrimSpace(line), " ")
		c.pids[name], _ = strconv.Atoi(pid)
	}
}

// left gives those of the crew that run.
func (c *crew) left() map[string]int {
	all, left := running(), map[string]int{}
	for name, pid := range c.pids {
		if _, ok := all[pid]; ok {
			left[name] = pid
		}
	}
	return left
}

// gone checks that none of the crew is left, now.
func (c *crew) gone() {
	c.t.Helper()
	if left := c.left(); len(left) > 0 {
		c.t.Errorf("%v are left of %v", left, c.pids)
	}
}

// running gives the process groups of all processes that run, by their numbers:
// as ps tells it, which is not how the package finds them.
func running() map[int]int {
	out, err := exec.Command("ps", "-eo", "pid=,pgid=,stat=").Output()
	if err != nil {
		panic(err)
	}
	all := map[int]int{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && !strings.HasPrefix(fields[2], "Z") {
			pid, _ := strconv.Atoi(fields[0])
			group, _ := strconv.Atoi(fields[1])
			all[pid] = group
		}
	}
	return all
}

func TestGroupIsAddedToWhatTheHostSet(t *testing.T) {
	host := &syscall.SysProcAttr{Chroot: "/elsewhere", Setpgid: true, Pgid: 17}
	own := ownGroup(host)
	if own.Chroot != "/elsewhere" || !own.Setpgid || own.Pgid != 0 {
		t.Errorf("%+v", own)
	}
	if host.Pgid != 17 {
		t.Error("the host's own was changed")
	}
	if own := ownGroup(&syscall.SysProcAttr{Setsid: true}); own.Setpgid || !own.Setsid {
		t.Errorf("%+v", own)
	}
}

func TestSignalsHaveTheirNames(t *testing.T) {
	got := []string{signalName(syscall.SIGKILL), signalName(syscall.SIGTERM), signalName(syscall.Signal(63))}
	if want := []string{"SIGKILL", "SIGTERM", "signal 63"}; !slices.Equal(got, want) {
		t.Error(got)
	}
}
