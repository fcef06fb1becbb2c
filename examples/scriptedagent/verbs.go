package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// A verb is a word of the script language.
type verb struct {
	modifiers []string
	// build makes the step that plays the line. Nil for the words that build
	// the script itself.
	build func(line) (func(*player) error, error)
}

// verbs is the language.
var verbs = map[string]verb{
	"agent": {},
	"on":    {},

	"send":    writes(buildSend),
	"update":  writes(buildUpdate, "session"),
	"say":     writes(buildSay, "session"),
	"notify":  writes(buildNotify, "params"),
	"request": writes(buildRequest, "params", "id"),
	"result":  writes(buildAnswer, "to"),
	"error":   writes(buildAnswer, "to"),
	"raw":     writes(buildRaw),
	"hex":     writes(buildHex),

	"call":  {[]string{"params", "id"}, buildCall},
	"wait":  {nil, buildWait},
	"await": {nil, buildAwait},
	"pause": {nil, buildPause},

	"stderr": {nil, buildStderr},
	"silent": {nil, buildSilent},
	"ignore": {nil, buildIgnore},
	"close":  {nil, buildClose},
	"exit":   {nil, buildExit},
	"kill":   {nil, buildKill},
}

// writes is a verb that writes to stdout: it takes the modifiers of emission
// besides its own.
func writes(build func(line) (func(*player) error, error), own ...string) verb {
	return verb{slices.Concat(own, []string{"repeat", "chunk", "end"}), build}
}

func buildWait(l line) (func(*player) error, error) {
	method, err := l.text("wait")
	return func(p *player) error { return p.wait(method) }, err
}

func buildAwait(l line) (func(*player) error, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(l.value, &list); err != nil || list == nil {
		return nil, fmt.Errorf(`"await" takes a list of request ids, not %s; [] is every request that is open`, l.show("await"))
	}
	ids := make([]template, len(list))
	for i, id := range list {
		var err error
		if ids[i], err = parseJSON(string(id)); err != nil {
			return nil, err
		}
	}
	return func(p *player) error {
		tokens := make([]string, len(ids))
		for i, id := range ids {
			b, err := id.expand(p)
			if err != nil {
				return err
			}
			tokens[i] = string(b)
		}
		return p.await(tokens)
	}, nil
}

func buildPause(l line) (func(*player) error, error) {
	ms, err := l.number("pause", 0, 60_000, 0)
	return func(p *player) error { return p.pause(time.Duration(ms) * time.Millisecond) }, err
}

func buildStderr(l line) (func(*player) error, error) {
	text, err := textOf(l)
	return func(p *player) error {
		b, err := text.expand(p)
		if err == nil {
			fmt.Fprintf(p.stderr, "%s\n", b)
		}
		return err
	}, err
}

func buildSilent(l line) (func(*player) error, error) {
	return func(p *player) error { p.silent = true; return nil }, l.exactly("true")
}

func buildIgnore(l line) (func(*player) error, error) {
	return func(p *player) error { p.ignoreEOF = true; return nil }, l.exactly(`"eof"`)
}

func buildClose(l line) (func(*player) error, error) {
	return func(p *player) error { return p.out.close() }, l.exactly(`"stdout"`)
}

func buildExit(l line) (func(*player) error, error) {
	code, err := l.number("exit", 0, 255, 0)
	return func(*player) error { return exit(code) }, err
}

func buildKill(l line) (func(*player) error, error) {
	return func(*player) error {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			return fmt.Errorf("cannot kill itself: %w", err)
		}
		forever() // nothing more may be written while the signal is under way
		return nil
	}, l.exactly("true")
}
