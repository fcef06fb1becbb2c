package state

import (
	"encoding/json"
	"errors"

	"github.com/acpdialects/acpdialects/client/internal/wire"
)

// scanned is what one pass over the params of a session/update or of a
// session/request_permission finds.
type scanned struct {
	sessionID string
	named     bool // sessionId was there and is a string
	body      json.RawMessage
	kind      string // of an update
	call      callFields
	meta      json.RawMessage // of the update, or of the permission's toolCall
	outerMeta json.RawMessage
	options   json.RawMessage // of a permission request
}

// callFields are the fields of a tool call as one frame has them: nil where the
// frame does not say.
type callFields struct {
	id, title, name, kind, status, rawInput, rawOutput, content, locations []byte
}

// field gives where a member of a tool call goes, or nil.
func (c *callFields) field(name []byte) *[]byte {
	switch string(name) {
	case "toolCallId":
		return &c.id
	case "title":
		return &c.title
	case "name":
		return &c.name
	case "kind":
		return &c.kind
	case "status":
		return &c.status
	case "rawInput":
		return &c.rawInput
	case "rawOutput":
		return &c.rawOutput
	case "content":
		return &c.content
	case "locations":
		return &c.locations
	}
	return nil
}

var errShape = errors.New("state: params are no object")

// scanParams reads params in one pass. Body names the member that is descended
// into: "update" or "toolCall".
func scanParams(params []byte, body string) (sc scanned, err error) {
	if len(params) == 0 {
		return sc, errShape
	}
	s := wire.Scan(params)
	defer s.Free()
	if s.Kind() != '{' {
		return sc, errShape
	}
	_, err = s.Object(func(name []byte) error {
		if string(name) == body {
			sc.body, sc.kind, sc.call, sc.meta = nil, "", callFields{}, nil // the last of two counts
			if s.Kind() == '{' {
				sc.body, err = s.Object(func(name []byte) error { return sc.bodyMember(s, name) })
				return err
			}
		}
		var to *json.RawMessage
		session := false
		switch string(name) {
		case "sessionId":
			session = true
		case "_meta":
			to = &sc.outerMeta
		case "options":
			to = &sc.options
		}
		v, err := s.Value()
		switch {
		case session:
			sc.sessionID, sc.named = wire.String(v)
		case to != nil && !wire.IsNull(v):
			*to = v
		}
		return err
	})
	return sc, err
}

func (sc *scanned) bodyMember(s *wire.Scanner, name []byte) error {
	to := sc.call.field(name)
	kind, meta := false, false
	switch string(name) {
	case "sessionUpdate":
		kind = true
	case "_meta":
		meta = true
	}
	v, err := s.Value()
	switch {
	case err != nil:
	case kind:
		sc.kind, _ = wire.String(v)
	case meta && !wire.IsNull(v):
		sc.meta = v
	case to != nil && !wire.IsNull(v):
		*to = v
	}
	return err
}

// sessionOf gives the sessionId of params, if there is one.
func sessionOf(params []byte) string {
	if len(params) == 0 || params[0] != '{' {
		return ""
	}
	s := wire.Scan(params)
	defer s.Free()
	id := ""
	s.Object(func(name []byte) error {
		is := string(name) == "sessionId"
		v, err := s.Value()
		if is {
			id, _ = wire.String(v)
		}
		return err
	})
	return id
}
