package client

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// An Agent is a connection to an agent that Start started.
type Agent struct {
	*Conn
	process   *agentProcess
	words     *firstWords
	handshake time.Duration
}

// Start starts an agent and connects to it. What cannot be started is a
// [*StartError], at once.
//
// The agent leads a process group of its own. Its stdin and stdout are the
// connection's; its stderr is read always, goes to opts.Logger at debug level
// and to cmd.Stderr if that is set, and its end is in the errors. When ctx ends,
// the agent is ended as by Close. So it is when the connection ends, for
// whatever reason: nothing that was started here needs a call to be rid of.
//
// When the agent's process ends by itself, every pending and every later call
// gets an [*ExitError], and what the process left behind in its group is ended.
// The process that was started counts, so a wrapper has to stay for as long as
// the agent that it starts.
//
// What is ended with an agent are the processes of its group and, on Linux,
// those of its descendants that have left the group and can still be traced to
// it. On Windows it is the tree of processes as taskkill finds it, which is
// nothing if the agent ended by itself.
func Start(ctx context.Context, cmd *exec.Cmd, host acp.Client, opts *Options) (*Agent, error) {
	return start(ctx, cmd, host, opts, defaultSteps)
}

func start(ctx context.Context, cmd *exec.Cmd, host acp.Client, opts *Options, st steps) (*Agent, error) {
	if cmd == nil {
		return nil, errors.New("client: Start needs a command")
	}
	if ctx.Err() != nil {
		return nil, &StartError{commandName(cmd), context.Cause(ctx)}
	}
	o := opts.withDefaults()
	process, err := startAgent(cmd, o.Logger, st)
	if err != nil {
		return nil, err
	}
	a := &Agent{process: process, words: &firstWords{process: process}, handshake: o.HandshakeTimeout}
	a.Conn = connect(host, process, a.words, opts, a.reason)
	go func() {
		select {
		case <-ctx.Done():
			_ = a.Close()
		case <-process.over:
		}
	}()
	return a, nil
}

// Close ends the connection, and then the agent in steps: its input is closed;
// if it is still there 3 seconds later, its group gets SIGTERM, and 2 seconds
// after that SIGKILL. It returns when nothing is left of it. It may be called
// more than once, and from a callback.
func (a *Agent) Close() error {
	err := a.Conn.Close()
	a.process.stop(a.process.steps.eof)
	<-a.process.over
	a.disconnected()
	if a.process.alive() {
		return fmt.Errorf("client: the agent %q, process %d, cannot be ended", a.process.name, a.process.tree.leader)
	}
	return err
}

// Shutdown ends the agent as Close does, but hears it out: its input is closed,
// and what it still says before it ends is delivered. Calls that are pending fail
// with ErrDisconnected. It waits for the callbacks, so it must not be called from
// one.
func (a *Agent) Shutdown() error {
	a.settled(flushGrace)
	a.wr.Flush(flushGrace)
	a.process.stop(a.process.steps.eof)
	<-a.Done()
	return a.Close()
}

// Exit gives how the agent's process ended, nil while it runs. After Close it
// is known.
func (a *Agent) Exit() *ExitError { return a.process.exit() }

// Stderr gives the end of what the agent wrote to its stderr.
func (a *Agent) Stderr() string { return a.process.lastWords() }

// exitWait is how long an agent that has closed its output may take to exit
// before it is ended.
const exitWait = time.Second

// reason gives the error for every call when the agent's stream has ended.
func (a *Agent) reason(err error) error {
	p := a.process
	if p.asked.Load() {
		return err
	}
	if !within(exitWait, p.over) {
		p.stop(0)
		return &ExitError{Command: p.name, Code: -1, Stderr: p.lastWords(), running: true}
	}
	if exit := p.exit(); exit != nil && !p.asked.Load() {
		return exit
	}
	return err
}

// An ExitError says how an agent's process ended. errors.Is finds
// [ErrDisconnected] in it.
type ExitError struct {
	Command string
	Code    int    // -1 if a signal ended it, or if it has only closed its output
	Signal  string // "SIGKILL", or empty
	Stderr  string // the end of its stderr: 100 lines, 64 KiB at most

	running bool // it still did
}

// shownLines is how much of stderr an error's text shows.
const shownLines = 10

func (e *ExitError) Error() string {
	how := fmt.Sprintf("exited with status %d", e.Code)
	switch {
	case e.Signal != "":
		how = "was ended by " + e.Signal
	case e.running:
		how = "closed its output without exiting"
	}
	text := fmt.Sprintf("client: the agent %q %s", e.Command, how)
	if e.Stderr != "" {
		text += "; its stderr ends:\n" + lastLines(e.Stderr, shownLines)
	}
	return text
}

// Unwrap gives ErrDisconnected.
func (e *ExitError) Unwrap() error { return ErrDisconnected }
