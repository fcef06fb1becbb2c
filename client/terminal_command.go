package client

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"
)

// shellSyntax is what makes a line for the shell of a command that is no
// program: blanks, and what a shell does something with.
const shellSyntax = " \t\n|&;<>()$`\\\"'*?[]~{}"

// command works out what a request means.
func (w *Workspace) command(req acp.CreateTerminalRequest) (Command, error) {
	c := Command{Session: req.SessionId, Argv: append([]string{req.Command}, req.Args...)}
	if strings.TrimSpace(req.Command) == "" {
		return c, refusal("the command is empty")
	}
	if slices.ContainsFunc(c.Argv, func(s string) bool { return strings.ContainsRune(s, 0) }) {
		return c, refusal("the command has a NUL character in it")
	}
	var err error
	if c.Dir, err = w.startDir(req); err != nil {
		return c, err
	}
	if c.Env, err = w.environment(req.Env, c.Dir); err != nil {
		return c, err
	}
	c.Program, err = lookProgram(req.Command, c.Dir, c.Env)
	switch {
	case err == nil:
		return c, nil
	case len(req.Args) == 0 && strings.ContainsAny(req.Command, shellSyntax):
		c.Line = req.Command
		c.Program, c.Argv = shell(c.Line)
		return c, nil
	}
	return c, cannotRun(req.Command, err)
}

// startDir gives where a command starts.
func (w *Workspace) startDir(req acp.CreateTerminalRequest) (string, error) {
	var dir string
	if req.Cwd != nil {
		dir = *req.Cwd
	} else if roots := w.roots(req.SessionId); len(roots) > 0 {
		dir = roots[0]
	}
	if dir == "" {
		return "", refusal("there is no directory to run the command in")
	}
	at, err := w.locate(req.SessionId, dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(at.path)
	switch {
	case err != nil:
		return "", fileError(dir, err)
	case !info.IsDir():
		return "", refusal("this is not a directory to run a command in: %s", dir)
	}
	return at.path, nil
}

func (w *Workspace) environment(vars []acp.EnvVariable, dir string) ([]string, error) {
	env := w.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(slices.Clip(env), "PWD="+dir)
	for _, v := range vars {
		if v.Name == "" || strings.ContainsAny(v.Name, "=\x00") || strings.ContainsRune(v.Value, 0) {
			return nil, refusal("this cannot be an environment variable: %q", v.Name)
		}
		env = append(env, v.Name+"="+v.Value)
	}
	return env, nil
}

// lookProgram finds a program: by its path, from dir if that is relative, or in
// the PATH that it will have. Relative entries there do not count.
func lookProgram(name, dir string, env []string) (string, error) {
	if filepath.IsAbs(name) {
		return executable(name)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }) {
		return executable(dir + string(filepath.Separator) + name)
	}
	for _, in := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(in) {
			continue
		}
		if program, err := executable(filepath.Join(in, name)); err == nil {
			return program, nil
		}
	}
	return "", errors.New("there is no such program in the PATH")
}

func executable(path string) (string, error) {
	program, err := exec.LookPath(path)
	if of := new(exec.Error); errors.As(err, &of) {
		err = of.Err
	}
	return program, err
}

// variable gives the last value of a variable.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		key, value, _ := strings.Cut(entry, "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
