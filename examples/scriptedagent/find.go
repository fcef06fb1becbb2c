package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A reference names a message of the client: METHOD is the last of its method
// that was taken, METHOD#2 the second. The zero reference is the message that
// the group is played for.
type reference struct {
	method string
	number int // from 1; 0: the last
}

func parseReference(s string) (reference, error) {
	method, number, ok := strings.Cut(s, "#")
	if !ok {
		return reference{method: s}, nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || method == "" {
		return reference{}, fmt.Errorf("%q: want METHOD, or METHOD#1 for the first, METHOD#2 for the second", s)
	}
	return reference{method, n}, nil
}

// received gives the message that r names.
func (p *player) received(r reference) (message, error) {
	taken := p.taken[r.method]
	switch {
	case r.method == "" && p.current.Method == nil:
		return message{}, errors.New("no message of the client is played here; name a method")
	case r.method == "":
		return p.current, nil
	case len(taken) == 0 || r.number > len(taken):
		return message{}, fmt.Errorf("the client has sent %d %s up to here", len(taken), r.method)
	case r.number == 0:
		return taken[len(taken)-1], nil
	}
	return taken[r.number-1], nil
}

// requestID gives the id of the request that r names.
func (p *player) requestID(r reference) (json.RawMessage, error) {
	m, err := p.received(r)
	if err == nil && m.ID == nil {
		err = fmt.Errorf("the client's %s is a notification and has no id", m.method())
	}
	return m.ID, err
}

// answer gives the client's last answer to the request with this id, or, if id
// is empty, the answer that was awaited last. A text id needs no quotes. The
// zero message stands for no answer.
func (p *player) answer(id string) message {
	all := p.answers[id]
	switch {
	case id == "" && p.answerID != "":
		return p.answers[p.answerID][p.awaited[p.answerID]-1]
	case len(all) == 0:
		all = p.answers[string(quote(id))]
	}
	if len(all) == 0 {
		return message{}
	}
	return all[len(all)-1]
}

// sessionNow is the session of the message that is played, or else the last
// that was opened or named by the client.
func (p *player) sessionNow() (json.RawMessage, error) {
	if s := p.current.param("sessionId"); s != "" {
		return quote(s), nil
	}
	if p.session == "" {
		return nil, errors.New("no session is open here")
	}
	return quote(p.session), nil
}

// cwdNow is the directory of the last session that was opened or loaded.
func (p *player) cwdNow() (json.RawMessage, error) {
	if p.cwd == "" {
		return nil, errors.New("no session is open here")
	}
	return quote(p.cwd), nil
}

// next is the next id of the agent's requests.
func (p *player) next() json.RawMessage {
	id := strconv.Itoa(p.nextID)
	p.nextID++
	return json.RawMessage(id)
}

// dig finds the value at a path of keys and indexes with dots between them. The
// empty path is the value itself.
func dig(value json.RawMessage, path string) (json.RawMessage, error) {
	for path != "" && len(value) > 0 {
		var key string
		key, path, _ = strings.Cut(path, ".")
		var fields map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(value, &fields) == nil {
			value = fields[key]
			continue
		}
		i, err := strconv.Atoi(key)
		if err != nil || json.Unmarshal(value, &list) != nil || i < 0 || i >= len(list) {
			return nil, errNothing
		}
		value = list[i]
	}
	if len(value) == 0 {
		return nil, errNothing
	}
	return value, nil
}
