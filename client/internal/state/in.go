package state

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// ClientMethods are the protocol's agent-to-client methods that hosts serve.
// True marks those that are notifications.
var ClientMethods = map[string]bool{
	"session/update":             true,
	"session/request_permission": false,
	"fs/read_text_file":          false,
	"fs/write_text_file":         false,
	"terminal/create":            false,
	"terminal/output":            false,
	"terminal/wait_for_exit":     false,
	"terminal/kill":              false,
	"terminal/release":           false,
	"elicitation/create":         false,
	"elicitation/complete":       true,
	"mcp/connect":                false,
	"mcp/disconnect":             false,
	"mcp/message":                false, // may also come as a notification
}

// In takes a frame of the agent in.
func (s *State) In(f *wire.Frame) []Effect {
	s.frame = f
	s.seq++
	s.take(f)
	s.frame = nil
	return s.flush()
}

// InWithoutHooks takes a frame in as if every hook had failed. It is for a frame
// whose hooks brought down the goroutine that ran In, which had done nothing yet
// that must not be done twice.
func (s *State) InWithoutHooks(f *wire.Frame) []Effect {
	s.noHooks = true
	defer func() { s.noHooks = false }()
	return s.In(f)
}

func (s *State) take(f *wire.Frame) {
	switch {
	case f.Method == "":
		s.answered(f)
	case f.Method == "session/update":
		s.update(f)
	case f.Method == "$/cancel_request":
		s.cancelRequest(f)
	case f.Method == dialect.FramePermission && f.ID != nil:
		s.permission(f)
	case registry.Core(f.Method):
		s.core(f)
	default:
		s.private(f)
	}
}

// core takes a method of the protocol in that is served by the host as it is.
func (s *State) core(f *wire.Frame) {
	notification, known := ClientMethods[f.Method]
	switch {
	case f.ID == nil && known && (notification || f.Method == "mcp/message"):
		s.emit(Effect{Notify: &Notify{Method: f.Method, SessionID: sessionOf(f.Params), Raw: f.Params}})
	case f.ID != nil && known && !notification:
		r := &Request{ID: f.ID, Method: f.Method, WireName: f.Method, SessionID: sessionOf(f.Params), Raw: f.Params, Size: f.Size}
		r.in(s, s.sessions[r.SessionID])
		s.start(r)
	default:
		s.decline(f)
	}
}

// decline refuses a name nobody answers to.
func (s *State) decline(f *wire.Frame) {
	if f.ID != nil {
		s.emit(Effect{Reply: &Reply{ID: f.ID, Error: wire.MethodNotFound(f.Method)}})
	}
	s.astray(f, "nobody registered this method")
}

// astray tells of a frame that was for nobody.
func (s *State) astray(f *wire.Frame, reason string) {
	raw := f.Line
	if raw == nil { // it was not read from a line
		raw = f.Params
	}
	s.emit(Effect{Stray: &Stray{Method: f.Method, Request: f.IsRequest(), Reason: reason, Raw: raw}})
}

// private takes a vendor's method in.
func (s *State) private(f *wire.Frame) {
	m, ok := s.reg.Lookup(f.Method)
	if !ok {
		s.decline(f)
		return
	}
	var params any
	var err error
	if !s.hook(m.Dialect, m.Name, func() { params, err = m.Decode(f.Params) }) {
		params, err = nil, errHook
	}
	src := source{
		dialect: m.Dialect, method: m.Name, wire: f.Method,
		params: params, soft: err, raw: f.Params, layer: layerReport, seq: s.seq,
	}
	if m.Ask {
		s.ask(f, m, src)
		return
	}
	if !dialect.Usable(err) {
		s.refuse(f, m, err)
		return
	}
	var found []dialect.Finding
	if !s.hook(m.Dialect, m.Name, func() { found = m.Findings(params) }) {
		s.refuse(f, m, errHook)
		return
	}
	s.acknowledge(f)
	if len(found) == 0 {
		found = []dialect.Finding{{Event: dialect.Other{Value: params}}}
	}
	for _, one := range found {
		s.placeReport(src, one)
	}
	s.settle()
}

var errHook = fmt.Errorf("the dialect's hook failed")

// refuse answers a report that could not be read.
func (s *State) refuse(f *wire.Frame, m *registry.Method, err error) {
	if f.ID != nil {
		e := wire.InvalidParams(m.Name, err.Error())
		if err == errHook {
			e = wire.Internal(m.Name + ": " + err.Error())
		}
		s.emit(Effect{Reply: &Reply{ID: f.ID, Error: e}})
	}
	s.astray(f, err.Error())
}

// acknowledge answers what only tells something, if it came as a request.
func (s *State) acknowledge(f *wire.Frame) {
	if f.ID != nil {
		s.emit(Effect{Reply: &Reply{ID: f.ID, Result: json.RawMessage("{}")}})
	}
}

// update takes a session/update in.
func (s *State) update(f *wire.Frame) {
	sc, err := scanParams(f.Params, "update")
	if err != nil || !sc.named || sc.body == nil {
		s.acknowledge(f)
		s.astray(f, "a session/update without sessionId or update")
		return
	}
	sess := s.heard(sc.sessionID)
	up := &Update{SessionID: sc.sessionID, Kind: sc.kind, Raw: sc.body, Params: f.Params, History: s.replaying(sess)}

	var c *call
	if sc.kind == "tool_call" || sc.kind == "tool_call_update" {
		if id, ok := wire.String(sc.call.id); ok {
			c = s.upsert(sess, id, &sc.call, sc.meta, sc.kind == "tool_call")
		}
	}
	frame := dialect.Frame{SessionID: sc.sessionID, Kind: sc.kind, Raw: sc.body, Meta: sc.meta, OuterMeta: sc.outerMeta}
	if c != nil {
		frame.Call = c.ToolCall
	}
	seen := s.observe(frame)

	s.acknowledge(f)
	s.emit(Effect{Update: up})
	s.parent = dialect.Link{}
	s.means(f.Method, sc.body, sess, &sc, c, seen, observedIn(sc.kind))
	if c != nil {
		s.join(c)
		up.Call, up.Parent = s.snapshot(c), c.Parent
	} else {
		up.Parent = s.parent
	}
	s.settle()
}

// means tells what a standard frame means: by the protocol, and by what dialects
// have seen in it.
func (s *State) means(method string, raw []byte, sess *session, sc *scanned, c *call, seen []observation, observed layer) {
	found, by := s.standard(sess, sc, c)
	s.sayings = sayings(found, seen)
	s.find(source{dialect: coreName, method: method, raw: raw, layer: by}, sess, c, found)
	s.told(sess, c, raw, seen, observed)
	s.sayings = nil
}

// standard gives what the protocol's own kinds mean.
func (s *State) standard(sess *session, sc *scanned, own *call) ([]dialect.Finding, layer) {
	found, by := coreFindings(sc)
	if own != nil {
		if id := childSession(sc.call.content); s.mayHold(sess, id) {
			link := dialect.Link{SessionID: sess.id, ToolCallID: own.ID, ChildSessionID: id}
			found, by = append(found, dialect.Finding{Link: link, Event: dialect.SubagentPatch{}}), layerFinal
		}
	}
	return found, by
}
