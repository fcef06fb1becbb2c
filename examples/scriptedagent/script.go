package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A script is a parsed script file. It is not changed once it is parsed.
type script struct {
	name   string
	agent  agent
	start  *group              // what stands before the first "on"
	groups map[string][]*group // by method, in the file's order
	named  map[string]bool     // methods left to the script; all others get the default answers
}

// An agent is what the script says about the agent as a whole.
type agent struct {
	Name         string          `json:"name"`
	Version      string          `json:"version"`
	Capabilities json.RawMessage `json:"capabilities"`
	Sessions     []string        `json:"sessions"`
}

// A group is the steps that are played for one message of the client.
type group struct{ steps []step }

// A step is a line of the script, ready to be played.
type step struct {
	line int
	do   func(*player) error
}

// parseScript reads a script. Its error names the file and the first bad line.
func parseScript(name string, r io.Reader) (*script, error) {
	s := &script{
		name:   name,
		agent:  agent{Name: "scriptedagent", Version: "1.0.0", Capabilities: json.RawMessage(`{"loadSession":true}`)},
		start:  &group{},
		groups: map[string][]*group{},
		named:  map[string]bool{},
	}
	b := builder{script: s, group: s.start}
	br := bufio.NewReader(r)
	for n := 1; ; n++ {
		text, readErr := br.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return nil, fmt.Errorf("cannot read the script %s: %w", name, readErr)
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			if err := b.add(n, text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		if readErr == io.EOF {
			return s, nil
		}
	}
}

// A builder adds lines to a script.
type builder struct {
	script  *script
	group   *group // the one that steps go to
	settled bool   // the "agent" line was seen
}

func (b *builder) add(n int, text []byte) error {
	l, err := parseLine(text)
	if err != nil {
		return err
	}
	switch l.verb {
	case "agent":
		if b.settled {
			return errors.New(`a second "agent" line; one script is one agent`)
		}
		b.settled = true
		return b.script.agent.set(l.value)
	case "on":
		method, err := l.text("on")
		if err != nil {
			return err
		}
		b.group = &group{}
		b.script.groups[method] = append(b.script.groups[method], b.group)
		b.script.named[method] = true
		return nil
	case "wait":
		method, err := l.text("wait")
		if err != nil {
			return err
		}
		b.script.named[method] = true
	}
	do, err := verbs[l.verb].build(l)
	if err != nil {
		return err
	}
	b.group.steps = append(b.group.steps, step{n, do})
	return nil
}

// set takes over the fields that the script gives and keeps the others.
func (a *agent) set(value json.RawMessage) error {
	if _, err := object(value); err != nil {
		return fmt.Errorf(`"agent": %w`, err)
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return fmt.Errorf(`"agent" takes name, version, capabilities and sessions: %w`, err)
	}
	return nil
}
