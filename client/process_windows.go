package client

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup gives attr, which may be nil, with a process group of its own, so
// that the console's Ctrl-C is not for it.
func ownGroup(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	var own syscall.SysProcAttr
	if attr != nil {
		own = *attr
	}
	own.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
	return &own
}

// detached gives a line to the shell as it is: quoting is cmd.exe's own.
func detached(line string) *syscall.SysProcAttr {
	if line == "" {
		return nil
	}
	return &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + line + `"`}
}

// shell gives the command that has the system's shell run a line.
func shell(string) (program string, argv []string) {
	program = os.Getenv("ComSpec")
	return program, []string{program}
}

// strays are found by taskkill.
type strays struct{}

func (t *tree) look() {}

// alive knows of the command itself only.
func (t *tree) alive() bool { return !t.reaped.Load() }

// signal ends the command and its descendants, whatever the signal: a program
// without a window takes none. Descendants of a command that has ended are out
// of reach.
func (t *tree) signal(syscall.Signal) {
	if t.reaped.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), killWait)
	defer cancel()
	if exec.CommandContext(ctx, "taskkill", "/T", "/F", "/PID", strconv.Itoa(t.leader)).Run() != nil {
		if p, err := os.FindProcess(t.leader); err == nil {
			_ = p.Kill()
			_ = p.Release()
		}
	}
}

func exitStatus(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }
