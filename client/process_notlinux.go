//go:build unix && !linux

package client

import "syscall"

// strays are not looked for: this system has no portable way to show them.
type strays struct{}

func (strays) signal(syscall.Signal) {}

func (t *tree) look() {}

func (t *tree) alive() bool {
	return t.grouped() && syscall.Kill(-t.leader, 0) != syscall.ESRCH
}
