package text

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss/tree"

	"github.com/acpdialects/acpdialects/dialect"
)

// subagent shows that one started or ended; the tree shows the rest.
func (v *View) subagent(session string, s dialect.Subagent) {
	v.turn(session).children[identity(s)] = true
	for _, id := range []string{s.ChildSessionID, s.ToolCallID, s.AgentID} {
		v.names[id] = label(s)
	}
	v.live()
	switch s.Change {
	case dialect.ChangeStarted:
		v.page.line("  " + v.style.name("subagent ") + label(s) + v.style.dim(" started"))
	case dialect.ChangeEnded:
		v.page.line("  " + v.style.name("subagent ") + label(s) + " " + v.outcome(s))
	}
}

func identity(s dialect.Subagent) string {
	for _, id := range []string{s.ChildSessionID, s.ToolCallID, s.AgentID} {
		if id != "" {
			return id
		}
	}
	return ""
}

func label(s dialect.Subagent) string {
	for _, name := range []string{s.Title, s.Description, s.AgentType, s.ChildSessionID, s.AgentID, s.ToolCallID} {
		if name != "" {
			return short(name, 80)
		}
	}
	return "without a name"
}

// tree draws the subagents that a turn has heard of, each with what is known of
// it: its prompt, its model and how it came out. A live tree is drawn only while
// one of them runs.
func (v *View) tree(session string, t *turn, live bool) string {
	if v.Subagents == nil || len(t.children) == 0 {
		return ""
	}
	root := tree.Root(v.style.name("subagents"))
	drawn, running := false, false
	for _, s := range v.Subagents(session) {
		if heardOf(t, s) {
			root.Child(v.branch(s))
			drawn, running = true, running || runs(s)
		}
	}
	if !drawn || live && !running {
		return ""
	}
	lines := strings.Split(root.String(), "\n")
	for i, line := range lines {
		lines[i] = "  " + strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func heardOf(t *turn, s dialect.Subagent) bool {
	return t.children[identity(s)] || slices.ContainsFunc(s.Children, func(kid dialect.Subagent) bool { return heardOf(t, kid) })
}

func runs(s dialect.Subagent) bool {
	return s.Activity == dialect.ActivityRunning || slices.ContainsFunc(s.Children, runs)
}

func (v *View) branch(s dialect.Subagent) *tree.Tree {
	lines := []string{v.style.bold(label(s)) + " " + v.outcome(s)}
	var facts []string
	for _, fact := range []string{s.AgentType, s.Model, s.AgentID} {
		if fact != "" {
			facts = append(facts, short(fact, 60))
		}
	}
	if s.Tokens > 0 {
		facts = append(facts, fmt.Sprintf("%d tokens", s.Tokens))
	}
	if len(facts) > 0 {
		lines = append(lines, v.style.dim(strings.Join(facts, " · ")))
	}
	if s.Prompt != "" {
		lines = append(lines, head(s.Prompt, 3))
	}
	if s.Error != "" {
		lines = append(lines, v.style.bad(short(s.Error, 120)))
	}
	if s.Summary != "" {
		lines = append(lines, v.style.dim(head(s.Summary, 3)))
	}
	out := tree.Root(strings.Join(lines, "\n"))
	for _, kid := range s.Children {
		out.Child(v.branch(kid))
	}
	return out
}

// outcome says what a subagent is doing, or how it came out.
func (v *View) outcome(s dialect.Subagent) string {
	paint, word, rest := v.style.dim, string(s.Outcome), ""
	switch s.Outcome {
	case dialect.SubagentCompleted:
		paint = v.style.good
	case dialect.SubagentFailed:
		paint = v.style.bad
	case dialect.SubagentCancelled:
		paint = v.style.warn
	case dialect.SubagentUnknown:
		word, rest = "ended", ", outcome unknown"
	case dialect.SubagentLaunched:
		if s.Activity == dialect.ActivityEnded {
			rest = ", ended, outcome unknown"
		}
	case "":
		paint, word = v.style.warn, strings.ReplaceAll(string(s.Activity), "_", " ")
	}
	if s.Background || s.Outcome == dialect.SubagentLaunched {
		word += " in the background"
	}
	if s.Duration > 0 {
		word += " in " + s.Duration.Round(time.Millisecond).String()
	}
	word += rest
	return paint(oneLine(word))
}
