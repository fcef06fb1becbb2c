//go:build unix

package client_test

import (
	"syscall"
	"time"
)

// cpu gives the processor time that this process has used: on a busy machine it
// says more than a clock.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
