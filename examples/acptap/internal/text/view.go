// Package text shows a conversation to a person, and asks that person what the
// agent asks. On a terminal it is coloured and shows live what is going on;
// elsewhere it is plain.
package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/acpdialects/acpdialects/dialect"
)

// A View prints what happens. It may be used from several goroutines.
type View struct {
	// Subagents gives the tree of a session's subagents. Nil: none is shown.
	Subagents func(session string) []dialect.Subagent

	// Typed and Asked leave out what a person at the terminal has seen already:
	// the prompts they typed and the questions they were asked.
	Typed, Asked bool

	mu    sync.Mutex
	page  page
	style styles
	turns map[string]*turn
	// listed is the last todo list that was printed for each session.
	listed map[string]string
	// roots are the sessions that a person opened; names are those of the
	// subagents, by their sessions and other ids.
	roots map[string]bool
	names map[string]string
}

// A turn is what is remembered of a session's turn.
type turn struct {
	calls    []string // tool calls that run, in order
	titles   map[string]string
	children map[string]bool // subagents that were heard of
	usage    dialect.Usage
}

// NewView prints on a screen.
func NewView(screen *Screen) *View {
	return &View{
		page: page{screen: screen}, style: newStyles(screen.out),
		turns: map[string]*turn{}, listed: map[string]string{},
		roots: map[string]bool{}, names: map[string]string{},
	}
}

// Initialized shows the agent's answer to initialize.
func (v *View) Initialized(name, version string, protocol int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if name == "" {
		name = "an agent without a name"
	}
	if version != "" {
		version = " " + oneLine(version)
	}
	v.page.line(v.style.bold(oneLine(name)) + v.style.dim(fmt.Sprintf("%s · protocol %d", version, protocol)))
}

// Session shows that a session was opened or loaded.
func (v *View) Session(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.roots[id] = true
	v.page.line(v.style.dim("session " + oneLine(id)))
}

// TurnStart shows a prompt.
func (v *View) TurnStart(session, prompt string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.turns[session] = newTurn()
	v.roots[session] = true
	if v.Typed {
		v.page.kind, v.page.ends = "prompt", 1
		return
	}
	v.page.block("prompt", v.style.you("› ")+v.style.bold(strings.ReplaceAll(Clean(prompt), "\n", "\n  ")))
}

// TurnEnd shows the end of a turn, after the tree of its subagents.
func (v *View) TurnEnd(session, stopReason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	t := v.over(session)
	for _, id := range t.calls {
		v.page.line("  " + v.style.dim("? "+t.titles[id]+" (no end was told)"))
	}
	if tree := v.tree(session, t, false); tree != "" {
		v.page.block("tree", tree)
	}
	line := v.style.dim("· " + oneLine(stopReason) + usageLine(t.usage))
	switch stopReason {
	case "":
		line = v.style.bad("· the prompt was not answered")
	case "cancelled", "refusal":
		line = v.style.warn("· "+stopReason) + v.style.dim(usageLine(t.usage))
	}
	v.page.block("end", line)
}

// Declined shows a message whose method nobody registered.
func (v *View) Declined(method string, request bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	what := "notification"
	if request {
		what = "request"
	}
	v.page.line("  " + v.style.dim("declined "+oneLine(method)+" ("+what+"): no dialect registered it"))
}

// Noise shows something that was not understood.
func (v *View) Noise(raw []byte, reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.page.line("  " + v.style.dim("noise "+short(string(raw), 120)+" ("+oneLine(reason)+")"))
}

// Failed ends what is being printed; the error itself is not the screen's.
func (v *View) Failed(string) { v.End() }

// Closed shows how the agent ended.
func (v *View) Closed(exitCode int, signal string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	how := fmt.Sprintf("exit code %d", exitCode)
	if signal != "" {
		how = signal
	}
	v.page.block("end", v.style.dim("· the agent ended: "+how))
}

// End takes the live part away and ends the line.
func (v *View) End() {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.turns)
	v.live()
	if v.page.kind != "" && v.page.ends == 0 {
		v.page.print("\n")
	}
}

func newTurn() *turn { return &turn{titles: map[string]string{}, children: map[string]bool{}} }

func (v *View) turn(session string) *turn {
	t := v.turns[session]
	if t == nil {
		t = newTurn()
		v.turns[session] = t
	}
	return t
}

// over takes a turn out of the live part, and what was going on in the child
// sessions, which have no turns of their own.
func (v *View) over(session string) *turn {
	t := v.turn(session)
	delete(v.turns, session)
	if v.Subagents != nil {
		v.forget(v.Subagents(session))
	}
	v.live()
	return t
}

func (v *View) forget(children []dialect.Subagent) {
	for _, s := range children {
		delete(v.turns, s.ChildSessionID)
		v.forget(s.Children)
	}
}

// live redraws the live part: the tool calls and the subagents that run now.
func (v *View) live() {
	var lines []string
	for _, session := range slices.Sorted(maps.Keys(v.turns)) {
		t := v.turns[session]
		for _, id := range t.calls {
			lines = append(lines, "  "+v.style.warn("◌ ")+t.titles[id])
		}
		if tree := v.tree(session, t, true); tree != "" {
			lines = append(lines, strings.Split(tree, "\n")...)
		}
	}
	v.page.screen.Live(lines)
}

func usageLine(u dialect.Usage) string {
	var out string
	if u.InputTokens+u.OutputTokens > 0 {
		out += fmt.Sprintf(" · %d tokens in, %d out", u.InputTokens, u.OutputTokens)
	} else if u.TotalTokens > 0 {
		out += fmt.Sprintf(" · %d tokens", u.TotalTokens)
	}
	for _, c := range u.Costs {
		out += fmt.Sprintf(" · %.4g %s", c.Amount, oneLine(c.Unit))
	}
	return out
}

// short gives a text on one line of at most so many characters.
func short(s string, limit int) string {
	runes := []rune(oneLine(s))
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return string(runes)
}
