package state

import (
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

// A child is one subagent: its names, its runs and its fields. What is said of
// it comes through several layers whose order among each other means nothing, so
// all of it is kept such that it does not matter who spoke first.
type child struct {
	names
	runs
	born    uint64 // number of the frame that told of it first
	history bool   // all that is known was replayed
	list    string // the snapshot that it stood on last

	title, description, prompt, agentType, model slot[string]
	errorText, summary                           slot[string]
	background, canCancel                        slot[bool]
	duration                                     slot[time.Duration]
	tokens, toolCalls                            slot[int64]
}

// A slot is a field, and who set it when.
type slot[T comparable] struct {
	value T
	by    layer
	seq   uint64
	set   bool
}

// put sets the slot unless a higher layer has, or the same one later. It reports
// whether the value changed.
func (x *slot[T]) put(y slot[T]) bool {
	if !y.set || x.set && (y.by < x.by || y.by == x.by && y.seq < x.seq) {
		return false
	}
	changed := x.value != y.value
	*x = y
	return changed
}

// apply takes a patch's field in.
func apply[T comparable](x *slot[T], f dialect.Field[T], src source) bool {
	v, _ := f.Get()
	return x.put(slot[T]{value: v, by: src.layer, seq: src.seq, set: !f.Absent()})
}

// patch takes the fields of a patch in that are not about a run, and reports
// whether anything changed.
func (c *child) patch(p dialect.SubagentPatch, src source) bool {
	changed := false
	for _, did := range []bool{
		apply(&c.title, p.Title, src), apply(&c.description, p.Description, src),
		apply(&c.prompt, p.Prompt, src), apply(&c.agentType, p.AgentType, src),
		apply(&c.model, p.Model, src), apply(&c.errorText, p.Error, src),
		apply(&c.summary, p.Summary, src), apply(&c.background, p.Background, src),
		apply(&c.canCancel, p.CanCancel, src), apply(&c.duration, p.Duration, src),
		apply(&c.tokens, p.Tokens, src), apply(&c.toolCalls, p.ToolCalls, src),
	} {
		changed = changed || did
	}
	return changed
}

// fold takes in the fields of a record that turns out to be of the same subagent.
func (c *child) fold(from *child) {
	c.title.put(from.title)
	c.description.put(from.description)
	c.prompt.put(from.prompt)
	c.agentType.put(from.agentType)
	c.model.put(from.model)
	c.errorText.put(from.errorText)
	c.summary.put(from.summary)
	c.background.put(from.background)
	c.canCancel.put(from.canCancel)
	c.duration.put(from.duration)
	c.tokens.put(from.tokens)
	c.toolCalls.put(from.toolCalls)
}
