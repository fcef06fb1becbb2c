package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/registry"
)

// A config is what run was asked to do.
type config struct {
	command    []string // the agent's
	prompts    []string // none: a prompt line on the terminal
	cwd        string
	load       string
	json       bool
	record     string
	permission string
	ask        string
	answers    func(context.Context, *client.Ask) error // for --ask first and FILE
	registry   *registry.Registry
	askTimeout time.Duration
	timeout    time.Duration
	maxFrame   int64
}

// runFlags declares run's flags.
func runFlags(c *config, dialects *string) *pflag.FlagSet {
	fs := newFlags("run")
	fs.StringArrayVar(&c.prompts, "prompt", nil, "`TEXT` of a turn, repeatable; - is standard input")
	fs.StringVar(&c.cwd, "cwd", ".", "the session's `DIR`ectory, and the root of file access")
	fs.StringVar(&c.load, "load", "", "load the session `ID` instead of opening one")
	fs.BoolVar(&c.json, "json", false, "print one JSON object a line")
	fs.StringVar(&c.record, "record", "", "record the wire, both ways, secrets masked, to `FILE`")
	fs.StringVar(&c.permission, "permission", "", "`P`: ask, allow, reject or cancel (default: ask on a terminal, else reject)")
	fs.StringVar(&c.ask, "ask", "", "`A`: ask, decline, first or a FILE of answers (default: ask on a terminal, else decline)")
	fs.StringVar(dialects, "dialects", "", "only the dialects of this `LIST`, separated by commas (default: all)")
	fs.DurationVar(&c.askTimeout, "ask-timeout", 0, "decline what nobody answers for `D` (default 30m)")
	fs.DurationVar(&c.timeout, "timeout", 0, "end the run after `D`")
	fs.Int64Var(&c.maxFrame, "max-frame", 0, "skip lines of more than `N` bytes (default 64 MiB)")
	return fs
}

// check completes what was parsed. terminal says that there is a person to ask.
func (c *config) check(fs *pflag.FlagSet, dialects string, terminal bool) error {
	c.command = fs.Args()
	if len(c.command) == 0 {
		return errors.New("no agent is named: put its command after --")
	}
	if len(c.prompts) == 0 && !terminal {
		return errors.New("without a terminal there is no prompt line: give --prompt")
	}
	if c.timeout < 0 || c.askTimeout < 0 || c.maxFrame < 0 {
		return errors.New("--timeout, --ask-timeout and --max-frame must not be negative")
	}
	if err := c.directory(); err != nil {
		return err
	}
	if err := c.policies(terminal); err != nil {
		return err
	}
	var err error
	if c.registry, err = pick(dialects); err != nil {
		return err
	}
	return c.readPrompts()
}

func (c *config) directory() error {
	dir, err := filepath.Abs(c.cwd)
	if err != nil {
		return fmt.Errorf("--cwd: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("--cwd: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("--cwd: %s is no directory", dir)
	}
	c.cwd = dir
	return nil
}

// policies fills in who answers, and reads a file of answers.
func (c *config) policies(terminal bool) error {
	if c.permission == "" {
		c.permission = "reject"
		if terminal {
			c.permission = "ask"
		}
	}
	if !slices.Contains([]string{"ask", "allow", "reject", "cancel"}, c.permission) {
		return fmt.Errorf("--permission must be ask, allow, reject or cancel, not %q", c.permission)
	}
	if c.ask == "" {
		c.ask = "decline"
		if terminal {
			c.ask = "ask"
		}
	}
	if !terminal && (c.permission == "ask" || c.ask == "ask") {
		return errors.New("without a terminal nobody can be asked: give --permission and --ask other values")
	}
	switch c.ask {
	case "ask", "decline":
	case "first":
		c.answers = answerFirst
	default:
		script, err := readAnswers(c.ask)
		if err != nil {
			return fmt.Errorf("--ask is none of ask, decline and first, so it names a file: %w", err)
		}
		c.answers = script.answer
	}
	return nil
}

// readPrompts puts standard input in the place of "-".
func (c *config) readPrompts() error {
	at := slices.Index(c.prompts, "-")
	if at < 0 {
		return nil
	}
	if slices.Contains(c.prompts[at+1:], "-") {
		return errors.New("--prompt - can be given once only")
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("--prompt -: %w", err)
	}
	c.prompts[at] = strings.TrimRight(string(text), "\n")
	return nil
}

// pick gives a registry of some dialects, or of all.
func pick(list string) (*registry.Registry, error) {
	if list == "" {
		return registry.Default(), nil
	}
	all := registry.Default().Dialects()
	var known []string
	for _, d := range all {
		known = append(known, d.Name)
	}
	slices.Sort(known)
	out, taken := new(registry.Registry), map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if taken[name] {
			return nil, fmt.Errorf("--dialects: %s is named twice", name)
		}
		taken[name] = true
		at := slices.Index(known, name)
		if at < 0 {
			return nil, fmt.Errorf("--dialects: there is no dialect %q; there are %s", name, strings.Join(known, ", "))
		}
		for _, d := range all {
			if d.Name != name {
				continue
			}
			if err := out.Register(d); err != nil {
				return nil, fmt.Errorf("--dialects: %w", err)
			}
		}
	}
	return out, nil
}
