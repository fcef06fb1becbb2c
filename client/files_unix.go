//go:build unix

package client

import (
	"io/fs"
	"os"
	"syscall"
)

// openNonblock makes opening a FIFO return at once.
const openNonblock = syscall.O_NONBLOCK

// keepOwner gives a file to the owner of the one that it replaces, or at least
// to its group, if this user may do so.
func keepOwner(f *os.File, old fs.FileInfo) {
	if was, ok := old.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(was.Uid), int(was.Gid)) != nil {
			_ = f.Chown(-1, int(was.Gid))
		}
	}
}
