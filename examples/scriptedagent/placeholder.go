package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A placeholder is what stands between "${" and "}".
type placeholder struct {
	source   string
	find     func(*player) (json.RawMessage, error)
	fallback *string // used where find finds nothing
}

// errNothing says that a message of the client lacks a field.
var errNothing = errors.New("the message has no such field")

// most bounds what one placeholder can blow up to, in bytes.
const most = 256 << 20

func parsePlaceholder(source string) (*placeholder, error) {
	ph := &placeholder{source: source}
	expr := source
	// What rep repeats is free text and may hold a "|".
	if before, after, ok := strings.Cut(source, "|"); ok && !strings.HasPrefix(source, "rep:") {
		expr, ph.fallback = before, &after
	}
	name, arg, path := split(expr)
	switch {
	case name == "rep" || name == "fill":
		return ph, ph.parseFill(expr)
	case expr == "i":
		ph.find = func(p *player) (json.RawMessage, error) { return json.RawMessage(strconv.Itoa(p.i)), nil }
	case strings.HasPrefix(expr, "i%"):
		n, err := strconv.Atoi(expr[2:])
		if err != nil || n < 1 {
			return nil, fmt.Errorf("${%s}: want a whole number from 1 after i%%", source)
		}
		ph.find = func(p *player) (json.RawMessage, error) { return json.RawMessage(strconv.Itoa(p.i % n)), nil }
	case name == "env" && arg != "":
		ph.find = func(*player) (json.RawMessage, error) { return lookupEnv(strings.TrimPrefix(expr, "env:")) }
	case expr == "next":
		ph.find = func(p *player) (json.RawMessage, error) { return p.next(), nil }
	case expr == "session":
		ph.find = (*player).sessionNow
	case expr == "cwd":
		ph.find = (*player).cwdNow
	case expr == "id" || strings.HasPrefix(expr, "id:"):
		ref, err := parseReference(strings.TrimPrefix(expr[2:], ":"))
		if err != nil {
			return nil, fmt.Errorf("${%s}: %w", source, err)
		}
		ph.find = func(p *player) (json.RawMessage, error) { return p.requestID(ref) }
	case name == "params":
		ref, err := parseReference(arg)
		if err != nil {
			return nil, fmt.Errorf("${%s}: %w", source, err)
		}
		ph.find = func(p *player) (json.RawMessage, error) {
			m, err := p.received(ref)
			if err != nil {
				return nil, err
			}
			return dig(m.Params, path)
		}
	case name == "result":
		ph.find = func(p *player) (json.RawMessage, error) { return dig(p.answer(arg).Result, path) }
	case name == "error":
		ph.find = func(p *player) (json.RawMessage, error) { return dig(p.answer(arg).Error, path) }
	default:
		return nil, fmt.Errorf("unknown placeholder ${%s}; want session, cwd, id, next, params, result, error, "+
			"i, fill, rep or env, or $${ for a plain ${", source)
	}
	return ph, nil
}

// split takes name:arg.path apart. The path starts at the first dot after the
// last slash, for a method's name may hold dots before that.
func split(expr string) (name, arg, path string) {
	slash := strings.LastIndexByte(expr, '/') + 1
	if dot := strings.IndexByte(expr[slash:], '.'); dot >= 0 {
		expr, path = expr[:slash+dot], expr[slash+dot+1:]
	}
	name, arg, _ = strings.Cut(expr, ":")
	return name, arg, path
}

// parseFill is fill:N and rep:N:TEXT.
func (ph *placeholder) parseFill(expr string) error {
	text := "x"
	name, count, _ := strings.Cut(expr, ":")
	if name == "rep" {
		count, text, _ = strings.Cut(count, ":")
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > most/max(len(text), 1) {
		return fmt.Errorf("${%s}: want fill:N or rep:N:TEXT with at most %d bytes in all", expr, most)
	}
	ph.find = func(*player) (json.RawMessage, error) { return quote(strings.Repeat(text, n)), nil }
	return nil
}

func lookupEnv(name string) (json.RawMessage, error) {
	value, ok := os.LookupEnv(name)
	if !ok {
		return nil, fmt.Errorf("the environment has no %s", name)
	}
	return quote(value), nil
}

// value is the placeholder's JSON. A field that the client did not send is null,
// for that is the client's doing; anything else that is not there is a mistake
// in the script.
func (ph *placeholder) value(p *player) (json.RawMessage, error) {
	v, err := ph.find(p)
	switch {
	case err == nil:
		return v, nil
	case ph.fallback != nil:
		return quote(*ph.fallback), nil
	case errors.Is(err, errNothing):
		return json.RawMessage("null"), nil
	}
	return nil, fmt.Errorf("${%s}: %w", ph.source, err)
}
