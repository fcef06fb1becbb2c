package client

import (
	"context"
	"errors"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"
)

// A terminal is a command that an agent runs, and its output.
type terminal struct {
	*child
	id      string
	session acp.SessionId
	pipe    *pipe
	out     tail
	settled chan struct{} // closed when the command is gone and what it wrote is read
	once    sync.Once
}

// terminalTerm is how long a command may take to end on SIGTERM.
const terminalTerm = 500 * time.Millisecond

// collect reads the output. A background process of the command's may write on
// when the command is gone; nobody waits for it.
func (t *terminal) collect() {
	settle := sync.OnceFunc(func() { close(t.settled) })
	defer settle()
	defer t.pipe.file.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := t.pipe.Read(buf)
		_, _ = t.out.Write(buf[:n])
		switch {
		case errors.Is(err, errQuiet):
			t.pipe.adopt()
			settle()
		case err != nil:
			<-t.left
			return
		}
	}
}

// stop ends the command and what it left in the background.
func (t *terminal) stop() {
	t.end(terminalTerm)
	within(killWait, t.settled)
}

// release is stop, and nothing is read any more.
func (t *terminal) release() {
	t.once.Do(func() {
		t.stop()
		_ = t.pipe.file.Close()
	})
}

// status gives how the command ended, nil while it runs.
func (t *terminal) status() *acp.TerminalExitStatus {
	select {
	case <-t.settled:
	default:
		return nil
	}
	code, signal := exitStatus(t.state)
	if signal != "" {
		return &acp.TerminalExitStatus{Signal: &signal}
	}
	return &acp.TerminalExitStatus{ExitCode: &code}
}

// terminal gives a terminal of any session: they are one agent's.
func (w *Workspace) terminal(method, id string) (*terminal, error) {
	if !w.Terminal {
		return nil, acp.NewMethodNotFound(method)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.terminals[id]; t != nil {
		return t, nil
	}
	return nil, &acp.RequestError{Code: codeNotFound, Message: "no such terminal: " + id}
}

// take removes terminals. w.mu is held; who takes them ends them.
func (w *Workspace) take(which func(*terminal) bool) []*terminal {
	var taken []*terminal
	for id, t := range w.terminals {
		if which(t) {
			taken = append(taken, t)
			delete(w.terminals, id)
		}
	}
	return taken
}

// endAll ends terminals, all at once.
func endAll(terminals []*terminal) {
	var all sync.WaitGroup
	for _, t := range terminals {
		all.Go(t.release)
	}
	all.Wait()
}

// TerminalOutput implements acp.Client. The output is the end of what the
// command wrote, stdout and stderr as they came, in whole characters.
func (w *Workspace) TerminalOutput(_ context.Context, req acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	t, err := w.terminal(acp.ClientMethodTerminalOutput, string(req.TerminalId))
	if err != nil {
		return acp.TerminalOutputResponse{}, err
	}
	resp := acp.TerminalOutputResponse{ExitStatus: t.status()}
	resp.Output, resp.Truncated = t.out.text(resp.ExitStatus != nil)
	return resp, nil
}

// WaitForTerminalExit implements acp.Client. It waits for the command itself,
// not for what it left in the background.
func (w *Workspace) WaitForTerminalExit(ctx context.Context, req acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	var resp acp.WaitForTerminalExitResponse
	t, err := w.terminal(acp.ClientMethodTerminalWaitForExit, string(req.TerminalId))
	if err != nil {
		return resp, err
	}
	select {
	case <-t.settled:
		status := t.status()
		resp.ExitCode, resp.Signal = status.ExitCode, status.Signal
		return resp, nil
	case <-ctx.Done():
		return resp, context.Cause(ctx)
	}
}

// KillTerminal implements acp.Client. It ends the command and what it left in
// the background: SIGTERM, and half a second later SIGKILL.
func (w *Workspace) KillTerminal(_ context.Context, req acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	t, err := w.terminal(acp.ClientMethodTerminalKill, string(req.TerminalId))
	if err == nil {
		t.stop()
	}
	return acp.KillTerminalResponse{}, err
}

// ReleaseTerminal implements acp.Client. It kills, and forgets.
func (w *Workspace) ReleaseTerminal(_ context.Context, req acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	t, err := w.terminal(acp.ClientMethodTerminalRelease, string(req.TerminalId))
	if err != nil {
		return acp.ReleaseTerminalResponse{}, err
	}
	t.release()
	w.mu.Lock()
	delete(w.terminals, t.id)
	w.mu.Unlock()
	return acp.ReleaseTerminalResponse{}, nil
}
