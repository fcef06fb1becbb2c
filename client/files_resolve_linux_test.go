package client

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	acp "github.com/coder/acp-go-sdk"
)

// kernel gives what the system makes of a path: the name of what it opens, or of
// what it would create.
func kernel(path string, create bool) (string, error) {
	const oPath = 0x200000
	flags := oPath | syscall.O_CLOEXEC
	if create {
		flags = syscall.O_CREAT | syscall.O_EXCL | syscall.O_WRONLY | syscall.O_CLOEXEC
		// O_EXCL does not follow a last symlink, so it is followed first.
		for range maxLinks {
			to, err := os.Readlink(path)
			if err != nil {
				break
			}
			if !filepath.IsAbs(to) {
				to = path[:strings.LastIndexByte(path, '/')+1] + to
			}
			path = to
		}
	}
	fd, err := syscall.Open(path, flags, 0o600)
	if err != nil {
		return "", err
	}
	defer syscall.Close(fd)
	name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if create && err == nil {
		err = os.Remove(name)
	}
	return name, err
}

// world makes a tree in which links lead everywhere, and gives its workspace.
func world(t testing.TB) (base, ws string) {
	base = tempDir(t)
	ws = filepath.Join(base, "ws")
	for _, file := range []string{"ws/f", "ws/a/f", "ws/a/b/f", "ws-evil/f", "out/f", "out/a/f"} {
		put(t, filepath.Join(base, file), file)
	}
	for name, to := range map[string]string{
		"ws/out": "../out", "ws/abs": base + "/out", "ws/in": "a/b", "ws/back": base + "/ws", "ws/up": "..",
		"ws/a/top": "../..", "ws/loop": "loop", "ws/ping": "pong", "ws/pong": "ping", "ws/gone": "nowhere",
		"ws/escape": "../out/new", "ws/file": "f", "ws/slash": "a/b/", "ws/dots": "./a/../a/./b", "ws/badfile": "f/",
		"out/home": "../ws", "ws/root": "/", "ws/b": "in",
	} {
		if err := os.Symlink(to, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	return base, ws
}

// FuzzResolve: a path leads where the system says it leads, and what is served
// is under the root by the system's word.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"f", "a/b/f", "../ws-evil/f", "out/f", "abs/a/f", "in/../f", "out/../ws/f", "up/up/x", "a/top/out/f", "loop", "ping/x",
		"gone", "gone/x", "escape", "file", "file/", "slash", "slash/f", "dots/f", "badfile", "f/", "f/.", "f/..", "a/.", "a/b/..",
		"new", "new/", "new/x", "new/../f", "a//b///f", "./f", "out/home/f", "root", "b/f", "b/../f", "../../..", "a/b/new", "",
	} {
		f.Add(seed)
	}
	base, ws := world(f)
	w := &Workspace{Files: ReadWriteFiles, Roots: []string{ws}}
	inWorkspace := func(name string) bool { return name == ws || strings.HasPrefix(name, ws+"/") }
	f.Fuzz(func(t *testing.T, rel string) {
		if strings.ContainsRune(rel, 0) || strings.Contains(rel, "proc") || len(rel) > 2000 {
			return // no path, or one whose links are none
		}
		path := ws + "/" + rel
		at, err := resolve(path)
		is, kernelErr := kernel(path, false)
		exists := err == nil && len(at.missing) == 0
		switch {
		case exists != (kernelErr == nil):
			t.Fatalf("%q leads to %+v, %v; the system says %q, %v", path, at, err, is, kernelErr)
		case exists && at.path != is:
			t.Fatalf("%q leads to %q; the system says %q", path, at.path, is)
		case errors.Is(kernelErr, fs.ErrNotExist) && err != nil && !errors.Is(err, fs.ErrNotExist):
			t.Fatalf("%q: %v; the system says %v", path, err, kernelErr)
		}
		// Where a new file would come to be. Only in the tree: to try it makes one.
		if err == nil && len(at.missing) == 1 && strings.HasPrefix(at.path, base+"/") {
			if made, err := kernel(path, true); err != nil || made != at.path {
				t.Fatalf("%q would be made as %q; the system made %q, %v", path, at.path, made, err)
			}
		}

		resp, err := w.ReadTextFile(t.Context(), acp.ReadTextFileRequest{Path: path})
		info, statErr := os.Stat(path)
		readable := statErr == nil && info.Mode().IsRegular() && inWorkspace(is)
		if readable != (err == nil) {
			t.Fatalf("%q is %q: read with error %v", path, is, err)
		}
		if err == nil && resp.Content != strings.TrimPrefix(is, base+"/") {
			t.Fatalf("%q is %q: read %q", path, is, resp.Content)
		}
		if err != nil && kernelErr == nil && !inWorkspace(is) && !strings.Contains(err.Error(), "outside") {
			t.Fatalf("%q is %q, outside: %v", path, is, err)
		}
	})
}

// TestWritesStayUnderTheRoot writes through every seed of links and looks at
// what changed outside.
func TestWritesStayUnderTheRoot(t *testing.T) {
	base, ws := world(t)
	w := &Workspace{Files: ReadWriteFiles, Roots: []string{ws}}
	outside := func() map[string]string {
		got := map[string]string{}
		for _, dir := range []string{"out", "ws-evil"} {
			for _, name := range names(t, filepath.Join(base, dir)) {
				info, err := os.Lstat(filepath.Join(base, dir, name))
				if err != nil {
					t.Fatal(err)
				}
				got[dir+"/"+name] = info.ModTime().String()
			}
		}
		return got
	}
	before := outside()
	parts := []string{"", "f", "a", "out", "abs", "in", "up", "escape", "gone", "new", "..", "root", "top", "home", "ws-evil"}
	for _, one := range parts {
		for _, two := range parts {
			for _, three := range parts {
				_, _ = w.WriteTextFile(t.Context(), acp.WriteTextFileRequest{Path: ws + "/" + one + "/" + two + "/" + three, Content: "x"})
			}
		}
	}
	after := outside()
	for name, when := range after {
		if before[name] != when {
			t.Errorf("%s was written", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("outside there is %v, there was %v", after, before)
	}
}
