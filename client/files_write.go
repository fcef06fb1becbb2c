package client

import (
	"context"
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"

	acp "github.com/coder/acp-go-sdk"
)

// WriteTextFile implements acp.Client.
//
// A file is replaced as a whole: whoever reads it sees the old text or the new.
// It keeps its mode and, where this user may say so, its owner. A symlink stays
// one, and what it leads to is written. Directories that are not there are made.
func (w *Workspace) WriteTextFile(ctx context.Context, req acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	var resp acp.WriteTextFileResponse
	if w.Files < ReadWriteFiles {
		return resp, acp.NewMethodNotFound(acp.ClientMethodFsWriteTextFile)
	}
	if err := inTurn(ctx); err != nil {
		return resp, err
	}
	if most := w.maxFile(); int64(len(req.Content)) > most {
		return resp, refusal("the text has %d bytes, and %d may be written: %s", len(req.Content), most, req.Path)
	}
	at, err := w.locate(req.SessionId, req.Path)
	if err != nil {
		return resp, err
	}
	if len(at.missing) > 1 && w.NoCreateDirs {
		return resp, fileError(filepath.Dir(req.Path), fs.ErrNotExist)
	}
	root, err := os.OpenRoot(at.root)
	if err != nil {
		return resp, fileError(req.Path, err)
	}
	defer root.Close()
	old, err := writable(root, at)
	if err != nil {
		return resp, fileError(req.Path, err)
	}
	if w.WriteBuffer != nil {
		ok, err := w.WriteBuffer(ctx, File{req.SessionId, req.Path, at.path}, req.Content)
		if ok || err != nil {
			return resp, err
		}
	}
	if err := replace(root, at, old, req.Content); err != nil {
		return resp, fileError(req.Path, err)
	}
	return resp, nil
}

// writable checks that a file may be written, and gives what is known of it; nil
// if it is not there. To replace a file needs no right to write it, so that is
// asked for here.
func writable(root *os.Root, at target) (fs.FileInfo, error) {
	if len(at.missing) > 0 {
		return nil, nil
	}
	f, info, err := openRegular(root, at.name, os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	return info, f.Close()
}

// replace writes a file beside the target and moves it there.
func replace(root *os.Root, at target, old fs.FileInfo, text string) (err error) {
	dir := filepath.Dir(at.name)
	if len(at.missing) > 1 {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o666) // as far as the umask lets it
	if old != nil {
		mode = 0o600 // until it is its own
	}
	name := filepath.Join(dir, ".write-"+rand.Text()+".tmp")
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(name)
		}
	}()
	_, err = f.WriteString(text)
	if err == nil && old != nil {
		keepOwner(f, old)
		err = f.Chmod(old.Mode().Perm())
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = root.Rename(name, at.name)
	}
	return err
}
