package client

import (
	"context"
	"slices"
	"sync"

	acp "github.com/coder/acp-go-sdk"
)

// FileAccess says what an agent may do with the files under its roots.
type FileAccess int

// The kinds of access.
const (
	NoFiles FileAccess = iota
	ReadFiles
	ReadWriteFiles
)

// A Workspace is a complete host: files, terminals and permissions. It grants
// what its fields say, so the zero value grants nothing: no files, no commands,
// every permission rejected. What is not granted is not offered to the agent at
// initialize, and answered with -32601 if it is asked for all the same.
//
// Embed a *Workspace to have it and a display:
//
//	type host struct{ *client.Workspace }
//
//	func (h host) SessionUpdate(ctx context.Context, n acp.SessionNotification) error { ... }
//
// Its fields must not change while it is used. It serves one connection, and
// the next one when that has ended.
type Workspace struct {
	// Files grants access to the files under a session's roots: its own
	// directory, its further directories, and Roots. A child session has its
	// parent's.
	Files FileAccess

	// Roots are directories for every session, also for those that this
	// client did not open. Only absolute paths count.
	Roots []string

	// NoCreateDirs refuses to write a file whose directory is not there.
	NoCreateDirs bool

	// MissingAsEmpty answers the reading of a missing file with an empty text
	// rather than with -32002. There is an agent that cannot create a file
	// otherwise. To all the others it is a lie.
	MissingAsEmpty bool

	// MaxFileSize is the largest file that is read or written, in bytes. 0
	// or less: 16 MiB.
	MaxFileSize int64

	// ReadBuffer serves a file from an editor's unsaved buffer. False: there is
	// none, and the disk is read.
	ReadBuffer func(ctx context.Context, f File) (text string, ok bool, err error)

	// WriteBuffer gives what is written to an editor. True: it has taken it,
	// and the disk is left alone.
	WriteBuffer func(ctx context.Context, f File, text string) (ok bool, err error)

	// Terminal lets the agent run commands, with all that this user may do:
	// the roots bound where a command starts, not what it does.
	Terminal bool

	// CommandPolicy is asked before a command runs. An error refuses it and is
	// shown to the agent. Nil: none is refused.
	CommandPolicy func(ctx context.Context, c Command) error

	// Env is the environment of commands, before what the agent adds. Nil:
	// this process's.
	Env []string

	// OutputLimit is how much of a command's output is kept, in bytes; the
	// agent may ask for less. 0: 1 MiB.
	OutputLimit int

	// Permission says what the agent may do that it asks for.
	Permission Policy

	files fileQueue

	mu        sync.Mutex
	sessions  map[acp.SessionId]*wsSession
	terminals map[string]*terminal
	made      int // terminals, for their ids
	making    int // terminals that are being made
	closes    int // for terminals that are made while everything is closed
}

var _ acp.Client = (*Workspace)(nil)

// A wsSession is what the workspace knows of a session.
type wsSession struct {
	dirs   []string
	parent acp.SessionId
}

const (
	defaultFileSize    = 16 << 20
	defaultOutputLimit = 1 << 20
)

// ClientCapabilities is what the connection's Initialize tells the agent.
func (w *Workspace) ClientCapabilities() acp.ClientCapabilities {
	return acp.ClientCapabilities{
		Fs: acp.FileSystemCapabilities{
			ReadTextFile:  w.Files >= ReadFiles,
			WriteTextFile: w.Files >= ReadWriteFiles,
		},
		Terminal: w.Terminal,
	}
}

// SessionUpdate implements acp.Client: it shows nothing.
func (w *Workspace) SessionUpdate(context.Context, acp.SessionNotification) error { return nil }

// SessionOpened tells the workspace the directories of a session. The connection
// calls it.
func (w *Workspace) SessionOpened(id acp.SessionId, cwd string, dirs []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session(id).dirs = append([]string{cwd}, dirs...)
}

// SessionChild tells the workspace whose child a session is. The connection
// calls it.
func (w *Workspace) SessionChild(child, parent acp.SessionId) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session(child).parent = parent
}

// session gives the entry of a session, a new one if there is none. w.mu is held.
func (w *Workspace) session(id acp.SessionId) *wsSession {
	s := w.sessions[id]
	if s == nil {
		s = &wsSession{}
		if w.sessions == nil {
			w.sessions = map[acp.SessionId]*wsSession{}
		}
		w.sessions[id] = s
	}
	return s
}

// SessionClosed ends the commands of a session and of its children, and forgets
// them. The connection calls it.
func (w *Workspace) SessionClosed(id acp.SessionId) {
	w.mu.Lock()
	gone := []acp.SessionId{id}
	for i := 0; i < len(gone); i++ {
		delete(w.sessions, gone[i])
		for child, s := range w.sessions {
			if s.parent == gone[i] {
				gone = append(gone, child)
			}
		}
	}
	ended := w.take(func(t *terminal) bool { return slices.Contains(gone, t.session) })
	w.mu.Unlock()
	endAll(ended)
}

// Disconnected is Close. A connection calls it at its end; with a Handler it is up
// to the host.
func (w *Workspace) Disconnected() { _ = w.Close() }

// Close ends every command and forgets every session. The workspace can be used
// again, by the next connection.
func (w *Workspace) Close() error {
	w.mu.Lock()
	w.sessions = nil
	ended := w.take(func(*terminal) bool { return true })
	w.closes++
	w.mu.Unlock()
	endAll(ended)
	return nil
}

// roots gives the directories that a session may use, its own first.
func (w *Workspace) roots(id acp.SessionId) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var dirs []string
	for seen := 0; seen <= len(w.sessions); seen++ { // parents may go in a circle
		s := w.sessions[id]
		if s == nil {
			break
		}
		dirs = append(dirs, s.dirs...)
		id = s.parent
	}
	return append(dirs, w.Roots...)
}
