package state

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
)

// A call is the record of one tool call in one turn.
type call struct {
	dialect.ToolCall
	session   *session
	turn      *turn  // the turn it began in; nil outside any and for a child's calls
	spawned   *child // the subagent it started
	number    uint64 // of the turn, a child's calls included
	joined    bool   // what waited for it has been delivered
	todosTold bool   // by a report, which says it better than the call itself
	stored    int    // bytes
}

// upsert takes a tool call's frame in and gives its record. Opens says that the
// frame begins a call (tool_call, permission request), so that an id an earlier
// turn used means a new one.
func (s *State) upsert(sess *session, id string, f *callFields, meta json.RawMessage, opens bool) *call {
	now, history := sess.current(), s.replaying(sess)
	c := sess.calls[id]
	if c == nil || opens && (c.turn != now || c.History != history) {
		c = &call{session: sess, turn: now, number: s.turnNumber(sess)}
		c.ID, c.SessionID, c.History = id, sess.id, history
		s.index(c)
		s.adoptUnseen(c, opens)
	}
	s.text(c, &c.Title, f.title)
	s.text(c, &c.Name, f.name)
	s.text(c, &c.Kind, f.kind)
	if status, ok := wire.String(f.status); ok && status != "" && !c.Finished() {
		if s.set(c, &c.Status, status); c.Finished() {
			c.Ended, c.Unknown = true, false
		}
	}
	if len(f.rawInput) > 0 && !emptyObject(f.rawInput) {
		s.keep(c, &c.RawInput, f.rawInput)
	}
	s.list(c, &c.RawOutput, f.rawOutput)
	s.list(c, &c.Content, f.content)
	s.list(c, &c.Locations, f.locations)
	if meta != nil {
		s.keep(c, &c.Meta, mergeMeta(c.Meta, meta))
	}
	s.slim(sess, c)
	if c.spawned != nil {
		s.touch(c.spawned.real())
	}
	return c
}

// close ends a call that its agent did not.
func (c *call) close() {
	if !c.Ended {
		c.Ended, c.Unknown = true, true
	}
}

// keep stores a part of a frame. A small part of a large frame is copied, so
// that the record does not hold on to the whole of it.
func (s *State) keep(c *call, field *json.RawMessage, raw []byte) {
	if s.frame != nil && s.frame.Size > 4*len(raw)+4096 {
		raw = bytes.Clone(raw)
	}
	s.count(c, len(raw)-len(*field))
	*field = raw
}

// count counts what a record stores.
func (s *State) count(c *call, more int) {
	c.stored += more
	c.session.bytes += more
	s.bytes += more
}

// text stores a text. What is no string keeps what there was.
func (s *State) text(c *call, field *string, raw []byte) {
	if v, ok := wire.String(raw); ok {
		s.set(c, field, v)
	}
}

func (s *State) set(c *call, field *string, v string) {
	s.count(c, len(v)-len(*field))
	*field = v
}

// longText is a text that a record lets go of with the rest; shorter ones stay.
const longText = 1 << 10

func (s *State) strip(c *call) {
	for _, field := range []*json.RawMessage{&c.RawInput, &c.RawOutput, &c.Content, &c.Locations, &c.Meta} {
		s.keep(c, field, nil)
	}
	for _, field := range []*string{&c.Title, &c.Name, &c.Kind, &c.Status} {
		if len(*field) > longText {
			s.set(c, field, "")
		}
	}
}

// slim lets go of what the oldest calls of a session have stored when the session
// stores too much, of those that have ended first. When all sessions together do,
// the sessions that nobody opened go first.
func (s *State) slim(sess *session, but *call) {
	for _, ended := range []bool{true, false} {
		for _, c := range sess.order {
			if sess.bytes <= maxCallBytes {
				break
			}
			if c.Ended == ended && c != but && c.stored > 0 {
				s.strip(c)
			}
		}
	}
	if s.bytes <= maxAllBytes {
		return
	}
	all := slices.Clone(s.strays)
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		all = append(all, s.sessions[id])
	}
	for _, sess := range all {
		for _, c := range sess.order {
			if s.bytes <= maxAllBytes/2 { // not again with the next frame
				return
			}
			if c != but && c.stored > 0 {
				s.strip(c)
			}
		}
	}
}

// list sets a raw field: absent keeps, [] clears.
func (s *State) list(c *call, field *json.RawMessage, raw []byte) {
	switch {
	case len(raw) == 0:
	case raw[0] == '[' && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0:
		s.keep(c, field, nil)
	default:
		s.keep(c, field, raw)
	}
}

func emptyObject(raw []byte) bool {
	return raw[0] == '{' && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}

// snapshot gives the record as it is now.
func (s *State) snapshot(c *call) *dialect.ToolCall {
	snap := c.ToolCall
	if p := &snap.Parent; p.AgentID != "" && p.ToolCallID == "" {
		// The agent may have told meanwhile which call started that agent.
		if kid := s.byAgent[agentKey{c.SessionID, p.AgentID}]; kid != nil {
			p.ToolCallID, p.ChildSessionID = kid.toolCallID, kid.childSession
		}
	}
	return &snap
}

func (s *State) index(c *call) {
	sess := c.session
	if old := sess.calls[c.ID]; old != nil {
		s.unlist(old)
	}
	sess.calls[c.ID] = c
	sess.order = append(sess.order, c)
	s.calls[c.ID] = append(s.calls[c.ID], c)
	if len(sess.order) <= maxCalls {
		return
	}
	i := max(0, slices.IndexFunc(sess.order, func(c *call) bool { return c.Ended }))
	old := sess.order[i]
	s.count(old, -old.stored)
	sess.order = slices.Delete(sess.order, i, i+1)
	s.unindex(old)
}

// unindex forgets a record. A subagent it started lives on without it.
func (s *State) unindex(c *call) {
	if c.session.calls[c.ID] == c {
		delete(c.session.calls, c.ID)
		s.unlist(c)
	}
	if kid := c.spawned.real(); kid != nil && kid.call == c {
		s.setCall(kid, c.ID, nil)
	}
}

// unlist takes a record out of the index over all sessions.
func (s *State) unlist(c *call) {
	same := slices.DeleteFunc(s.calls[c.ID], func(o *call) bool { return o == c })
	if len(same) == 0 {
		delete(s.calls, c.ID)
	} else {
		s.calls[c.ID] = same
	}
}

// joinable reports whether reports may join the record now: it is of the turn in
// flight or, between turns, of the last; a child's also while the child runs.
// What was replayed never is.
func (s *State) joinable(c *call) bool {
	if c.History || c.turn != c.session.current() {
		return false
	}
	kid := s.byChild[c.session.id]
	return kid == nil || kid.phase == running || c.number == s.turnNumber(c.session)
}

// closeCalls ends what a session left open up to a turn.
func (s *State) closeCalls(sess *session, number uint64) {
	for _, c := range sess.order {
		if !c.Ended && c.number <= number {
			c.close()
			s.touch(c.spawned.real())
		}
	}
}

// ToolCall gives the latest record of an id.
func (s *State) ToolCall(sessionID, id string) (dialect.ToolCall, bool) {
	sess := s.sessions[sessionID]
	if sess == nil || sess.calls[id] == nil {
		return dialect.ToolCall{}, false
	}
	return *s.snapshot(sess.calls[id]), true
}
