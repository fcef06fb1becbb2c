package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/capture"
)

// tap passes bytes on as they come, and signals, and the agent's exit code: an
// editor cannot tell it from the agent.
func tap(args []string) int {
	fs := newFlags("tap")
	record := fs.String("record", "", "record the wire, both ways, secrets masked, to `FILE`")
	if code, done := parse(fs, args); done {
		return code
	}
	if fs.NArg() == 0 {
		return badUsage("tap", errors.New("no agent is named: put its command after --"))
	}
	in, out := new(recorder), new(recorder)
	var w *capture.Writer
	if *record != "" {
		file, err := os.Create(*record)
		if err != nil {
			return badUsage("tap", fmt.Errorf("--record: %w", err))
		}
		defer file.Close()
		w = capture.NewWriter(file)
		mask := client.NewMask(nil)
		in.line = func(line []byte) { w.Line(capture.In, mask.In(line)) }
		out.line = func(line []byte) { w.Line(capture.Out, mask.Out(line)) }
	}
	code, err := pass(exec.Command(fs.Arg(0), fs.Args()[1:]...), in, out)
	if w != nil && w.Err() != nil {
		complain(fmt.Errorf("the recording is not whole: %w", w.Err()))
	}
	if err != nil {
		complain(err)
		return exitFailed
	}
	return code
}

// drainTime is how long the end of the agent's output is waited for when the
// agent is gone and something that left its process group still holds it.
const drainTime = 2 * time.Second

// pass runs the agent between our stdin and our stdout.
func pass(cmd *exec.Cmd, in, out *recorder) (int, error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passed...)
	cmd.Stderr = os.Stderr
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("the agent cannot be started: %w", err)
	}
	go func() {
		for sig := range signals {
			if sig != syscall.SIGPIPE { // of our own stdout: its copying ends, and the agent is told
				cmd.Process.Signal(sig)
			}
		}
	}()
	go func() {
		// What is recorded first is in the order of cause and effect.
		io.Copy(io.MultiWriter(out, stdin), os.Stdin)
		out.end()
		stdin.Close()
	}()
	drained := make(chan struct{})
	to := progress{w: io.MultiWriter(in, os.Stdout)}
	go func() {
		io.Copy(&to, stdout)
		stdout.Close()
		to.busy.Store(true)
		in.end()
		close(drained)
	}()

	state, err := cmd.Process.Wait()
	killGroup(cmd)
	to.wait(drained)
	if err != nil {
		return 0, err
	}
	return exitCode(state), nil
}

// A progress is where the agent's output goes, and tells whether anything still
// goes there.
type progress struct {
	w     io.Writer
	busy  atomic.Bool
	taken atomic.Int64
}

func (p *progress) Write(b []byte) (int, error) {
	p.busy.Store(true)
	defer p.busy.Store(false)
	p.taken.Add(int64(len(b)))
	return p.w.Write(b)
}

// wait waits until all is passed on. When the agent is gone and nothing has come for
// drainTime, something that left its process group holds its output open, and has
// nothing more to say. A slow reader of ours, and a slow disk, are waited for.
func (p *progress) wait(drained <-chan struct{}) {
	for {
		before := p.taken.Load()
		select {
		case <-drained:
			return
		case <-time.After(drainTime):
			if !p.busy.Load() && p.taken.Load() == before {
				return
			}
		}
	}
}

// maxLine is the longest line that is recorded.
const maxLine = 64 << 20

// A recorder takes what passes apart into lines. A part of a message is never
// recorded: its credentials could not be found.
type recorder struct {
	line func([]byte) // nil: nothing is recorded
	rest []byte
	long bool // the line is too long, and has been dropped
}

// Write never fails: recording must not disturb what is recorded.
func (r *recorder) Write(p []byte) (int, error) {
	if r.line == nil {
		return len(p), nil
	}
	for rest := p; ; {
		line, more, ended := bytes.Cut(rest, []byte("\n"))
		if !r.long {
			r.rest = append(r.rest, line...)
		}
		if len(r.rest) > maxLine {
			r.rest, r.long = nil, true
		}
		if !ended {
			return len(p), nil
		}
		if r.long {
			r.line([]byte("(a line of more than 64 MiB was left out)"))
		} else {
			r.line(bytes.TrimSuffix(r.rest, []byte("\r")))
		}
		r.rest, rest, r.long = r.rest[:0], more, false
	}
}

// end records a last line that no newline ended.
func (r *recorder) end() {
	switch {
	case len(r.rest) == 0:
	case r.rest[0] == '{' && !json.Valid(r.rest):
		r.line(fmt.Appendf(nil, "(a last line of %d bytes was cut off and left out)", len(r.rest)))
	default:
		r.line(r.rest)
	}
	r.rest = nil
}
