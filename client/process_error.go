package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// A StartError says that a command could not be started. errors.Is finds the
// system's error in it: fs.ErrNotExist, fs.ErrPermission.
type StartError struct {
	Command string
	Err     error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("client: cannot start %q: %v", e.Command, e.Err)
}

// Unwrap gives the causes.
func (e *StartError) Unwrap() error { return e.Err }

// startError makes the error of exec say what is wrong.
func startError(cmd *exec.Cmd, err error) error {
	return &StartError{Command: commandName(cmd), Err: explain(cmd, err)}
}

// commandName is how errors name a command. Arguments may be secret.
func commandName(cmd *exec.Cmd) string {
	if len(cmd.Args) > 0 && cmd.Args[0] != "" {
		return cmd.Args[0]
	}
	return cmd.Path
}

func explain(cmd *exec.Cmd, err error) error {
	if lookup := new(exec.Error); errors.As(err, &lookup) {
		err = lookup.Err // it names the command again
	}
	if errors.Is(err, exec.ErrNotFound) {
		return &because{err, fs.ErrNotExist}
	}
	if cmd.Dir != "" {
		info, dirErr := os.Stat(cmd.Dir)
		switch {
		case dirErr != nil:
			return fmt.Errorf("its working directory: %w", dirErr)
		case !info.IsDir():
			return fmt.Errorf("its working directory: %w", &fs.PathError{Op: "chdir", Path: cmd.Dir, Err: syscall.ENOTDIR})
		}
	}
	info, statErr := os.Stat(programPath(cmd))
	switch {
	case statErr != nil || cmd.Path == "":
	case info.IsDir():
		return &because{errors.New("it is a directory"), err}
	case errors.Is(err, fs.ErrNotExist):
		if interpreter := shebang(programPath(cmd)); interpreter != "" {
			return fmt.Errorf("the file is there, but the interpreter that its first line names, %q, is not: %w", interpreter, err)
		}
	}
	return err
}

// because is an error that also is another one.
type because struct{ err, is error }

func (b *because) Error() string   { return b.err.Error() }
func (b *because) Unwrap() []error { return []error{b.err, b.is} }

// programPath is where the system looks for the program.
func programPath(cmd *exec.Cmd) string {
	if filepath.IsAbs(cmd.Path) {
		return cmd.Path
	}
	return filepath.Join(cmd.Dir, cmd.Path)
}

// shebang gives the interpreter that a script names.
func shebang(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	line, ok := strings.CutPrefix(line, "#!")
	if words := strings.Fields(line); ok && len(words) > 0 {
		return words[0]
	}
	return ""
}
