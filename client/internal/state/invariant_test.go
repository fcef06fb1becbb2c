package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
)

// check finds what is not as it must be between two frames.
func (p *player) check() {
	p.t.Helper()
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	p.checkSessions(bad)
	p.checkCalls(bad)
	p.checkChildren(bad)

	bytes := 0
	for i, w := range p.waiting {
		bytes += w.size
		if i > 0 && w.token <= p.waiting[i-1].token {
			bad("reports do not wait in the order in which they came")
		}
		if !w.timed && !p.awaited(w) {
			bad("report %d waits for nothing", w.token)
		}
	}
	if bytes != p.waitingBytes || bytes > maxWaitingBytes || len(p.waiting) > maxWaiting {
		bad("%d reports wait, with %d bytes, counted as %d", len(p.waiting), bytes, p.waitingBytes)
	}
	if len(p.touched) > 0 {
		bad("subagents are touched between frames")
	}
	for _, r := range p.open {
		if r.ending != "" && r.decided() {
			bad("request %s is open and was ended: %s", r.ID, r.ending)
		}
	}
	if len(p.abandoned) > maxAbandoned || len(p.strays) > maxStrays || len(p.children) > maxChildren || len(p.marks) > maxTurnMarks {
		bad("bounds do not hold")
	}
	if len(wrong) > 0 {
		p.t.Fatal(strings.Join(wrong, "\n"))
	}
}

func (p *player) checkSessions(bad func(string, ...any)) {
	flight := 0
	for id, sess := range p.sessions {
		if sess.id != id || sess.ours && sess.child() || sess.ours != (p.own[id] == sess) {
			bad("session %q is misplaced", id)
		}
		stray := slices.Contains(p.strays, sess)
		if stray == (sess.ours || sess.child()) {
			bad("session %q: a stray %v, ours %v, a child %v", id, stray, sess.ours, sess.child())
		}
		if up := p.sessions[sess.parent]; sess.child() && (up == nil || !slices.Contains(up.kids, id)) {
			bad("session %q does not have its parent %q", id, sess.parent)
		}
		for _, kid := range sess.kids {
			if k := p.sessions[kid]; k == nil || k.parent != id {
				bad("session %q does not have its child %q", id, kid)
			}
		}
		flight += len(sess.flight)
		for _, t := range sess.flight {
			if t.session != sess || t.over || !slices.Contains(p.flight, t) {
				bad("a turn of session %q is misplaced", id)
			}
		}
		if len(sess.todos.changes) > maxTodoChanges || len(sess.marks) > maxTurnMarks || len(sess.order) > maxCalls {
			bad("bounds of session %q do not hold", id)
		}
	}
	if flight != len(p.flight) || len(p.own) > len(p.sessions) || len(p.strays) > len(p.sessions) {
		bad("%d turns are in flight, %d in sessions", len(p.flight), flight)
	}
	for i := 1; i < len(p.flight); i++ {
		if p.flight[i].number <= p.flight[i-1].number {
			bad("turns are not in order")
		}
	}
}

func (p *player) checkCalls(bad func(string, ...any)) {
	latest, all := 0, 0
	for id, list := range p.calls {
		for _, c := range list {
			latest++
			if c.ID != id || p.sessions[c.SessionID] != c.session || c.session.calls[id] != c {
				bad("call %q is misplaced", id)
			}
		}
	}
	for id, sess := range p.sessions {
		latest -= len(sess.calls)
		stored := 0
		for _, c := range sess.order {
			stored += c.stored
			texts := len(c.Title) + len(c.Name) + len(c.Kind) + len(c.Status)
			if n := texts + len(c.RawInput) + len(c.RawOutput) + len(c.Content) + len(c.Locations) + len(c.Meta); n != c.stored {
				bad("call %q stores %d bytes, counted as %d", c.ID, n, c.stored)
			}
			if c.Finished() && (!c.Ended || c.Unknown) {
				bad("call %q is %s, ended %v, unknown %v", c.ID, c.Status, c.Ended, c.Unknown)
			}
			if kid := c.spawned.real(); kid != nil && !slices.Contains(p.children, kid) {
				bad("call %q started a subagent that is gone", c.ID)
			}
		}
		all += stored
		if stored != sess.bytes {
			bad("session %q stores %d bytes, counted as %d", id, stored, sess.bytes)
		}
	}
	if all != p.bytes || all > maxAllBytes {
		bad("all records store %d bytes, counted as %d", all, p.bytes)
	}
	if latest != 0 {
		bad("the index has %d records too many", latest)
	}
}

func (p *player) checkChildren(bad func(string, ...any)) {
	for id, c := range p.byChild {
		if c.childSession != id || !slices.Contains(p.children, c) {
			bad("the subagent of session %q is misplaced", id)
		}
	}
	for key, c := range p.byAgent {
		if !slices.Contains(c.agentKeys, key) || !slices.Contains(p.children, c) {
			bad("the subagent %q is misplaced", key)
		}
	}
	for key, c := range p.byCall {
		if c.toolCallID != key.call || !slices.Contains(p.children, c) {
			bad("the subagent of call %q is misplaced", key)
		}
	}
	for _, c := range p.children {
		name := fmt.Sprintf("subagent %s/%s/%s", c.toolCallID, c.childSession, c.agentID)
		if c.gone || c.into != nil || c.phase == unseen {
			bad("%s should not be there", name)
		}
		if c.session != nil && p.sessions[c.session.id] != c.session {
			bad("%s is in session %q, which is gone", name, c.session.id)
		}
		if c.call != nil && (c.call.spawned.real() != c || c.call.ID != c.toolCallID) {
			bad("%s and its call %s do not agree: %p %p", name, c.call.ID, c.call.spawned.real(), c)
		}
		if kid := p.sessions[c.childSession]; c.childSession != "" && kid != nil && kid.child() && c.session != nil && p.byChild[kid.id] != c {
			bad("%s does not have its session", name)
		}
		for _, v := range c.voices {
			if v.run > c.run || c.run == 0 || c.task > c.run {
				bad("%s is in run %d, its call is %d, somebody speaks of %d", name, c.run, c.task, v.run)
			}
		}
	}
}

// finished closes everything and finds what is left.
func (p *player) finished() {
	p.t.Helper()
	p.do(p.Disconnect())
	for _, r := range p.OpenRequests() {
		if r.decided() {
			p.t.Errorf("request %s is open after the end", r.ID)
		}
	}
	for _, c := range p.children {
		if c.phase == running {
			p.t.Errorf("subagent %s/%s/%s runs after the end", c.toolCallID, c.childSession, c.agentID)
		}
	}
	for len(p.sessions) > 0 {
		for _, sess := range p.sessions {
			p.closeSession(sess)
			break
		}
		p.do(p.flush())
	}
	for _, c := range slices.Clone(p.children) {
		if c.session == nil { // of a session that nobody ever named
			p.dropChild(c, "")
		}
	}
	if n := len(p.own) + len(p.strays) + len(p.flight) + len(p.calls) + len(p.waiting) + p.waitingBytes + len(p.children) + len(p.byChild) + len(p.byAgent) + len(p.byCall); n > 0 {
		p.t.Errorf("left: own %d, strays %d, turns %d, calls %d, waiting %d (%d bytes), subagents %d, %d by session, %d by agent, %d by call",
			len(p.own), len(p.strays), len(p.flight), len(p.calls), len(p.waiting), p.waitingBytes, len(p.children), len(p.byChild), len(p.byAgent), len(p.byCall))
	}
}

// counted counts what must happen once.
type counted struct {
	t       testing.TB
	asked   map[string]int // requests by id
	replied map[string]int
	settled map[*Request]int
	reports map[string]int // by their text
	began   int
	ended   int
}

func newCounted(t testing.TB) *counted {
	return &counted{t: t, asked: map[string]int{}, replied: map[string]int{}, settled: map[*Request]int{}, reports: map[string]int{}}
}

// count counts effects; those of frames whose ids are not known here are not
// asked.
func (n *counted) count(effects []Effect, asked bool) {
	n.t.Helper()
	for _, e := range effects {
		switch {
		case e.Reply != nil && asked:
			n.replied[string(e.Reply.ID)]++
		case e.Settled != nil:
			r := e.Settled.Request
			if n.settled[r]++; n.settled[r] > 1 {
				n.t.Fatalf("request %s was settled twice", r.ID)
			}
			n.replied[string(r.ID)]++
		case e.Event != nil:
			if text := payload(e.Event.Payload); asked && e.Event.Method == "acme/note" {
				if n.reports[text]++; n.reports[text] > 1 {
					n.t.Fatalf("report %s was delivered twice", text)
				}
			}
			if a, ok := e.Event.Payload.(dialect.Subagent); ok {
				switch a.Change {
				case dialect.ChangeStarted:
					n.began++
				case dialect.ChangeEnded:
					n.ended++
				}
			}
		}
	}
}
