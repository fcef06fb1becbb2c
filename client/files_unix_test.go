//go:build unix

package client

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestOnlyRegularFilesAnswerAtOnce(t *testing.T) {
	l, ws, _ := workspaceIn(t)
	if err := syscall.Mkfifo(filepath.Join(ws, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(ws) // a socket's name is short
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := os.Symlink("fifo", filepath.Join(ws, "alias")); err != nil {
		t.Fatal(err)
	}
	const refused = "-32602"
	runFileCases(t, l, ws, "", []fileCase{
		{fsRead, readOf("$WS/fifo"), refused, "not a file, it is a FIFO: $WS/fifo"},
		{fsWrite, writeOf("$WS/fifo"), refused, "is a FIFO"},
		{fsRead, readOf("$WS/alias"), refused, "is a FIFO"},
		{fsRead, readOf("$WS/socket"), refused, "is a socket"},
		{fsWrite, writeOf("$WS/socket"), refused, "is a socket"},
	})
	w := &Workspace{Files: ReadFiles, Roots: []string{"/dev"}}
	if _, err := w.ReadTextFile(t.Context(), acp.ReadTextFileRequest{Path: "/dev/zero"}); err == nil {
		t.Error("a device was read")
	}
}

// A FIFO that takes a regular file's place after it was looked at.
func TestFIFOInARegularFilesPlaceDoesNotHang(t *testing.T) {
	dir := tempDir(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := root.OpenFile("fifo", os.O_RDONLY|openNonblock, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("is a FIFO", regular(info).Error()); diff != "" {
		t.Error(diff)
	}
}

func TestWritingKeepsTheOwner(t *testing.T) {
	ws := tempDir(t)
	path := filepath.Join(ws, "file")
	put(t, path, "old")
	want := uint32(os.Geteuid())
	if want == 0 { // who may give it away
		want = 12345
		if err := os.Chown(path, int(want), int(want)); err != nil {
			t.Fatal(err)
		}
	}
	w := &Workspace{Files: ReadWriteFiles, Roots: []string{ws}}
	if _, err := w.WriteTextFile(t.Context(), acp.WriteTextFileRequest{Path: path, Content: "new"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, info.Sys().(*syscall.Stat_t).Uid); diff != "" {
		t.Error(diff)
	}
}
