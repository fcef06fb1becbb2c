// Acptap runs, watches and records agents that speak the Agent Client Protocol.
//
//	acptap run [flags] -- AGENT [ARG...]      start the agent, send prompts, show what happens
//	acptap replay [--json] CAPTURE            show a recording as run would have shown it
//	acptap tap [--record FILE] -- AGENT ...   stand between an editor and its agent
//	acptap dialects [--json]                  list the private methods that are understood
//
// With --json it prints one JSON object a line, for programs; otherwise text, in
// colour on a terminal unless NO_COLOR or CI is set.
//
// It ends with 124 when a run took longer than --timeout; else 2 when it was
// called wrongly; else 1 when the agent or the protocol failed before every
// prompt was answered; else 3 when a turn ended cancelled or refusal; else 0.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	_ "github.com/acpdialects/acpdialects/dialects/all"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/text"
)

// Exit codes. Tap gives the agent's own.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitStopped = 3 // a turn was cancelled or refused
	exitTimeout = 124
)

type subcommand struct {
	name, args, doc string
	run             func(args []string) int
}

func subcommands() []subcommand {
	return []subcommand{
		{"run", "[flags] -- AGENT [ARG...]", "start the agent, open a session, send prompts, print what happens", run},
		{"replay", "[--json] CAPTURE", "show a recording as run would have shown it", replay},
		{"tap", "[--record FILE] -- AGENT [ARG...]", "stand between an editor and its agent, byte for byte", tap},
		{"dialects", "[--json]", "list the private methods that are understood", dialects},
	}
}

func main() { os.Exit(command(os.Args[1:])) }

func command(args []string) int {
	if len(args) == 0 {
		usage(os.Stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "--help":
		usage(os.Stdout)
		return exitOK
	}
	for _, c := range subcommands() {
		if c.name == args[0] {
			return c.run(args[1:])
		}
	}
	fmt.Fprintf(os.Stderr, "acptap: there is no command %q\n", args[0])
	usage(os.Stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage:")
	for _, c := range subcommands() {
		fmt.Fprintf(w, "  acptap %-9s%-34s  %s\n", c.name, c.args, c.doc)
	}
	fmt.Fprintln(w, "acptap COMMAND --help lists the flags of one.")
}

// newFlags gives a command's empty set of flags.
func newFlags(command string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(command, pflag.ContinueOnError)
	fs.SetInterspersed(false)
	fs.SortFlags = false
	fs.SetOutput(io.Discard)
	return fs
}

// parse parses a command's flags. If done, the command ends with the code.
func parse(fs *pflag.FlagSet, args []string) (code int, done bool) {
	switch err := fs.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		commandUsage(os.Stdout, fs)
		return exitOK, true
	case err != nil:
		return badUsage(fs.Name(), err), true
	}
	return 0, false
}

func commandUsage(w io.Writer, fs *pflag.FlagSet) {
	for _, c := range subcommands() {
		if c.name == fs.Name() {
			fmt.Fprintf(w, "usage: acptap %s %s\n", c.name, c.args)
		}
	}
	fmt.Fprint(w, fs.FlagUsages())
}

// badUsage says what was wrong with a call.
func badUsage(command string, err error) int {
	fmt.Fprintf(os.Stderr, "acptap %s: %s; see acptap %s --help\n", command, strings.TrimSuffix(err.Error(), "."), command)
	return exitUsage
}

// complain tells an error on stderr. What it says may be an agent's words.
func complain(err error) { fmt.Fprintf(os.Stderr, "acptap: %s\n", text.Clean(err.Error())) }
