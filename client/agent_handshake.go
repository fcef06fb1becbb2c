package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	acp "github.com/coder/acp-go-sdk"
)

// A HandshakeError says that a program was started and did not turn out to be
// an agent to talk to: it did not answer, did not speak the protocol or another
// version of it, refused, or ended. Err is the reason; errors.As finds an
// [*ExitError] or an *acp.RequestError in it.
type HandshakeError struct {
	Command string
	Err     error
	Output  string // the first it printed, if that was no message
	Stderr  string // the end of its stderr
}

func (e *HandshakeError) Error() string {
	text := fmt.Sprintf("client: no handshake with %q: %v", e.Command, e.Err)
	if e.Output != "" {
		text += fmt.Sprintf("; it printed %q, which is no message: is it started as an ACP agent?", e.Output)
	}
	if exit := new(ExitError); e.Stderr != "" && !errors.As(e.Err, &exit) {
		text += "; its stderr ends:\n" + lastLines(e.Stderr, shownLines)
	}
	return text
}

// Unwrap gives the reason.
func (e *HandshakeError) Unwrap() error { return e.Err }

var errSilent = errors.New("no answer to initialize")

// Initialize is the connection's, bounded by Options.HandshakeTimeout. If it
// fails, for whatever reason, the agent is ended and the error is a
// [*HandshakeError].
func (a *Agent) Initialize(ctx context.Context, req acp.InitializeRequest) (acp.InitializeResponse, error) {
	bounded, cancel := ctx, context.CancelFunc(func() {})
	if a.handshake > 0 {
		bounded, cancel = context.WithTimeoutCause(ctx, a.handshake, errSilent)
	}
	defer cancel()
	resp, err := a.Conn.Initialize(bounded, req)
	if err == nil {
		a.words.forget()
		return resp, nil
	}
	refused, other, exited := new(acp.RequestError), new(VersionError), new(ExitError)
	switch {
	case context.Cause(bounded) == errSilent:
		err = fmt.Errorf("%w within %v: %w", errSilent, a.handshake, context.DeadlineExceeded)
	case ctx.Err() != nil, errors.Is(err, ErrEcho), errors.As(err, &refused), errors.As(err, &other), errors.As(err, &exited):
	default:
		// It may have died before it read what we wrote.
		if within(a.process.steps.rest, a.process.left) && !a.process.asked.Load() {
			err = a.process.exit()
		}
	}
	a.process.stop(0)
	_ = a.Close()
	return resp, &HandshakeError{Command: a.process.name, Err: err, Output: a.words.noise(), Stderr: a.Stderr()}
}

// firstWords is the agent's output, and keeps the beginning of it until the
// handshake is made.
type firstWords struct {
	process *agentProcess

	mu   sync.Mutex
	head []byte
	done bool
}

// headBytes is how much of an agent's output is kept.
const headBytes = 200

// Read reads to the end of what the agent itself has written.
func (w *firstWords) Read(b []byte) (int, error) {
	n, err := w.process.stdout.Read(b)
	w.mu.Lock()
	if room := headBytes - len(w.head); !w.done && room > 0 {
		w.head = append(w.head, b[:min(n, room)]...)
	}
	w.mu.Unlock()
	if errors.Is(err, errQuiet) {
		err = io.EOF
	}
	if err == io.EOF {
		_ = w.process.stdout.file.Close()
	}
	return n, err
}

// Close leaves the rest unread.
func (w *firstWords) Close() error { return w.process.stdout.Close() }

func (w *firstWords) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.head, w.done = nil, true
}

// noise gives the first line of the output, unless it looks like a message.
func (w *firstWords) noise() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	line, _, _ := bytes.Cut(bytes.TrimSpace(w.head), []byte("\n"))
	if bytes.HasPrefix(line, []byte("{")) {
		return ""
	}
	return strings.ToValidUTF8(string(bytes.TrimSpace(line)), "\uFFFD")
}
