package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	acp "github.com/coder/acp-go-sdk"
)

// A File is what an agent reads or writes.
type File struct {
	Session  acp.SessionId
	Path     string // as the agent gave it
	Resolved string // without symlinks; under a root
}

// ReadTextFile implements acp.Client.
//
// The first line is 1; 0, which is sent by some, is taken for it. A line is what
// ends with "\n", and the part that is given is the bytes of its lines, the last
// "\n" included. From beyond the last line on, and with a limit of 0, there is an
// empty text. Negative numbers are refused.
//
// Only regular files are read. One that is no UTF-8 is refused: as JSON it would
// be another one.
func (w *Workspace) ReadTextFile(ctx context.Context, req acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	var resp acp.ReadTextFileResponse
	if w.Files < ReadFiles {
		return resp, acp.NewMethodNotFound(acp.ClientMethodFsReadTextFile)
	}
	if err := inTurn(ctx); err != nil {
		return resp, err
	}
	from, limit, err := lines(req)
	if err != nil {
		return resp, err
	}
	at, err := w.locate(req.SessionId, req.Path)
	if err != nil {
		return resp, err
	}
	text, err := w.readText(ctx, at, File{req.SessionId, req.Path, at.path})
	switch {
	case errors.Is(err, fs.ErrNotExist) && w.MissingAsEmpty:
		text = ""
	case err != nil:
		return resp, fileError(req.Path, err)
	}
	resp.Content = window(text, from, limit)
	return resp, nil
}

func (w *Workspace) readText(ctx context.Context, at target, f File) (string, error) {
	if w.ReadBuffer != nil {
		if text, ok, err := w.ReadBuffer(ctx, f); ok || err != nil {
			return text, err
		}
	}
	if len(at.missing) > 0 {
		return "", fs.ErrNotExist
	}
	root, err := os.OpenRoot(at.root)
	if err != nil {
		return "", err
	}
	defer root.Close()
	file, info, err := openRegular(root, at.name, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer file.Close()
	most := w.maxFile()
	if info.Size() > most {
		return "", refusal("the file has %d bytes, and %d may be read: %s", info.Size(), most, f.Path)
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return "", err
	case int64(len(data)) > most:
		return "", refusal("the file has more than %d bytes: %s", most, f.Path)
	case !utf8.Valid(data):
		return "", refusal("the file is not UTF-8 text: %s", f.Path)
	}
	return string(data), nil
}

func (w *Workspace) maxFile() int64 {
	return orDefault(w.MaxFileSize, defaultFileSize)
}

// errIrregular is for what is there and no file: it is refused by name.
type errIrregular struct{ what string }

func (e errIrregular) Error() string { return e.what }

// openRegular opens a regular file, and nothing else: to open a FIFO would wait,
// and to open a device may do something.
func openRegular(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(name)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := root.OpenFile(name, flag|openNonblock, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(info) // it may be another one by now
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func regular(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errIrregular{"is a directory"}
	case mode&fs.ModeNamedPipe != 0:
		return errIrregular{"is a FIFO"}
	case mode&fs.ModeSocket != 0:
		return errIrregular{"is a socket"}
	}
	return errIrregular{"is a device"}
}

// lines gives the part of a file that is asked for: from a line on, 1-based, and
// how many, negative for all.
func lines(req acp.ReadTextFileRequest) (from, limit int, err error) {
	from, limit = 1, -1
	if req.Line != nil {
		if from = max(*req.Line, 1); *req.Line < 0 {
			return 0, 0, refusal("line must not be negative: %d", *req.Line)
		}
	}
	if req.Limit != nil {
		if limit = *req.Limit; limit < 0 {
			return 0, 0, refusal("limit must not be negative: %d", limit)
		}
	}
	return from, limit, nil
}

func window(text string, from, limit int) string {
	for ; from > 1 && text != ""; from-- {
		text = text[lineLen(text):]
	}
	if limit < 0 {
		return text
	}
	end := 0
	for ; limit > 0 && end < len(text); limit-- {
		end += lineLen(text[end:])
	}
	return text[:end]
}

// lineLen is the length of the first line, its "\n" included.
func lineLen(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// codeNotFound is ACP's code for a resource that is not there.
const codeNotFound = -32002

// refusal is the answer to a request that will never be granted as it is.
func refusal(format string, args ...any) error {
	return &acp.RequestError{Code: -32602, Message: fmt.Sprintf(format, args...)}
}

// fileError makes the answer of what the system said, unless err is an answer.
// Only a missing file is -32002; there are agents that look for "no such file"
// in the text.
func fileError(path string, err error) error {
	var irregular errIrregular
	var answer *acp.RequestError
	switch {
	case errors.As(err, &answer):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &acp.RequestError{Code: codeNotFound, Message: "no such file or directory, resource not found: " + path}
	case errors.As(err, &irregular):
		return refusal("not a file, it %s: %s", irregular.what, path)
	}
	// The paths that the system's errors name may be others.
	if of := new(fs.PathError); errors.As(err, &of) {
		err = of.Err
	} else if of := new(os.LinkError); errors.As(err, &of) {
		err = of.Err
	}
	return &acp.RequestError{Code: -32603, Message: fmt.Sprintf("%v: %s", err, path)}
}
