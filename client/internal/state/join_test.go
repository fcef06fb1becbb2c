package state

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// COR-01, law 11: a report and its tool call come in either order, and the
// subagent is the same.
func TestCOR01ReportBeforeOrAfterItsCall(t *testing.T) {
	report := `acme/agent#5 {"call":"t1","agent":"ag-1","title":"Summarise JS","prompt":"p","model":"fast-1"}`
	call := `s1 tool_call {"toolCallId":"t1","title":"Task: helper","status":"in_progress","rawInput":{"task":{}}}`
	for name, lines := range map[string][]string{"report first": {report, call}, "call first": {call, report}} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, "s1").play(`> session/prompt#1 {"sessionId":"s1"}`)
			p.play(lines...)
			p.play(
				`s1 tool_call_update {"toolCallId":"t1","status":"completed","rawOutput":{"background":false}}`,
				`=1 {"stopReason":"end_turn"}`,
			)
			want(t, "subagent", []string{"s1/t1/ag-1 run 1 ended completed Summarise JS p fast-1"}, p.tree("s1"))
			told := p.notes()
			for _, what := range []string{" started ", " ended s1/t1", "acme/agent s1:tool_call matched ", "reply 5 {}"} {
				n := strings.Count(strings.Join(told, "\n"), what)
				if n != 1 {
					t.Errorf("%q was told %d times, want once:\n%s", what, n, strings.Join(told, "\n"))
				}
			}
			if len(p.waiting) > 0 {
				t.Errorf("%d reports still wait", len(p.waiting))
			}
		})
	}
}

// Law 11: what never finds its call is delivered once, when its turn ends, and a
// call that comes after that changes nothing (COR-06).
func TestLaw11UnmatchedOnceAtTurnEnd(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`acme/note#7 {"call":"ghost","text":"hello"}`,
	)
	want(t, "at once", []string{"began turn s1", "reply 7 {}"}, p.notes())
	p.play(`=1 {"stopReason":"end_turn"}`)
	want(t, "at the end", []string{"notice acme/note s1:turn hello", "ended turn s1 end_turn", "answer session/prompt"}, p.notes())
	p.play(
		`> session/prompt#2 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"ghost"}`,
		`=2 {"stopReason":"end_turn"}`,
	)
	want(t, "later", []string{"began turn s1", "update s1 tool_call", "ended turn s1 end_turn", "answer session/prompt"}, p.notes())
}

// Law 11: with a second prompt in flight a report waits for the last of the two
// answers, and joins a call of either turn.
func TestLaw11WaitsForTheLastPromptInFlight(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`> session/prompt#2 {"sessionId":"s1"}`,
		`acme/note {"call":"a","text":"joins in the second turn"}`,
		`acme/note {"call":"b","text":"finds nothing"}`,
		`=1 {"stopReason":"end_turn"}`,
		`> session/prompt#3 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"a"}`,
	)
	want(t, "in the second turn", []string{"notice acme/note s1:tool_call matched joins in the second turn"}, p.notes("notice"))
	p.play(`=2 {"stopReason":"end_turn"}`)
	want(t, "after it", []string{"notice acme/note s1:turn finds nothing"}, p.notes("notice"))
}

// Law 11: the turn of one session does not hold up a report of another.
func TestLaw11AnotherSessionsTurnIsNone(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`> session/prompt#2 {"sessionId":"s2"}`,
		`acme/note {"session":"s1","call":"a","text":"one"}`,
		`acme/note {"call":"a","text":"either"}`,
		`=1 {"stopReason":"end_turn"}`,
	)
	want(t, "after s1's turn", []string{"notice acme/note s1:vendor one"}, p.notes("notice"))
	p.play(`=2 {"stopReason":"end_turn"}`)
	want(t, "after s2's turn", []string{"notice acme/note :unknown either"}, p.notes("notice"))
}

// Law 11: outside a turn a report waits for its timer. The one of a later report
// stands for it too.
func TestLaw11OutsideATurnTheTimerEndsTheWait(t *testing.T) {
	p := opened(t, "s1").play(
		`acme/note {"call":"a","text":"one"}`,
		`acme/note {"call":"b","text":"two"}`,
		`acme/note {"call":"c","text":"three"}`,
	)
	want(t, "timers", []string{"timer 1", "timer 2", "timer 3"}, p.notes())
	if !p.Waits(1) || p.Waits(4) {
		t.Error("Waits does not know what waits")
	}
	p.play(`s1 tool_call {"toolCallId":"b"}`)
	want(t, "joined", []string{"update s1 tool_call", "notice acme/note s1:tool_call matched two"}, p.notes())
	p.play(`> expire 2`)
	want(t, "expired", []string{"notice acme/note s1:only one"}, p.notes())
	p.play(`> expire 2`, `> expire 3`, `> expire 3`)
	want(t, "expired", []string{"notice acme/note s1:only three"}, p.notes())
}

// Law 11: a timer does not end the wait of a report that came in a turn.
func TestLaw11TheTimerIsForReportsOutsideTurns(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`acme/note {"call":"a","text":"in the turn"}`,
		`=1 {"stopReason":"end_turn"}`,
		`acme/note {"call":"b","text":"after it"}`,
		`> session/prompt#2 {"sessionId":"s1"}`,
		`acme/note {"call":"c","text":"in the next"}`,
		`> expire 3`,
	)
	want(t, "told", []string{"notice acme/note s1:turn in the turn", "notice acme/note s1:only after it"}, p.notes("notice"))
}

// Law 11, COR-06: the waiting room holds 1,024 reports and 8 MiB; past it the
// oldest go first. Every request is answered at once and each report delivered
// once.
func TestLaw11WaitingRoom(t *testing.T) {
	for _, c := range []struct {
		name                 string
		count, size, waiting int
	}{{"by number", 1100, 10, 1024}, {"by size", 20, 1_000_000, 8}, {"too large for it", 3, 9 << 20, 0}} {
		t.Run(c.name, func(t *testing.T) {
			count := c.count
			p := opened(t, "s1").play(`> session/prompt#1 {"sessionId":"s1"}`)
			p.effects = nil
			fill := strings.Repeat("x", c.size)
			for i := range count {
				p.play(fmt.Sprintf(`acme/note#%d {"call":"ghost-%d","text":"%d","fill":"%s"}`, i, i, i, fill))
			}
			if len(p.waiting) != c.waiting {
				t.Errorf("%d reports wait, want %d", len(p.waiting), c.waiting)
			}
			early := p.notes("notice")
			if len(early) != count-c.waiting {
				t.Errorf("%d were delivered early, want %d", len(early), count-c.waiting)
			}
			p.play(`=1 {"stopReason":"end_turn"}`)
			all := append(early, p.notes("notice")...)
			var expect []string
			for i := range count {
				expect = append(expect, fmt.Sprintf("notice acme/note s1:turn %d", i))
			}
			want(t, "delivered", expect, all)
		})
	}
}

// COR-02, law 12: an id is opaque bytes; two that differ after a newline are two.
func TestCOR02IdsWithANewline(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 tool_call {"toolCallId":"call-0\nfc_0","rawInput":{"task":{}}}`,
		`s1 tool_call {"toolCallId":"call-0\nfc_1","rawInput":{"task":{}}}`,
		`acme/agent#8 {"call":"call-0\nfc_1","title":"second"}`,
		`acme/agent#9 {"call":"call-0\nfc_0","title":"first"}`,
		`session/request_permission#10 {"sessionId":"s1","toolCall":{"toolCallId":"call-0\nfc_0"},"options":[{"optionId":"a\nb"}]}`,
	)
	want(t, "subagents", []string{
		"s1/call-0\nfc_0 run 1 running first",
		"s1/call-0\nfc_1 run 1 running second",
	}, p.tree("s1"))
	r := p.OpenRequests()[0]
	if r.Call.ID != "call-0\nfc_0" || !slices.Equal(r.Options, []string{"a\nb"}) {
		t.Errorf("the permission request is for %q, with %q", r.Call.ID, r.Options)
	}
}

// Law 11: a report of two findings waits with the one whose call is not known,
// and two names in it are one subagent, also while it waits.
func TestLaw11NamesOfAWaitingReport(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`acme/agent#1 {"call":"T","agent":"A","title":"t"}`,
		`acme/agent#2 {"agent":"A","prompt":"p"}`,
		`s1 tool_call {"toolCallId":"T","rawInput":{"task":{}}}`,
	)
	want(t, "told", []string{
		"subagent acme/agent s1:turn started s1/T/A run 1 running p",
		"subagent acme/agent s1:tool_call matched updated s1/T/A run 1 running t p",
	}, p.notes("subagent"))
}

// A report that names a session nobody has announced waits for the turns in flight,
// whatever the session turns out to be.
func TestReportsOfAnUnannouncedSession(t *testing.T) {
	p := opened(t, "s1").play(prompt1, `X agent_message_chunk {}`, `acme/note {"session":"X","call":"c","text":"x"}`,
		`s1 subagent_spawned {"subagentSessionId":"X"}`, end1)
	want(t, "told", []string{"notice acme/note X:vendor x"}, p.notes("notice", "timer"))
}
