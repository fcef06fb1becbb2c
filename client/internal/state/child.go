package state

import (
	"slices"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

// Change says what an event did to a subagent's record.
type Change string

// The changes.
const (
	Started Change = "started" // a run began
	Updated Change = "updated"
	Ended   Change = "ended" // a run ended
)

// Subagent is the whole record of one subagent.
type Subagent struct {
	Change         Change
	SessionID      string
	ToolCallID     string
	ChildSessionID string
	AgentID        string
	Parent         dialect.Link
	Title          string
	Description    string
	Prompt         string
	AgentType      string
	Model          string
	Activity       dialect.Activity
	Outcome        dialect.SubagentOutcome
	Background     bool
	Error          string
	Summary        string
	Duration       time.Duration
	Tokens         int64
	ToolCalls      int64
	CanCancel      bool
	Run            int
	Children       []Subagent
}

// EventKind implements dialect.Event.
func (Subagent) EventKind() string { return "subagent" }

type agentKey struct{ session, agent string }

type callKey struct{ session, call string }

// A child is one subagent. Its identity is its session where it has one, else
// its tool call's record, else the vendor's id.
type child struct {
	session      *session // the parent's; nil while unknown
	toolCallID   string
	call         *call // nil if the call was never seen, or its record is gone
	childSession string
	agentID      string
	turn         *turn // in which its run began
	history      bool
	list         string // the snapshot source that listed it last
	run          int
	running      bool

	title, description, prompt, agentType, model slot[string]
	errorText, summary                           slot[string]
	activity                                     slot[dialect.Activity]
	outcome                                      slot[dialect.SubagentOutcome]
	background, canCancel                        slot[bool]
	duration                                     slot[time.Duration]
	tokens, toolCalls                            slot[int64]
}

// A slot is a field and the layer that set it.
type slot[T comparable] struct {
	value T
	by    layer
	set   bool
}

// apply takes a patch's field in unless a higher layer has spoken, and reports
// whether the value changed.
func (x *slot[T]) apply(f dialect.Field[T], by layer) bool {
	if f.Absent() || x.set && by < x.by {
		return false
	}
	v, _ := f.Get()
	changed := x.value != v
	*x = slot[T]{value: v, by: by, set: true}
	return changed
}

// patch applies a patch's plain fields and reports whether anything changed.
func (c *child) patch(p dialect.Subagent, by layer) bool {
	changed := false
	for _, did := range []bool{
		c.title.apply(p.Title, by), c.description.apply(p.Description, by),
		c.prompt.apply(p.Prompt, by), c.agentType.apply(p.AgentType, by),
		c.model.apply(p.Model, by), c.errorText.apply(p.Error, by),
		c.summary.apply(p.Summary, by), c.background.apply(p.Background, by),
		c.canCancel.apply(p.CanCancel, by), c.duration.apply(p.Duration, by),
		c.tokens.apply(p.Tokens, by), c.toolCalls.apply(p.ToolCalls, by),
		c.outcome.apply(p.Outcome, by),
	} {
		changed = changed || did
	}
	return changed
}

// callBound reports whether the child's work is one tool call of its parent.
func (c *child) callBound() bool { return c.toolCallID != "" && !c.background.value }

// locate finds the subagent that a link means, or makes it. A subagent known by
// two of its names through different layers becomes one.
func (s *State) locate(l dialect.Link, p place) *child {
	var found *child
	meet := func(c *child) {
		switch {
		case c == nil || c == found:
		case found == nil:
			found = c
		default:
			s.merge(found, c)
		}
	}
	if l.ChildSessionID != "" {
		meet(s.byChild[l.ChildSessionID])
	}
	if p.call != nil {
		meet(p.call.spawned)
	}
	if l.ToolCallID != "" && p.session != nil && (p.call == nil || p.call.spawned == nil) {
		meet(s.unseen(p.session, l.ToolCallID))
	}
	key := agentKey{p.id, l.AgentID}
	if found == nil && l.AgentID != "" && l.ToolCallID == "" && l.ChildSessionID == "" {
		meet(s.byAgent[key])
	}
	if found == nil {
		found = s.newChild(p)
	}
	s.identify(found, l, p)
	return found
}

// unseen finds the child of a report whose tool call was never seen, in the turn
// that is current.
func (s *State) unseen(sess *session, id string) *child {
	kid := s.byCall[callKey{sess.id, id}]
	if kid != nil && kid.call == nil && kid.turn == sess.current() {
		return kid
	}
	return nil
}

func (s *State) newChild(p place) *child {
	c := &child{session: p.session}
	if p.session != nil {
		c.history = p.session.history
	}
	s.children = append(s.children, c)
	if len(s.children) > maxChildren {
		i := slices.IndexFunc(s.children, func(c *child) bool { return !c.running })
		s.dropChild(s.children[max(i, 0)])
	}
	return c
}

// identify adds the names a link has for a subagent.
func (s *State) identify(c *child, l dialect.Link, p place) {
	if c.session == nil {
		c.session = p.session
	}
	if l.ToolCallID != "" && c.toolCallID == "" {
		c.toolCallID = l.ToolCallID
	}
	if c.session != nil && c.toolCallID != "" && c.call == nil && p.call == nil {
		s.byCall[callKey{c.session.id, c.toolCallID}] = c
	}
	if p.call != nil && p.call.spawned == nil && c.call == nil && p.call.ID == c.toolCallID {
		c.call, p.call.spawned = p.call, c
	}
	if l.ChildSessionID != "" && c.childSession == "" {
		c.childSession = l.ChildSessionID
		s.byChild[l.ChildSessionID] = c
	}
	if l.AgentID != "" {
		if c.agentID == "" {
			c.agentID = l.AgentID
		}
		if c.agentID == l.AgentID && c.session != nil {
			s.byAgent[agentKey{c.session.id, c.agentID}] = c
		}
	}
	if c.childSession != "" && c.session != nil {
		s.link(c.childSession, c.session.id)
	}
}

// merge makes one subagent of two records.
func (s *State) merge(into, from *child) {
	fold(&into.title, from.title)
	fold(&into.description, from.description)
	fold(&into.prompt, from.prompt)
	fold(&into.agentType, from.agentType)
	fold(&into.model, from.model)
	fold(&into.errorText, from.errorText)
	fold(&into.summary, from.summary)
	fold(&into.background, from.background)
	fold(&into.canCancel, from.canCancel)
	fold(&into.duration, from.duration)
	fold(&into.tokens, from.tokens)
	fold(&into.toolCalls, from.toolCalls)
	if into.toolCallID == "" {
		into.toolCallID = from.toolCallID
	}
	if into.call == nil && from.call != nil {
		into.call, from.call.spawned = from.call, into
	}
	if into.childSession == "" && from.childSession != "" {
		into.childSession = from.childSession
		s.byChild[from.childSession] = into
	}
	if into.agentID == "" {
		into.agentID = from.agentID
	}
	if from.session != nil && from.agentID != "" && from.agentID == into.agentID {
		s.byAgent[agentKey{from.session.id, from.agentID}] = into
	}
	into.running = into.running || from.running
	into.run = max(into.run, from.run)
	if into.turn == nil {
		into.turn = from.turn
	}
	from.call, from.childSession = nil, ""
	s.dropChild(from)
}

func fold[T comparable](into *slot[T], from slot[T]) {
	if from.set && (!into.set || from.by > into.by) {
		*into = from
	}
}

func (s *State) dropChild(c *child) {
	if i := slices.Index(s.children, c); i >= 0 {
		s.children = slices.Delete(s.children, i, i+1)
	}
	if s.byChild[c.childSession] == c {
		delete(s.byChild, c.childSession)
	}
	if c.session != nil {
		if key := (agentKey{c.session.id, c.agentID}); s.byAgent[key] == c {
			delete(s.byAgent, key)
		}
		if key := (callKey{c.session.id, c.toolCallID}); s.byCall[key] == c {
			delete(s.byCall, key)
		}
	}
	if c.call != nil && c.call.spawned == c {
		c.call.spawned = nil
	}
}
