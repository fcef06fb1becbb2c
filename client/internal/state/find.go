package state

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// coreName is the dialect of what the protocol itself says.
const coreName = "acp"

// A layer ranks who says something of a subagent: for one field the higher one
// counts, whatever came first.
type layer uint8

const (
	layerDerived  layer = iota // what follows from its tool call
	layerObserved              // _meta, rawInput, rawOutput
	layerReport                // a vendor's private method
	layerDraft                 // subagent_spawned, subagent_state_update
	layerFinal                 // subagent_update
)

// A source is the message that a finding comes from.
type source struct {
	dialect string
	method  string
	wire    string
	params  any
	soft    error
	raw     json.RawMessage
	layer   layer
}

// An observation is what one dialect found in a standard frame.
type observation struct {
	dialect, method string
	found           []dialect.Finding
}

// observe runs the dialects' Observe on a standard frame. It changes nothing, so
// that a frame whose hooks came to grief can be taken in again without them.
func (s *State) observe(f dialect.Frame) []observation {
	var out []observation
	for _, o := range s.observers {
		var found []dialect.Finding
		s.hook(o.dialect, f.Kind, func() { found = o.observe(f) })
		if len(found) == 0 {
			continue
		}
		method := "session/update"
		if f.Kind == dialect.FramePermission || f.Kind == dialect.FramePromptResult {
			method = f.Kind
		}
		out = append(out, observation{o.dialect, method, found})
	}
	return out
}

// told delivers what dialects observed.
func (s *State) told(sess *session, raw json.RawMessage, seen []observation) {
	for _, o := range seen {
		s.find(source{dialect: o.dialect, method: o.method, raw: raw, layer: layerObserved}, sess, o.found)
	}
}

// find delivers what was found in a standard frame. Such findings never wait:
// their frame is the one that makes the record.
func (s *State) find(src source, sess *session, found []dialect.Finding) {
	src.wire = src.method
	for _, f := range found {
		if f.Link.SessionID == "" && !f.Link.Connection && sess != nil {
			f.Link.SessionID = sess.id
		}
		if n, ok := f.Event.(dialect.Nested); ok {
			s.nest(f.Link, n)
			continue
		}
		p := s.resolve(f.Link)
		if p.call == nil && p.session != nil && p.session.history {
			p.call = p.session.calls[f.Link.ToolCallID] // what was replayed goes with itself
		}
		s.deliver(src, f, p, false)
	}
}

// nest notes which subagent a frame, or its tool call, runs inside.
func (s *State) nest(l dialect.Link, n dialect.Nested) {
	if l.ToolCallID == "" {
		s.parent = n.Parent
		return
	}
	if sess := s.sessions[l.SessionID]; sess != nil {
		if c := sess.calls[l.ToolCallID]; c != nil && (n.Parent.ToolCallID != l.ToolCallID || n.Parent.SessionID != "") {
			c.Parent = n.Parent
		}
	}
}

// deliver makes an event of a finding.
func (s *State) deliver(src source, f dialect.Finding, p place, matched bool) {
	ev := &Event{
		Dialect: src.dialect, Method: src.method, WireName: src.wire,
		Link: f.Link, SessionID: p.id, How: p.how, Matched: matched,
		Params: src.params, Soft: src.soft, Raw: src.raw,
	}
	if p.session != nil {
		ev.History = p.session.history
	}
	if p.call != nil {
		ev.Call = s.snapshot(p.call)
		ev.History = p.call.History
	}
	switch e := f.Event.(type) {
	case nil:
		return
	case dialect.Subagent:
		s.reduce(ev, src.layer, p, e, src.layer != layerReport)
		return
	case dialect.SubagentList:
		s.listed(ev, src.layer, p, e)
		return
	case dialect.Nested:
		s.nest(f.Link, e)
		return
	case dialect.Todos:
		if p.session != nil {
			p.session.todos = mergeTodos(p.session.todos, e)
			e = dialect.Todos{Items: slices.Clone(p.session.todos)}
		}
		ev.Payload = e
	case dialect.Turn:
		if !s.markTurn(p.session, e) {
			return
		}
		ev.Payload = e
	case dialect.Withdrawn:
		s.withdraw(f.Link, p)
		ev.Payload = e
	default:
		ev.Payload = e
	}
	s.emit(Effect{Event: ev})
}

// withdraw ends the asks that belong to a tool call.
func (s *State) withdraw(l dialect.Link, p place) {
	if l.ToolCallID == "" {
		return
	}
	for _, r := range s.open {
		if r.Link.ToolCallID == l.ToolCallID && (p.id == "" || r.SessionID == "" || r.SessionID == p.id) {
			s.emit(Effect{End: &End{Request: r, Reason: Cancelled}})
		}
	}
}

// mergeTodos applies a list to what is known.
func mergeTodos(have []dialect.Todo, t dialect.Todos) []dialect.Todo {
	if !t.Merge {
		return slices.Clone(t.Items)
	}
	out := slices.Clone(have)
	for _, item := range t.Items {
		i := slices.IndexFunc(out, func(o dialect.Todo) bool {
			return item.ID != "" && o.ID == item.ID || item.ID == "" && o.Content == item.Content
		})
		if i < 0 {
			out = append(out, item)
			continue
		}
		to := &out[i]
		if item.Content != "" {
			to.Content = item.Content
		}
		if item.Status != "" {
			to.Status = item.Status
		}
		if item.Priority != "" {
			to.Priority = item.Priority
		}
	}
	return out
}
