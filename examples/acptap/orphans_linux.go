package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of what its descendants leave
// behind. An agent that dies takes its own children's ancestry along: those that
// have a session of their own could not be found any more.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// orphanTime is how long orphans may take to end that were killed.
const orphanTime = 2 * time.Second

// endOrphans ends what was adopted. It is called when what this process has started
// itself is gone, or has had its time.
func endOrphans() {
	for late := time.After(orphanTime); ; {
		left := children()
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
		select {
		case <-late:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// children gives the processes whose parent this one is.
func children() []int {
	var pids []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		// The name stands in parentheses and may hold anything, parentheses too.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 1 && string(fields[1]) == strconv.Itoa(os.Getpid()) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
