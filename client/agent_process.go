package client

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
)

// steps are how long an agent is given to end.
type steps struct {
	eof  time.Duration // after its input was closed, before SIGTERM
	term time.Duration // after SIGTERM, before SIGKILL
	rest time.Duration // the same for what an agent that ended by itself left behind
}

var defaultSteps = steps{eof: 3 * time.Second, term: 2 * time.Second, rest: 250 * time.Millisecond}

// What is kept of an agent's stderr.
const (
	stderrBytes = 64 << 10
	stderrLines = 100
)

// An agentProcess is a child that speaks over its standard streams.
type agentProcess struct {
	*child
	streams
	name  string
	steps steps
	tail  tail          // of stderr
	read  chan struct{} // closed when stderr is read to its end
	over  chan struct{} // closed when nothing is left of it and stderr is read
	once  sync.Once     // for the way to over
	asked atomic.Bool   // we ended it
}

func startAgent(cmd *exec.Cmd, log hclog.Logger, st steps) (*agentProcess, error) {
	p := &agentProcess{
		name: commandName(cmd), steps: st, tail: tail{max: stderrBytes},
		read: make(chan struct{}), over: make(chan struct{}),
	}
	switch {
	case cmd.Process != nil:
		return nil, &StartError{p.name, errors.New("it was started before")}
	case cmd.Stdin != nil || cmd.Stdout != nil:
		return nil, &StartError{p.name, errors.New("cmd.Stdin and cmd.Stdout belong to the connection and must not be set")}
	}
	if err := p.streams.open(); err != nil {
		return nil, &StartError{p.name, err}
	}
	also := cmd.Stderr
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]
	var err error
	p.child, err = launch(cmd)
	closeAll(p.theirs...)
	if err != nil {
		closeAll(p.stdin, p.stdout.file, p.stderr.file)
		return nil, err
	}
	go p.drain(&logLines{log: log, command: p.name}, also)
	go func() {
		<-p.left
		p.once.Do(func() { p.shutdown(0, st.rest) })
	}()
	return p, nil
}

// streams are the three pipes of an agent.
type streams struct {
	stdin          *os.File
	stdout, stderr *pipe
	theirs         []*os.File // the agent's ends, in the order of their numbers
}

func (s *streams) open() error {
	in, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	stdout, out, err := newPipe()
	if err != nil {
		closeAll(in, stdin)
		return err
	}
	stderr, errs, err := newPipe()
	if err != nil {
		closeAll(in, stdin, out, stdout.file)
		return err
	}
	*s = streams{stdin, stdout, stderr, []*os.File{in, out, errs}}
	return nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// drain reads stderr to its end, whoever wants to have it.
func (p *agentProcess) drain(log *logLines, also interface{ Write([]byte) (int, error) }) {
	defer close(p.read)
	defer p.stderr.file.Close()
	buf := make([]byte, 4<<10)
	for {
		n, err := p.stderr.Read(buf)
		_, _ = p.tail.Write(buf[:n])
		_, _ = log.Write(buf[:n])
		if n > 0 && also != nil {
			if _, err := also.Write(buf[:n]); err != nil {
				also = nil
			}
		}
		if err != nil {
			log.flush()
			return
		}
	}
}

// Write gives the agent something to read.
func (p *agentProcess) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close ends the agent with the connection. It does not wait.
func (p *agentProcess) Close() error {
	p.stop(p.steps.eof)
	return nil
}

// stop begins to end the agent, if it has not ended. It does not wait.
func (p *agentProcess) stop(eof time.Duration) {
	p.once.Do(func() {
		p.asked.Store(true)
		go p.shutdown(eof, p.steps.term)
	})
}

// shutdown takes the agent through the steps, and ends what came of it.
func (p *agentProcess) shutdown(eof, term time.Duration) {
	defer close(p.over)
	p.tree.look() // before the agent goes, and with it whose children they are
	_ = p.stdin.Close()
	within(eof, p.left)
	p.end(term)
	p.stdout.orphan()
	p.stderr.orphan()
	within(killWait, p.read) // a writer of the host's may be stuck
}

// within waits for done, at most for limit, and reports whether it came.
func within(limit time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// exit gives how the agent ended, nil if it has not.
func (p *agentProcess) exit() *ExitError {
	select {
	case <-p.left:
	default:
		return nil
	}
	e := &ExitError{Command: p.name, Stderr: p.lastWords()}
	e.Code, e.Signal = exitStatus(p.state)
	return e
}

// lastWords gives the end of stderr.
func (p *agentProcess) lastWords() string {
	text, _ := p.tail.text(true)
	return lastLines(text, stderrLines)
}
