package client

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	acp "github.com/coder/acp-go-sdk"
)

// maxLinks is how many symlinks a path may take, as on Linux.
const maxLinks = 40

// A place is where a path leads.
type place struct {
	path string // without symlinks, "." and ".."
	// missing are the names that are not there yet. They are in path too.
	missing []string
}

// resolve finds where the system would go with an absolute path: symlinks are
// followed as they come, and ".." is the parent of where that led, not of what
// the path says. A path may lead to what is not there, through symlinks too, as
// long as only names are left then. The place is as far as it came if there is
// an error.
func resolve(path string) (place, error) {
	volume := filepath.VolumeName(path)
	root := volume + string(filepath.Separator)
	at := place{path: root}
	names := split(path[len(volume):])
	links := 0
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		switch {
		case len(at.missing) > 0 && (name == "." || name == ".."):
			// Nothing is there to stay in or to go up from. Where it would
			// have led says whether that may be told.
			at.path = filepath.Join(append([]string{at.path, name}, names...)...)
			return at, fs.ErrNotExist
		case name == ".":
			continue
		case name == "..":
			at.path = filepath.Dir(at.path)
			continue
		}
		next := filepath.Join(at.path, name)
		if len(at.missing) > 0 {
			at = place{next, append(at.missing, name)}
			continue
		}
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			at = place{next, []string{name}}
			continue
		case err != nil:
			return place{path: next}, err
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return place{path: next}, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
			}
			to, err := os.Readlink(next)
			if err != nil {
				return place{path: next}, err
			}
			if filepath.IsAbs(to) {
				volume := filepath.VolumeName(to)
				at.path, to = volume+string(filepath.Separator), to[len(volume):]
			}
			names = append(split(to), names...)
			continue
		case !info.IsDir() && len(names) > 0:
			return place{path: next}, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
		}
		at.path = next
	}
	return at, nil
}

// split gives the names in a path. A separator at its end asks for a directory,
// and so does the "." that stands for it here.
func split(path string) []string {
	separator := func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }
	names := strings.FieldsFunc(path, separator)
	if n := len(path); n > 0 && os.IsPathSeparator(path[n-1]) && len(names) > 0 {
		names = append(names, ".")
	}
	return names
}

// inside reports whether a path is a directory or in it, and gives its name
// there. Both are resolved.
func inside(dir, path string) (name string, ok bool) {
	if runtime.GOOS == "windows" && len(path) >= len(dir) && strings.EqualFold(path[:len(dir)], dir) {
		path = dir + path[len(dir):]
	}
	if path == dir {
		return ".", true
	}
	if !os.IsPathSeparator(dir[len(dir)-1]) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}

// checkPath refuses what cannot be an absolute path on this system.
func checkPath(path string) error {
	drive := strings.TrimPrefix(path, "/")
	switch {
	case path == "":
		return refusal("the path is empty")
	case strings.ContainsRune(path, 0):
		return refusal("the path has a NUL character in it: %q", path)
	case strings.HasPrefix(path, "file:"):
		return refusal("this is a URI, not a path: %q", path)
	case runtime.GOOS != "windows" && len(drive) > 2 && drive[1] == ':' && (drive[2] == '\\' || drive[2] == '/'):
		return refusal("this is a Windows path, and this is not Windows: %q", path)
	case !filepath.IsAbs(path):
		return refusal("the path must be absolute: %q", path)
	}
	return nil
}

// A target is a path that lies under a root of its session.
type target struct {
	place
	root string // resolved
	name string // of the place, in the root
}

// locate resolves a path and refuses what is under none of the session's roots.
// Of what lies outside it tells nothing, not even whether it is there. Who
// changes a link after that gains nothing: the place is opened through os.Root.
func (w *Workspace) locate(id acp.SessionId, path string) (target, error) {
	if err := checkPath(path); err != nil {
		return target{}, err
	}
	at, err := resolve(path)
	for _, dir := range w.roots(id) {
		if !filepath.IsAbs(dir) {
			continue
		}
		root, dirErr := resolve(dir)
		if dirErr != nil || len(root.missing) > 0 {
			continue
		}
		if name, ok := inside(root.path, at.path); ok {
			if err != nil {
				return target{}, fileError(path, err)
			}
			return target{at, root.path, name}, nil
		}
	}
	return target{}, refusal("the path is outside the session's directories: %q", path)
}
