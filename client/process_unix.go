//go:build unix

package client

import (
	"os"
	"strconv"
	"syscall"
)

// ownGroup gives attr, which may be nil, with a process group of its own.
func ownGroup(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	var own syscall.SysProcAttr
	if attr != nil {
		own = *attr
	}
	if !own.Setsid { // the leader of a session leads a group already
		own.Setpgid, own.Pgid = true, 0
	}
	return &own
}

// detached gives a command a session of its own, and with it a group: it has no
// terminal to read from, and none to be stopped for trying.
func detached(string) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// shell gives the command that has the system's shell run a line.
func shell(line string) (program string, argv []string) {
	return "/bin/sh", []string{"sh", "-c", line}
}

// signal sends a signal to all that is left. SIGTERM also wakes what is stopped.
func (t *tree) signal(sig syscall.Signal) {
	if t.grouped() {
		_ = syscall.Kill(-t.leader, sig)
		if sig == syscall.SIGTERM {
			_ = syscall.Kill(-t.leader, syscall.SIGCONT)
		}
	}
	t.strays.signal(sig)
}

// grouped reports whether the group may be signalled. Its number is its
// leader's; the system gives it to nobody while the leader or a member of the
// group is there. A process that has it after the leader was reaped is a
// stranger, and then no member was left.
func (t *tree) grouped() bool {
	return !t.reaped.Load() || syscall.Kill(t.leader, 0) == syscall.ESRCH
}

// exitStatus gives the exit code, or -1 and the signal's name.
func exitStatus(state *os.ProcessState) (code int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, signalName(ws.Signal())
	}
	return state.ExitCode(), ""
}

func signalName(sig syscall.Signal) string {
	names := map[syscall.Signal]string{
		syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGQUIT: "SIGQUIT",
		syscall.SIGILL: "SIGILL", syscall.SIGTRAP: "SIGTRAP", syscall.SIGABRT: "SIGABRT",
		syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE", syscall.SIGKILL: "SIGKILL",
		syscall.SIGUSR1: "SIGUSR1", syscall.SIGSEGV: "SIGSEGV", syscall.SIGUSR2: "SIGUSR2",
		syscall.SIGPIPE: "SIGPIPE", syscall.SIGALRM: "SIGALRM", syscall.SIGTERM: "SIGTERM",
		syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ", syscall.SIGSYS: "SIGSYS",
	}
	if name, ok := names[sig]; ok {
		return name
	}
	return "signal " + strconv.Itoa(int(sig))
}
