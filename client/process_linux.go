package client

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// strays are descendants that have left the command's group, by number. The
// start time tells them from a stranger with the same number.
type strays struct {
	mu    sync.Mutex
	start map[int]uint64
}

// look notes the descendants that have left the group. It finds them by their
// parents, so the command must still be there, or one that it found before.
func (t *tree) look() {
	all := processes()
	t.strays.mu.Lock()
	defer t.strays.mu.Unlock()
	known := map[int]bool{}
	if !t.reaped.Load() {
		known[t.leader] = true
	}
	for pid, start := range t.strays.start {
		if all[pid].start == start {
			known[pid] = true
		}
	}
	for grown := true; grown; { // a child may be listed before its parent
		grown = false
		for pid, p := range all {
			if !known[pid] && known[p.parent] {
				known[pid], grown = true, true
			}
		}
	}
	for pid := range known {
		if p := all[pid]; p.live && p.group != t.leader {
			if t.strays.start == nil {
				t.strays.start = map[int]uint64{}
			}
			t.strays.start[pid] = p.start
		}
	}
}

// alive reports whether a process of the tree runs. What has ended and waits to
// be reaped by somebody else does not.
func (t *tree) alive() bool {
	t.strays.mu.Lock()
	left := maps.Clone(t.strays.start)
	t.strays.mu.Unlock()
	group := t.grouped() && syscall.Kill(-t.leader, 0) != syscall.ESRCH
	if !group && len(left) == 0 {
		return false
	}
	all := processes()
	if len(all) == 0 {
		return group
	}
	for pid, p := range all {
		if !p.live {
			continue
		}
		if start, stray := left[pid]; group && p.group == t.leader || stray && p.start == start {
			return true
		}
	}
	return false
}

func (s *strays) signal(sig syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for pid, start := range s.start {
		p, err := os.FindProcess(pid) // holds the process, not its number
		if err != nil {
			continue
		}
		if now, ok := readProcess(pid); ok && now.start == start {
			_ = p.Signal(sig)
		}
		_ = p.Release()
	}
}

// A proc is what the system says of one process.
type proc struct {
	parent, group int
	start         uint64
	live          bool // not only waiting to be reaped
}

// processes gives all processes there are, or none where /proc is not there.
func processes() map[int]proc {
	names, _ := filepath.Glob("/proc/[0-9]*")
	all := make(map[int]proc, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
			if p, ok := readProcess(pid); ok {
				all[pid] = p
			}
		}
	}
	return all
}

func readProcess(pid int) (proc, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, false
	}
	// The name stands in parentheses and may hold anything, parentheses too.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return proc{}, false
	}
	p := proc{live: fields[0] != "Z" && fields[0] != "X"}
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	p.start, _ = strconv.ParseUint(fields[19], 10, 64)
	return p, true
}
