package client

import (
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"
)

// A child is a command that we started, in a process group of its own, and
// everything that came of it.
type child struct {
	cmd  *exec.Cmd
	tree tree
	left chan struct{} // closed when the command itself has exited and is reaped

	// state is the command's own end. It may be read once left is closed.
	state *os.ProcessState
}

// killWait is how long the system may take to end what was killed.
const killWait = 5 * time.Second

// launch starts a command whose streams are set to files, so that nothing waits
// for whoever else holds their other ends.
func launch(cmd *exec.Cmd) (*child, error) {
	cmd.SysProcAttr = ownGroup(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return nil, startError(cmd, err)
	}
	c := &child{cmd: cmd, left: make(chan struct{})}
	c.tree.leader = cmd.Process.Pid
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState
		c.state = cmd.ProcessState
		c.tree.reaped.Store(true)
		close(c.left)
	}()
	return c, nil
}

// end ends what is left of the command: SIGTERM, time to go, SIGKILL. It returns
// when nothing is left, or when the system does not let go of it.
func (c *child) end(term time.Duration) {
	c.tree.look()
	if c.alive() {
		c.tree.signal(syscall.SIGTERM)
		c.await(term)
	}
	if c.alive() {
		c.tree.look()
		c.tree.signal(syscall.SIGKILL)
		c.await(killWait)
	}
}

// alive reports whether the command or anything that came of it still runs.
func (c *child) alive() bool {
	select {
	case <-c.left:
		return c.tree.alive()
	default:
		return true
	}
}

// await returns when nothing is left of the command, or after limit. The system
// has no notice for the end of a group, so it is looked at again and again.
func (c *child) await(limit time.Duration) {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	select {
	case <-c.left:
	case <-deadline.C:
		return
	}
	for pause := time.Millisecond; c.alive(); pause = min(2*pause, 20*time.Millisecond) {
		select {
		case <-deadline.C:
			return
		case <-time.After(pause):
		}
	}
}

// A tree is the processes that came of one command: those of its group and,
// where the system shows them, its descendants that have left the group.
type tree struct {
	leader int
	reaped atomic.Bool // the leader is: its number may be given to others
	strays strays
}
