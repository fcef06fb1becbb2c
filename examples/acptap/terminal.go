package main

import (
	"os"

	"github.com/charmbracelet/x/term"
)

// A terminal is where text goes and, if there is a person at it, where they are
// asked. JSON lines leave stdout to themselves.
type terminal struct {
	out    *os.File
	size   func() (width, height int) // nil: out is no terminal
	person bool
}

func openTerminal(json bool) terminal {
	t := terminal{out: os.Stdout}
	if json {
		t.out = os.Stderr
	}
	if !term.IsTerminal(t.out.Fd()) {
		return t
	}
	t.person = term.IsTerminal(os.Stdin.Fd())
	t.size = func() (int, int) {
		width, height, err := term.GetSize(t.out.Fd())
		if err != nil || width < 20 || height < 5 {
			return 80, 24
		}
		return width, height
	}
	return t
}
