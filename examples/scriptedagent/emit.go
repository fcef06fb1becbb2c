package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// emission writes t as often, in such pieces and with such an end as the line's
// modifiers say. Every repetition is a write of its own.
func emission(l line, t template, end string) (func(*player) error, error) {
	repeat, err1 := l.number("repeat", 1, 1_000_000_000, 1)
	chunk, err2 := l.number("chunk", 1, 1<<30, 0)
	var err3 error
	if raw := l.fields["end"]; raw != nil {
		var s *string
		if err := json.Unmarshal(raw, &s); err != nil || s == nil {
			err3 = fmt.Errorf(`"end" takes a text, not %s`, l.show("end"))
		} else {
			end = *s
		}
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	return func(p *player) error {
		for p.i = range repeat {
			if err := p.poll(); err != nil {
				return err
			}
			b, err := t.expand(p)
			if err != nil {
				return err
			}
			if err := p.out.write(append(b, end...), chunk); err != nil {
				return err
			}
		}
		p.i = 0
		return nil
	}, nil
}

// frame writes a frame: JSON text with placeholders.
func frame(l line, text string) (func(*player) error, error) {
	t, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return emission(l, t, "\n")
}

func buildSend(l line) (func(*player) error, error) { return frame(l, string(l.value)) }

func buildUpdate(l line) (func(*player) error, error) {
	return frame(l, updateHead(l)+string(l.value)+"}}")
}

func buildSay(l line) (func(*player) error, error) {
	if _, err := textOf(l); err != nil {
		return nil, err
	}
	head, err1 := parseJSON(updateHead(l) + `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":`)
	text, err2 := parseString(string(l.value))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	t := append(append(head, text...), part{literal: "}}}}"})
	return emission(l, t, "\n")
}

// updateHead is a session/update up to the update object.
func updateHead(l line) string {
	session := `"${session}"`
	if s := l.fields["session"]; s != nil {
		session = string(s)
	}
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":` + session + `,"update":`
}

func buildNotify(l line) (func(*player) error, error) {
	body, err := methodAndParams(l)
	if err != nil {
		return nil, err
	}
	return frame(l, `{"jsonrpc":"2.0",`+body+`}`)
}

func buildRequest(l line) (func(*player) error, error) {
	body, err := methodAndParams(l)
	if err != nil {
		return nil, err
	}
	id := `"${next}"`
	if raw := l.fields["id"]; raw != nil {
		id = string(raw)
	}
	return frame(l, `{"jsonrpc":"2.0","id":`+id+`,`+body+`}`)
}

func buildCall(l line) (func(*player) error, error) {
	request, err := buildRequest(l)
	return func(p *player) error {
		if err := request(p); err != nil {
			return err
		}
		return p.await([]string{p.out.last})
	}, err
}

func methodAndParams(l line) (string, error) {
	if _, err := l.text(l.verb); err != nil {
		return "", err
	}
	body := `"method":` + string(l.value)
	if params := l.fields["params"]; params != nil {
		body += `,"params":` + string(params)
	}
	return body, nil
}

// buildAnswer answers a request of the client: the one that the group is played
// for, or the one that "to" names.
func buildAnswer(l line) (func(*player) error, error) {
	id := `"${id}"`
	if l.fields["to"] != nil {
		to, err := l.text("to")
		if err != nil {
			return nil, err
		}
		id = string(quote("${id:" + to + "}"))
	}
	return frame(l, `{"jsonrpc":"2.0","id":`+id+`,"`+l.verb+`":`+string(l.value)+`}`)
}

func buildRaw(l line) (func(*player) error, error) {
	t, err := textOf(l)
	if err != nil {
		return nil, err
	}
	return emission(l, t, "\n")
}

func buildHex(l line) (func(*player) error, error) {
	digits, err := l.text("hex")
	if err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		return nil, fmt.Errorf(`"hex" takes pairs of hexadecimal digits: %w`, err)
	}
	return emission(l, template{{literal: string(b)}}, "")
}

// textOf gives the verb's value as a text with placeholders.
func textOf(l line) (template, error) {
	var s *string
	if err := json.Unmarshal(l.value, &s); err != nil || s == nil {
		return nil, fmt.Errorf("%q takes a text, not %s", l.verb, l.show(l.verb))
	}
	return parseText(*s)
}
