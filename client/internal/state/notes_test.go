package state

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

// note gives an effect in a line.
func note(e Effect) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	flag := func(on bool, word string) {
		if on {
			say("%s", word)
		}
	}
	switch {
	case e.Update != nil:
		say("update %s %s", e.Update.SessionID, e.Update.Kind)
		if e.Update.Parent != (dialect.Link{}) {
			say("in %s", nameOf(e.Update.Parent))
		}
		flag(e.Update.History, "history")
	case e.Event != nil:
		ev := e.Event
		say("%s %s %s:%s", ev.Payload.EventKind(), ev.Method, ev.SessionID, ev.How)
		flag(ev.Matched, "matched")
		flag(ev.History, "history")
		say("%s", payload(ev.Payload))
	case e.Request != nil:
		say("request %s %s:%s", e.Request.ID, e.Request.SessionID, e.Request.How)
	case e.Notify != nil:
		say("notify %s", e.Notify.Method)
	case e.Settled != nil:
		say("settled %s %s", e.Settled.Request.ID, e.Settled.Reason)
	case e.Turn != nil && e.Turn.Ended:
		say("ended turn %s %s", e.Turn.SessionID, e.Turn.StopReason)
	case e.Turn != nil:
		say("began turn %s", e.Turn.SessionID)
	case e.Opened != nil:
		say("opened %s", e.Opened.SessionID)
		flag(e.Opened.Parent != "", "in "+e.Opened.Parent)
	case e.Closed != nil:
		say("closed %s", e.Closed.SessionID)
	case e.Reply != nil && e.Reply.Error != nil:
		say("reply %s %d", e.Reply.ID, e.Reply.Error.Code)
	case e.Reply != nil:
		say("reply %s %s", e.Reply.ID, e.Reply.Result)
	case e.End != nil:
		say("end %s %s", e.End.Request.ID, e.End.Reason)
	case e.Answer != nil:
		say("answer %s", e.Answer.Method)
	case e.Stray != nil:
		say("stray %s %s", e.Stray.Method, e.Stray.Reason)
	case e.Timer != nil:
		say("timer %d", e.Timer.Token)
	}
	return strings.TrimSpace(b.String())
}

func payload(p dialect.Event) string {
	switch p := p.(type) {
	case dialect.Subagent:
		return string(p.Change) + " " + agentLine(p)
	case dialect.Todos:
		return todoLine(p.Items)
	case dialect.Notice:
		return p.Message
	case dialect.Question:
		return p.Text
	case dialect.TurnMark:
		return p.ID
	}
	return ""
}

// agentLine gives a record: its run, its names, what it does and what is known.
func agentLine(a dialect.Subagent) string {
	link := dialect.Link{SessionID: a.SessionID, ToolCallID: a.ToolCallID, ChildSessionID: a.ChildSessionID, AgentID: a.AgentID}
	out := fmt.Sprintf("%s run %d %s", nameOf(link), a.Run, a.Activity)
	for _, word := range []string{string(a.Outcome), a.Title, a.Prompt, a.Model} {
		if word != "" {
			out += " " + word
		}
	}
	if a.Background {
		out += " background"
	}
	return out
}

func nameOf(l dialect.Link) string {
	var names []string
	for _, id := range []string{l.SessionID, l.ToolCallID, l.ChildSessionID, l.AgentID} {
		if id != "" {
			names = append(names, id)
		}
	}
	return strings.Join(names, "/")
}

func todoLine(items []dialect.Todo) string {
	var out []string
	for _, t := range items {
		out = append(out, strings.Trim(fmt.Sprintf("%s:%s:%s", t.ID, t.Content, t.Status), ":"))
	}
	return "[" + strings.Join(out, " ") + "]"
}

// notes gives what followed since the last call, as far as it begins with one of
// the words; without words all of it.
func (p *player) notes(words ...string) []string {
	out := []string{}
	for _, e := range p.effects {
		line := note(e)
		keep := len(words) == 0
		for _, w := range words {
			keep = keep || strings.HasPrefix(line, w)
		}
		if keep {
			out = append(out, line)
		}
	}
	p.effects = nil
	return out
}

// tree gives a session's subagents, children indented.
func (p *player) tree(session string) []string {
	out := []string{}
	var walk func(indent string, list []dialect.Subagent)
	walk = func(indent string, list []dialect.Subagent) {
		for _, a := range list {
			out = append(out, indent+agentLine(a))
			walk(indent+"  ", a.Children)
		}
	}
	walk("", p.Subagents(session))
	return out
}

func want(t *testing.T, what string, want, got []string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got)\n%s", what, d)
	}
}
