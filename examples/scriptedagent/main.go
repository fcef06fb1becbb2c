package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

//go:embed tour.jsonl
var tour []byte

func main() {
	// A client that went away is an error of the write, not a signal.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run plays the script that args name and returns the exit status.
func run(args []string, stdin io.Reader, stdout io.WriteCloser, stderr io.Writer) int {
	s, err := load(args)
	if err != nil {
		fmt.Fprintln(stderr, "scriptedagent:", err)
		return 2
	}
	p := newPlayer(s, stdin, stdout, stderr)
	code, err := p.run()
	if err != nil {
		fmt.Fprintln(stderr, "scriptedagent:", err)
	}
	return code
}

func load(args []string) (*script, error) {
	switch len(args) {
	case 0:
		return parseScript("tour.jsonl", bytes.NewReader(tour))
	case 1:
		f, err := os.Open(args[0])
		if err != nil {
			return nil, fmt.Errorf("cannot read the script: %w", err)
		}
		defer f.Close()
		return parseScript(args[0], f)
	}
	return nil, fmt.Errorf("want at most one argument, a script file, not %d; usage: scriptedagent [FILE]", len(args))
}
