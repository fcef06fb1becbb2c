package dialecttest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

func wellFormed(s *suite, r *complaints) {
	s.each(func(o outcome) {
		for _, f := range o.findings {
			if fault := eventFault(f); fault != "" {
				r.Errorf("%s: %s\n%s", o.name, fault, excerpt(o.raw))
			}
		}
	})
}

// eventFault says what is wrong with a finding, "" if nothing.
func eventFault(f dialect.Finding) string {
	if l := f.Link; l.Connection && l != (dialect.Link{Connection: true}) {
		return fmt.Sprintf("a link of the connection names something else too: %+v", l)
	}
	switch e := f.Event.(type) {
	case dialect.SubagentPatch:
		if f.Link.ToolCallID == "" && f.Link.ChildSessionID == "" && f.Link.AgentID == "" {
			return "a subagent without tool call, child session or agent id cannot be told from another"
		}
		return subagentFault(e)
	case dialect.SubagentList:
		for _, m := range e.Members {
			if m.Link.ToolCallID == "" && m.Link.ChildSessionID == "" && m.Link.AgentID == "" {
				return "a member of a subagent list has no id"
			}
			if fault := subagentFault(m.Patch); fault != "" {
				return fault
			}
		}
	case dialect.Inside:
		if e.Parent == (dialect.Link{}) {
			return "a nested call has no parent"
		}
	case dialect.Image:
		if e.Description == "" && e.Path == "" && len(e.References) == 0 {
			return "an image says nothing"
		}
	case dialect.Other:
		if e.Value == nil {
			return "an Other has no value"
		}
	case dialect.Notice:
		if e.Kind == "" {
			return "a notice has no kind"
		}
	case dialect.Todos, dialect.Usage, dialect.TurnMark, dialect.Withdrawn:
	case dialect.Question:
		return "a question is found by an Ask, not as an event"
	default:
		return fmt.Sprintf("%T is no event of the contract; it takes values, and Other for what has no neutral form", e)
	}
	return ""
}

var (
	activities = []dialect.Activity{dialect.ActivityRunning, dialect.ActivityIdle, dialect.ActivityRequiresAction, dialect.ActivityEnded, dialect.ActivityUnknown}
	outcomes   = []dialect.SubagentOutcome{dialect.SubagentCompleted, dialect.SubagentFailed, dialect.SubagentCancelled, dialect.SubagentLaunched, dialect.SubagentUnknown}
)

func subagentFault(a dialect.SubagentPatch) string {
	for name, field := range map[string]dialect.Field[string]{
		"Title": a.Title, "Description": a.Description, "Prompt": a.Prompt, "AgentType": a.AgentType,
		"Model": a.Model, "Error": a.Error, "Summary": a.Summary,
	} {
		if v, ok := field.Get(); ok && v == "" {
			return "a subagent's " + name + " is set to nothing; leave it absent (SetNonZero) or Clear it"
		}
	}
	if v, ok := a.Activity.Get(); ok && !slices.Contains(activities, v) {
		return fmt.Sprintf("%q is no activity of the contract", v)
	}
	if v, ok := a.Outcome.Get(); ok && !slices.Contains(outcomes, v) {
		return fmt.Sprintf("%q is no subagent outcome of the contract", v)
	}
	if v, ok := a.Duration.Get(); ok && v < 0 {
		return "a subagent's duration is negative"
	}
	return ""
}

func notices(s *suite, r *complaints) {
	s.each(func(o outcome) {
		for _, f := range o.findings {
			n, ok := f.Event.(dialect.Notice)
			switch {
			case !ok:
			case strings.TrimSpace(n.Message) == "":
				r.Errorf("%s: the notice has no message\n%s", o.name, excerpt(o.raw))
			case strings.ContainsAny(n.Message, "\n\r"):
				r.Errorf("%s: the notice's message is more than a line: %q", o.name, n.Message)
			}
		}
	})
}
