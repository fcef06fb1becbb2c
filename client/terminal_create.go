package client

import (
	"context"
	"errors"
	"os/exec"
	"strconv"

	acp "github.com/coder/acp-go-sdk"
)

// A Command is what an agent wants to run.
type Command struct {
	Session acp.SessionId
	Program string   // where it was found
	Argv    []string // what the program will see; first what the agent calls it
	Line    string   // set if a shell is to run this line; Program is the shell
	Dir     string   // where it starts, without symlinks; under a root
	Env     []string // all of it; of two for one name the last counts
}

// maxTerminals bounds the terminals that were created and not released.
const maxTerminals = 256

// reserve takes the place of a terminal that is being made.
func (w *Workspace) reserve() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.terminals)+w.making >= maxTerminals {
		return refusal("there are %d terminals already: release some", maxTerminals)
	}
	w.making++
	return nil
}

func (w *Workspace) unreserve() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.making--
}

// CreateTerminal implements acp.Client.
//
// The command is run with its arguments as they are, never by a shell: with one
// exception. Some agents send a whole shell line as the command, and no
// arguments. A command without arguments that is no program, and has a blank or
// a character in it that means something to a shell, is run by the system's
// shell.
//
// The command starts in cwd, which must be under the session's roots; without
// one in the session's directory. Of two variables with one name the last
// counts. It has nothing to read on stdin, and no terminal that it could ask.
func (w *Workspace) CreateTerminal(ctx context.Context, req acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	var resp acp.CreateTerminalResponse
	if !w.Terminal {
		return resp, acp.NewMethodNotFound(acp.ClientMethodTerminalCreate)
	}
	limit := orDefault(w.OutputLimit, defaultOutputLimit)
	if req.OutputByteLimit != nil {
		if *req.OutputByteLimit < 0 {
			return resp, refusal("outputByteLimit must not be negative: %d", *req.OutputByteLimit)
		}
		limit = min(limit, *req.OutputByteLimit)
	}
	limit = max(limit, 0)
	if err := w.reserve(); err != nil {
		return resp, err
	}
	defer w.unreserve()
	known, closes := w.mark(req.SessionId)
	c, err := w.command(req)
	if err != nil {
		return resp, err
	}
	if w.CommandPolicy != nil {
		if err := w.CommandPolicy(ctx, c); err != nil {
			return resp, policyError(err)
		}
	}
	t, err := c.run(limit)
	if err != nil {
		return resp, cannotRun(req.Command, err)
	}
	if ctx.Err() != nil || !w.keep(t, known, closes) {
		t.release()
		return resp, refusal("nobody is left to run the command for")
	}
	setID(&resp.TerminalId, t.id)
	return resp, nil
}

// policyError gives a policy's error as an answer.
func policyError(err error) error {
	if answer := new(acp.RequestError); errors.As(err, &answer) {
		return err
	}
	return refusal("the command was refused: %v", err)
}

// mark and keep notice that a session, or everything, was closed while a command
// was started: whoever closed it did not see that command.
func (w *Workspace) mark(id acp.SessionId) (known bool, closes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sessions[id] != nil, w.closes
}

func (w *Workspace) keep(t *terminal, known bool, closes int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known && w.sessions[t.session] == nil || closes != w.closes {
		return false
	}
	if w.terminals == nil {
		w.terminals = map[string]*terminal{}
	}
	w.made++
	t.id = "term-" + strconv.Itoa(w.made)
	w.terminals[t.id] = t
	return true
}

// run starts a command.
func (c Command) run(limit int) (*terminal, error) {
	pipe, out, err := newPipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := &exec.Cmd{
		Path: c.Program, Args: c.Argv, Dir: c.Dir, Env: c.Env,
		Stdout: out, Stderr: out, SysProcAttr: detached(c.Line),
	}
	t := &terminal{session: c.Session, pipe: pipe, out: tail{max: limit}, settled: make(chan struct{})}
	if t.child, err = launch(cmd); err != nil {
		_ = pipe.file.Close()
		return nil, err
	}
	go t.collect()
	go func() {
		<-t.left
		pipe.orphan()
	}()
	return t, nil
}

func cannotRun(command string, err error) error {
	if cause := new(StartError); errors.As(err, &cause) {
		err = cause.Err
	}
	return &acp.RequestError{Code: codeNotFound, Message: "cannot run " + strconv.Quote(command) + ": " + err.Error()}
}

// setID sets a field that is a string to the SDK and a type of its own to its
// fork.
func setID[T ~string](field *T, id string) { *field = T(id) }
