package state

import (
	"cmp"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// coreName is the dialect of what the protocol itself says.
const coreName = "acp"

// A layer ranks who says something of a subagent: for one field the higher one
// counts, whatever came first.
type layer uint8

const (
	layerObserved  layer = iota // _meta, rawInput, rawOutput
	layerReport                 // a vendor's private method
	layerDraftMeta              // what a vendor adds to the draft's kinds
	layerDraft                  // subagent_spawned, subagent_state_update
	layerFinalMeta              // what a vendor adds to the final kind
	layerFinal                  // subagent_update
	layers
)

// observedIn gives the layer of what a dialect finds in a kind of update.
func observedIn(kind string) layer {
	switch kind {
	case "subagent_update":
		return layerFinalMeta
	case "subagent_spawned", "subagent_state_update":
		return layerDraftMeta
	}
	return layerObserved
}

// A source is the message that a finding comes from.
type source struct {
	dialect string
	method  string
	wire    string
	params  any
	soft    error
	raw     json.RawMessage
	layer   layer
	seq     uint64 // of its frame
	open    bool   // it is an ask that waits for its answer
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
func (s *State) told(sess *session, own *call, raw json.RawMessage, seen []observation, by layer) {
	for _, o := range seen {
		s.find(source{dialect: o.dialect, method: o.method, raw: raw, layer: by}, sess, own, o.found)
	}
}

// find delivers what was found in a standard frame. Such findings never wait.
// What is found of the frame's own tool call goes to its record, whichever turn
// that is of.
func (s *State) find(src source, sess *session, own *call, found []dialect.Finding) {
	src.wire, src.seq = src.method, s.seq
	for _, f := range found {
		if f.Link.SessionID == "" && !f.Link.Connection {
			f.Link.SessionID = sess.id
		}
		l := s.also(f.Link)
		p := s.resolve(l)
		if own != nil && l.ToolCallID == own.ID && l.SessionID == own.SessionID {
			p.call, p.own = own, true
		}
		p.names = l
		s.deliver(src, f, p, false)
	}
}

// sayings gives the links to subagents in a frame, if there are several.
func sayings(core []dialect.Finding, seen []observation) []dialect.Link {
	var links []dialect.Link
	add := func(found []dialect.Finding) {
		for _, f := range found {
			if _, ok := f.Event.(dialect.SubagentPatch); ok {
				links = append(links, f.Link)
			}
		}
	}
	add(core)
	for _, o := range seen {
		add(o.found)
	}
	if len(links) < 2 {
		return nil
	}
	return links
}

// also adds to a link the names that its frame has beside it for the same
// subagent, so that it is one from the start.
func (s *State) also(l dialect.Link) dialect.Link {
	for _, o := range s.sayings {
		if o.SessionID != "" && o.SessionID != l.SessionID {
			continue
		}
		if o.ChildSessionID != "" && o.ChildSessionID == l.ChildSessionID || o.ToolCallID != "" && o.ToolCallID == l.ToolCallID && (o.ChildSessionID == "" || l.ChildSessionID == "") {
			l.ChildSessionID = cmp.Or(l.ChildSessionID, o.ChildSessionID)
			l.ToolCallID = cmp.Or(l.ToolCallID, o.ToolCallID)
			l.AgentID = cmp.Or(l.AgentID, o.AgentID)
		}
	}
	return l
}

// nest notes which subagent a frame, or its tool call, runs inside.
func (s *State) nest(p place, l dialect.Link, n dialect.Inside) {
	switch {
	case l.ToolCallID == "":
		s.parent = n.Parent
	case p.call != nil && (n.Parent.ToolCallID != l.ToolCallID || n.Parent.SessionID != ""):
		p.call.Parent = n.Parent
	}
}

// deliver makes an event of a finding.
func (s *State) deliver(src source, f dialect.Finding, p place, matched bool) {
	ev := &Event{
		Dialect: src.dialect, Method: src.method, WireName: src.wire,
		Link: f.Link, SessionID: p.id, How: p.how, Matched: matched,
		Params: src.params, Soft: src.soft, Raw: src.raw,
		History: !src.open && (s.replaying(p.session) || p.call != nil && p.call.History),
		Payload: f.Event, call: p.call,
	}
	switch e := f.Event.(type) {
	case nil:
		return
	case dialect.Inside:
		s.nest(p, f.Link, e)
		return
	case dialect.SubagentPatch:
		if s.impossible(p.session, ev.Link.ChildSessionID) {
			if ev.Link.ChildSessionID = ""; ev.Link.ToolCallID == "" && ev.Link.AgentID == "" {
				return
			}
		}
		s.reduce(ev, src, p, e, src.layer != layerReport)
		return
	case dialect.SubagentList:
		if s.listed(ev, src, p, e) {
			return // its members were told
		}
	case dialect.Todos:
		if p.session == nil {
			break
		}
		items, news := s.todos(p, src, e)
		if !news {
			return
		}
		ev.Payload = dialect.Todos{Items: items}
	case dialect.TurnMark:
		if !s.markTurn(p.session, e) {
			return
		}
	case dialect.Withdrawn:
		s.withdraw(f.Link, p)
	}
	s.emitEvent(ev)
}

func (s *State) emitEvent(ev *Event) {
	if ev.call != nil {
		ev.Call = s.snapshot(ev.call)
	}
	s.emit(Effect{Event: ev})
}
