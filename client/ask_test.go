package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

const (
	askDeclined        = `{"outcome":"none"}`
	permissionDeclined = `{"outcome":{"outcome":"cancelled"}}`
)

// noteSettled is an OnSettled that notes the method and how it ended.
func (n *notes) noteSettled(_ context.Context, s client.Settled) {
	how := string(s.Reason)
	if how == "" {
		how = "answered " + s.Chosen + string(s.Answer.Outcome)
	}
	n.add("%s %s", s.Method, how)
}

// Law 16: whatever keeps an ask or a permission request from being decided ends
// it in the decline, once, and the host is told why. The rig checks that each is
// answered exactly once.
func TestLaw16EveryEndIsTheDecline(t *testing.T) {
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, c := range []struct {
		name   string
		reason client.Reason
		// decide is what the host does about either request; refuse makes an
		// answer that was not offered.
		decide func(ctx context.Context, refuse func()) error
		// act is done when both handlers run.
		act func(r *rig, p *prompting, cancel func())
	}{
		{"returned unanswered", client.ReasonNoHandler, func(context.Context, func()) error { return nil }, nil},
		{"an error", client.ReasonError, func(context.Context, func()) error { return errors.New("no display") }, nil},
		{"a panic", client.ReasonError, func(context.Context, func()) error { panic("no display") }, nil},
		{"Goexit", client.ReasonError, func(context.Context, func()) error { runtime.Goexit(); return nil }, nil},
		{"a refused answer", client.ReasonRefused, func(_ context.Context, refuse func()) error { refuse(); return nil }, nil},
		{"$/cancel_request", client.ReasonCancelled, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(r *rig, _ *prompting, _ func()) {
			r.write(notification("$/cancel_request", `{"requestId":1}`), notification("$/cancel_request", `{"requestId":2}`))
		}},
		{"session/cancel", client.ReasonCancelled, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(r *rig, _ *prompting, _ func()) {
			if err := r.conn.Cancel(r.t.Context(), acp.CancelNotification{SessionId: "s1"}); err != nil {
				r.t.Error(err)
			}
		}},
		{"the end of Prompt's context", client.ReasonCancelled, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(r *rig, p *prompting, cancel func()) {
			cancel()
			if _, err := p.wait(); err != context.Canceled {
				r.t.Errorf("Prompt gave %v", err)
			}
		}},
		{"the end of the turn", client.ReasonTurnEnd, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(_ *rig, p *prompting, _ func()) {
			p.ends("end_turn")
		}},
		{"the end of the session", client.ReasonClosed, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(r *rig, _ *prompting, _ func()) {
			if _, err := r.conn.CloseSession(r.t.Context(), acp.CloseSessionRequest{SessionId: "s1"}); err != nil {
				r.t.Error(err)
			}
		}},
		{"the end of the agent", client.ReasonClosed, func(ctx context.Context, _ func()) error { return wait(ctx) }, func(r *rig, _ *prompting, _ func()) {
			r.hangUp()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var settled notes
			entered, late := make(chan struct{}, 2), make(chan error, 1)
			host := permissionHost{decide: func(ctx context.Context, _ acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
				entered <- struct{}{}
				response := acp.RequestPermissionResponse{}
				err := c.decide(ctx, func() { response, _ = choose("never offered") })
				return response, err
			}}
			opts := &client.Options{Registry: asking(), OnSettled: settled.noteSettled, OnAsk: func(ctx context.Context, a *client.Ask) error {
				entered <- struct{}{}
				err := c.decide(ctx, func() {
					if err := a.Answer(dialect.Answer{Outcome: "never offered"}); !errors.Is(err, client.ErrNotOffered) {
						t.Errorf("an answer that was not offered gave %v", err)
					}
				})
				if c.act != nil {
					late <- a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
				}
				return err
			}}
			r := newRig(t, host, opts)
			r.auto["session/close"] = `{}`
			r.open()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := r.prompt(ctx, "s1")
			r.write(request(`1`, "acme/choose", `{"sessionId":"s1"}`), permission(`2`, "s1"))
			for range 2 {
				within(t, "a handler", entered)
			}
			if c.act != nil {
				c.act(r, p, cancel)
				if err := within(t, "the late answer", late); err != client.ErrSettled {
					t.Errorf("a late answer gave %v", err)
				}
			}
			for id, want := range map[string]string{`1`: askDeclined, `2`: permissionDeclined} {
				if got := string(r.answer(id).Result); got != want {
					t.Errorf("%s was answered with %s", id, got)
				}
			}
			for _, method := range []string{"acme/choose", "session/request_permission"} {
				settled.await(t, fmt.Sprintf("%s %s", method, c.reason))
			}
			if n := len(settled.all()); n != 2 {
				t.Errorf("settled: %q", settled.all())
			}
		})
	}
}

// Law 16: with nobody to ask, every ask and permission request is declined, and
// nothing is granted (CAN-07).
func TestLaw16NoHandler(t *testing.T) {
	var settled notes
	r := newRig(t, nil, &client.Options{Registry: asking(), OnSettled: settled.noteSettled}).open()
	if greeting := string(r.call("initialize", 1).Params); strings.Contains(greeting, "true") {
		t.Errorf("nobody serves files, and we said %s", greeting)
	}
	p := r.prompt(t.Context(), "s1")
	r.write(
		request(`1`, "acme/choose", `{}`),
		permission(`2`, "s1"),
		request(`3`, "acme/fetch", `{}`),
		request(`4`, "fs/write_text_file", `{"sessionId":"s1","path":"/x","content":"x"}`),
		request(`5`, "terminal/create", `{"sessionId":"s1","command":"touch"}`),
	)
	got := []string{string(r.answer(`1`).Result), string(r.answer(`2`).Result)}
	for _, id := range []string{`3`, `4`, `5`} {
		got = append(got, fmt.Sprint(r.answer(id).Error.Code))
	}
	if d := cmp.Diff([]string{askDeclined, permissionDeclined, "-32001", "-32601", "-32601"}, got); d != "" {
		t.Error(d)
	}
	p.ends("end_turn")
	if d := cmp.Diff([]string{"acme/choose no_handler", "session/request_permission no_handler", "acme/fetch no_handler"}, settled.all()); d != "" {
		t.Error(d)
	}
}

// Law 16: a host that has let the deadline pass is told so, and its answer comes
// to nothing.
func TestLaw16Deadline(t *testing.T) {
	var settled notes
	late := make(chan error, 1)
	opts := &client.Options{
		Registry: asking(), AskTimeout: time.Hour, OnSettled: settled.noteSettled,
		OnAsk: func(ctx context.Context, a *client.Ask) error {
			<-ctx.Done()
			late <- a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
			return nil
		},
	}
	inBubble(t, waitingHost{wait: func(ctx context.Context, _ string) { <-ctx.Done() }}, opts, func(t *testing.T, b *bubble) {
		b.write(request(`1`, "acme/choose", `{"sessionId":"s1"}`))
		b.write(permission(`2`, "s2"))
		time.Sleep(time.Hour)
		synctest.Wait()
		got := settled.all()
		slices.Sort(got)
		if d := cmp.Diff([]string{"acme/choose deadline", "session/request_permission deadline"}, got); d != "" {
			t.Error(d)
		}
		if err := <-late; err != client.ErrSettled {
			t.Errorf("a late answer gave %v", err)
		}
	})
}

// Law 16: Close answers what is open, in the time it gives the last answers, and
// tells nobody any more.
func TestLaw16Close(t *testing.T) {
	entered, late := make(chan struct{}, 2), make(chan error, 1)
	host := waitingHost{wait: func(ctx context.Context, _ string) {
		entered <- struct{}{}
		<-ctx.Done()
	}}
	opts := &client.Options{Registry: asking(), OnAsk: func(ctx context.Context, a *client.Ask) error {
		entered <- struct{}{}
		<-ctx.Done()
		late <- a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
		return nil
	}}
	r := newRig(t, host, opts).open()
	r.write(request(`1`, "acme/choose", `{"sessionId":"s1"}`), permission(`2`, "s1"))
	for range 2 {
		within(t, "a handler", entered)
	}
	r.close()
	if err := within(t, "the late answer", late); err != client.ErrSettled {
		t.Errorf("a late answer gave %v", err)
	}
	for id, want := range map[string]string{`1`: askDeclined, `2`: permissionDeclined} {
		if got := string(r.answer(id).Result); got != want {
			t.Errorf("%s was answered with %s", id, got)
		}
	}
}

// Law 16: past MaxRequests an ask and a permission request are declined at once,
// and those under way are not touched.
func TestLaw16Overload(t *testing.T) {
	var settled notes
	entered, decide := make(chan struct{}), make(chan struct{})
	opts := &client.Options{Registry: asking(), MaxRequests: 1, OnSettled: settled.noteSettled, OnAsk: func(_ context.Context, a *client.Ask) error {
		close(entered)
		<-decide
		return a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
	}}
	r := newRig(t, client.Base{}, opts).open()
	r.write(request(`1`, "acme/choose", `{}`))
	within(t, "the handler", entered)
	r.write(request(`2`, "acme/choose", `{}`), permission(`3`, "s1"))
	for id, want := range map[string]string{`2`: askDeclined, `3`: permissionDeclined} {
		if got := string(r.answer(id).Result); got != want {
			t.Errorf("%s was answered with %s", id, got)
		}
	}
	close(decide)
	if got := string(r.answer(`1`).Result); got != `{"outcome":"accepted"}` {
		t.Errorf("the first was answered with %s", got)
	}
	settled.await(t, "acme/choose answered accepted")
	if d := cmp.Diff([]string{"acme/choose overload", "session/request_permission overload", "acme/choose answered accepted"}, settled.all()); d != "" {
		t.Error(d)
	}
}

// CAN-01, law 16: session/cancel is a notification. What is open of the session
// is declined, and so is what comes before the turn's answer; other sessions and
// later turns are untouched.
func TestCAN01Cancel(t *testing.T) {
	entered, ended := make(chan string, 9), make(chan string, 9)
	host := permissionHost{decide: func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		entered <- string(p.SessionId)
		if p.SessionId == "s1" {
			<-ctx.Done()
			ended <- "s1"
		}
		return choose("allow-once")
	}}
	opts := &client.Options{Registry: asking(), OnAsk: func(_ context.Context, a *client.Ask) error {
		return a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
	}}
	r := newRig(t, host, opts).open()
	first, other := r.prompt(t.Context(), "s1"), r.prompt(t.Context(), "s2")
	r.write(permission(`"p1"`, "s1"), permission(`"p2"`, "s1"))
	for range 2 {
		within(t, "a handler", entered)
	}
	if err := r.conn.Cancel(t.Context(), acp.CancelNotification{SessionId: "s1"}); err != nil {
		t.Fatal(err)
	}
	if f := r.call("session/cancel", 1); f.ID != nil || string(f.Params) != `{"sessionId":"s1"}` {
		t.Errorf("cancelled with %s", f.Line)
	}
	for range 2 {
		within(t, "a handler's context to end", ended)
	}
	r.write(permission(`"p3"`, "s1"), request(`"a3"`, "acme/choose", `{"sessionId":"s1"}`), permission(`"p4"`, "s2"), request(`"a4"`, "acme/choose", `{"sessionId":"s2"}`))
	first.ends("cancelled")
	next := r.prompt(t.Context(), "s1")
	r.write(request(`"a5"`, "acme/choose", `{"sessionId":"s1"}`))
	for id, want := range map[string]string{
		`"p1"`: permissionDeclined, `"p2"`: permissionDeclined, `"p3"`: permissionDeclined, `"a3"`: askDeclined,
		`"p4"`: `{"outcome":{"optionId":"allow-once","outcome":"selected"}}`, `"a4"`: `{"outcome":"accepted"}`, `"a5"`: `{"outcome":"accepted"}`,
	} {
		if got := string(r.answer(id).Result); got != want {
			t.Errorf("%s was answered with %s", id, got)
		}
	}
	other.ends("end_turn")
	next.ends("end_turn")
}

// CAN-03: several permission requests at once are independent, within a session
// and across sessions; answers are written in the order in which they are given.
func TestCAN03SeveralAtOnce(t *testing.T) {
	decided := map[string]chan acp.PermissionOptionId{"t1": make(chan acp.PermissionOptionId), "t2": make(chan acp.PermissionOptionId), "t3": make(chan acp.PermissionOptionId)}
	entered := make(chan struct{}, 3)
	host := permissionHost{decide: func(_ context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		entered <- struct{}{}
		return choose(<-decided[string(p.ToolCall.ToolCallId)])
	}}
	r := newRig(t, host, nil).open()
	first, second := r.prompt(t.Context(), "s1"), r.prompt(t.Context(), "s2")
	ask := func(id, session, call string) string {
		return strings.Replace(permission(id, session), `"toolCallId":"t1"`, fmt.Sprintf(`"toolCallId":%q`, call), 1)
	}
	r.write(ask(`1`, "s1", "t1"), ask(`2`, "s1", "t2"), ask(`3`, "s2", "t3"))
	for range 3 {
		within(t, "a handler", entered)
	}
	for _, a := range []struct{ call, id, option string }{{"t3", `3`, "allow-once"}, {"t1", `1`, "reject-once"}, {"t2", `2`, "allow-once"}} {
		decided[a.call] <- acp.PermissionOptionId(a.option)
		want := fmt.Sprintf(`{"outcome":{"optionId":%q,"outcome":"selected"}}`, a.option)
		if got := string(r.answer(a.id).Result); got != want {
			t.Errorf("%s was answered with %s", a.id, got)
		}
	}
	first.ends("end_turn")
	second.ends("end_turn")
}

// CAN-05: option ids are opaque, and one that was not offered is not sent.
func TestCAN05OptionIDs(t *testing.T) {
	const odd = `0:a b\né`
	choice := make(chan acp.PermissionOptionId, 1)
	var settled notes
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		return choose(<-choice)
	}}
	r := newRig(t, host, &client.Options{OnSettled: settled.noteSettled}).open()
	params := `{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"allow-once","name":"A","kind":"allow_once"},` +
		`{"optionId":"","name":"D","kind":"reject_once"},{"optionId":"` + odd + `","name":"E","kind":"allow_once"}]}`
	choice <- "0:a b\né"
	r.write(request(`1`, "session/request_permission", params))
	if got := string(r.answer(`1`).Result); got != `{"outcome":{"optionId":"`+odd+`","outcome":"selected"}}` {
		t.Errorf("answered with %s", got)
	}
	choice <- "not-offered"
	r.write(request(`2`, "session/request_permission", params))
	if got := string(r.answer(`2`).Result); got != permissionDeclined {
		t.Errorf("answered with %s", got)
	}
	settled.await(t, "session/request_permission refused")
}

// Two asks at once are independent and known by their JSON-RPC ids, also where
// the ids are the same, or the same but for the quotes.
func TestAsksAreKeyedByTheirIDs(t *testing.T) {
	asks := make(chan *client.Ask, 3)
	release := make(chan struct{})
	opts := &client.Options{Registry: asking(), OnAsk: func(_ context.Context, a *client.Ask) error {
		asks <- a
		<-release
		return nil
	}}
	r := newRig(t, nil, opts).open()
	r.write(
		request(`7`, "acme/approve", `{"sessionId":"s1","title":"one"}`),
		request(`7`, "acme/approve", `{"sessionId":"s1","title":"two"}`),
		request(`"7"`, "acme/approve", `{"sessionId":"s1","title":"three"}`),
	)
	byTitle := map[string]*client.Ask{}
	for range 3 {
		a := within(t, "an ask", asks)
		byTitle[a.Question.Title] = a
	}
	for _, title := range []string{"two", "three", "one"} {
		if err := byTitle[title].Answer(dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: title}); err != nil {
			t.Errorf("%s: %v", title, err)
		}
		if err := byTitle[title].Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted}); err != client.ErrSettled {
			t.Errorf("%s: a second answer gave %v", title, err)
		}
	}
	close(release)
	r.answer(`"7"`)
	r.await("three answers", func(f seen) bool { return contains(f.Line, "one") && f.Method == "" })
	var got []string
	for _, line := range strings.Split(r.transcript(), "\n") {
		if contains(line, `"feedback"`) {
			got = append(got, line)
		}
	}
	want := []string{
		`{"jsonrpc":"2.0","id":7,"result":{"outcome":"rejected","feedback":"two"}}`,
		`{"jsonrpc":"2.0","id":"7","result":{"outcome":"rejected","feedback":"three"}}`,
		`{"jsonrpc":"2.0","id":7,"result":{"outcome":"rejected","feedback":"one"}}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Law 18: what was not offered is refused to the host and not sent, so that the
// next answer counts; several selections survive, and text goes where it is taken.
func TestLaw18Answers(t *testing.T) {
	const items = `{"sessionId":"s1","items":[{"id":"db","options":["pg","lite"]},{"id":"os","options":["linux","mac","win"],"multiple":true,"freeText":true},{"id":"note","freeText":true}]}`
	pick := func(item string, text string, options ...string) dialect.Answer {
		return dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{item: {Options: options, Text: text}}}
	}
	for _, c := range []struct {
		name, method string
		refused      []dialect.Answer
		answer       dialect.Answer
		result       string
	}{
		{
			"several selections, and text", "acme/choose",
			[]dialect.Answer{
				pick("db", "", "mysql"), pick("db", "", "pg", "lite"), pick("db", "mysql"), pick("os", "", "linux", "linux"), pick("cpu", "", "arm"),
				{Outcome: dialect.OutcomeRejected}, {Outcome: dialect.OutcomeAccepted, Feedback: "why not"}, {Feedback: "no"},
				{Result: 7},
			},
			dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{
				"os": {Options: []string{"win", "linux"}, Text: "and plan 9"}, "note": {Text: "line one\nline two"}, "db": {Options: []string{"lite"}},
			}},
			`{"outcome":"accepted","picked":{"db":["lite"],"os":["win","linux"]},"text":{"note":"line one\nline two","os":"and plan 9"}}`,
		},
		{"the decline, by the host's own hand", "acme/choose", nil, dialect.Answer{}, askDeclined},
		{"the method's own result", "acme/choose", nil, dialect.Answer{Result: surveyResult{Outcome: "mine"}}, `{"outcome":"mine"}`},
		{
			"feedback where it is taken", "acme/approve",
			[]dialect.Answer{{Outcome: dialect.OutcomeAccepted, Feedback: "fine"}, {Outcome: dialect.OutcomeSkipped}},
			dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "smaller"}, `{"outcome":"rejected","feedback":"smaller"}`,
		},
		{
			"a machine's request", "acme/fetch",
			[]dialect.Answer{{Outcome: dialect.OutcomeAccepted}, {Result: surveyResult{}}},
			dialect.Answer{Result: &secretResult{Token: "s3cret"}}, `{"token":"s3cret"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := &client.Options{Registry: asking(), OnAsk: func(_ context.Context, a *client.Ask) error {
				for _, ans := range c.refused {
					if err := a.Answer(ans); !errors.Is(err, client.ErrNotOffered) {
						t.Errorf("%+v gave %v", ans, err)
					}
				}
				return a.Answer(c.answer)
			}}
			r := newRig(t, nil, opts).open()
			r.write(request(`1`, c.method, items))
			if got := string(r.answer(`1`).Result); got != c.result {
				t.Errorf("answered with %s, want %s", got, c.result)
			}
		})
	}
}

// Law 17, CUR-02: what was asked reaches the host as an event though nobody can
// decide; what could not be read is told too.
func TestLaw17DeclinedAsksAreTold(t *testing.T) {
	var events []client.Event
	var settled notes
	r := newRig(t, nil, &client.Options{Registry: asking(), OnSettled: settled.noteSettled, OnEvent: func(_ context.Context, e client.Event) { events = append(events, e) }}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		request(`"p-7"`, "acme/approve", `{"toolCallId":"p1","title":"Add cache","plan":"# Plan\n\n1. add cache"}`),
		request(`8`, "acme/approve", `[]`),
		notification("acme/approve", `{"plan":"not even a request"}`),
	)
	p.ends("end_turn")
	if len(events) != 3 {
		t.Fatalf("%d events", len(events))
	}
	want := dialect.Question{
		Kind: dialect.KindPlan, Title: "Add cache", Text: "# Plan\n\n1. add cache",
		Todos:    []dialect.Todo{{ID: "1", Content: "add cache", Status: dialect.TodoPending}},
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected}, Feedback: []dialect.Outcome{dialect.OutcomeRejected},
	}
	if d := cmp.Diff(dialect.Event(want), events[0].Payload); d != "" {
		t.Error(d)
	}
	if n, ok := events[1].Payload.(dialect.Notice); !ok || n.Kind != dialect.NoticeUndecodable {
		t.Errorf("the event is %+v", events[1].Payload)
	}
	if q, ok := events[2].Payload.(dialect.Question); !ok || q.Text != "not even a request" {
		t.Errorf("the event is %+v", events[2].Payload)
	}
	if d := cmp.Diff([]string{"acme/approve no_handler", "acme/approve undecodable"}, settled.all()); d != "" {
		t.Error(d)
	}
	for _, id := range []string{`"p-7"`, `8`} {
		if got := string(r.answer(id).Result); got != askDeclined {
			t.Errorf("%s was answered with %s", id, got)
		}
	}
}

// A credential goes to the agent and nowhere else.
func TestSecretAnswers(t *testing.T) {
	var log, told, tapped notes
	opts := &client.Options{
		Registry: asking(), Logger: log.logTo(),
		OnAsk: func(_ context.Context, a *client.Ask) error {
			return a.Answer(dialect.Answer{Result: secretResult{Token: "s3cret"}})
		},
		OnSettled: func(_ context.Context, s client.Settled) { told.add("%+v", s) },
		Tap:       func(dir string, line []byte) { tapped.add("%s %s", dir, line) },
	}
	r := newRig(t, nil, opts).open()
	p := r.prompt(t.Context(), "s1")
	r.write(request(`1`, "acme/fetch", `{"sessionId":"s1"}`))
	if got := string(r.answer(`1`).Result); got != `{"token":"s3cret"}` {
		t.Errorf("answered with %s", got)
	}
	p.ends("end_turn")
	if len(told.all()) != 1 || len(tapped.all()) == 0 {
		t.Errorf("settled %q, tapped %q", told.all(), tapped.all())
	}
	for _, place := range []*notes{&log, &told, &tapped} {
		if place.holds("s3cret") {
			t.Errorf("the credential is in %q", place.all())
		}
	}
}

// A permission request under a child's session belongs to the turn of the root,
// and knows its call.
func TestChildsPermissionEndsWithTheRootsTurn(t *testing.T) {
	var settled notes
	entered := make(chan string, 1)
	host := permissionHost{decide: func(ctx context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		entered <- string(p.SessionId)
		<-ctx.Done()
		return choose("allow-once")
	}}
	r := newRig(t, host, &client.Options{OnSettled: settled.noteSettled}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		update("s1", `{"sessionUpdate":"subagent_update","sessionId":"c1"}`),
		update("c1", `{"sessionUpdate":"subagent_update","sessionId":"c2"}`),
		permission(`1`, "c2"),
	)
	if session := within(t, "the handler", entered); session != "c2" {
		t.Errorf("the request is of %s", session)
	}
	p.ends("end_turn")
	if got := string(r.answer(`1`).Result); got != permissionDeclined {
		t.Errorf("answered with %s", got)
	}
	settled.await(t, "session/request_permission turn_end")
}

// Law 16: an ask whose hooks come to grief has its vendor's decline all the same, made
// of the zero params.
func TestGriefInAnAsksHooksIsADecline(t *testing.T) {
	grief := map[string]func(){"": func() {}, "panic": func() { panic("a hook") }, "exit": runtime.Goexit}
	var reg registry.Registry
	var methods []dialect.Method
	for _, where := range [][2]string{{"panic", ""}, {"exit", ""}, {"", "panic"}, {"", "exit"}} {
		methods = append(methods, dialect.Ask[acmeAsk, acmeAnswer]{
			Name: "acme/" + where[0] + "-" + where[1],
			Decode: func(raw json.RawMessage) (acmeAsk, error) {
				grief[where[0]]()
				return dialect.Lenient[acmeAsk](raw)
			},
			Correlate: func(a acmeAsk) (dialect.Link, dialect.Question) {
				grief[where[1]]()
				return dialect.Link{SessionID: a.SessionID}, dialect.Question{Kind: dialect.KindPlan}
			},
			Reply: func(acmeAsk, dialect.Answer) (acmeAnswer, error) { return acmeAnswer{Outcome: "cancelled"}, nil },
		})
	}
	reg.MustRegister(dialect.Dialect{Name: "acme", Methods: methods})
	r := newRig(t, nil, &client.Options{Registry: &reg, OnAsk: func(context.Context, *client.Ask) error { return nil }}).open()
	for i, m := range methods {
		id := fmt.Sprint(i)
		r.write(request(id, m.Spec().Name, `{"sessionId":"s1"}`))
		if got := r.answer(id); string(got.Result) != `{"outcome":"cancelled"}` {
			t.Errorf("%s is answered with %s", m.Spec().Name, got.Line)
		}
	}
}

// A permission that cannot be encoded is none, and the host hears why.
func TestPermissionThatCannotBeEncoded(t *testing.T) {
	var told notes
	host := permissionHost{decide: func(context.Context, acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		resp, err := choose("allow-once")
		resp.Meta = map[string]any{"x": make(chan int)}
		return resp, err
	}}
	r := newRig(t, host, &client.Options{OnSettled: func(_ context.Context, s client.Settled) { told.add("%q %q", s.Reason, s.Chosen) }}).open()
	r.write(permission(`1`, "s1"))
	if got := r.answer(`1`); string(got.Result) != `{"outcome":{"outcome":"cancelled"}}` {
		t.Errorf("answered with %s", got.Line)
	}
	told.await(t, `"error" ""`)
}

// An answered ask's hooks are not run again when its handler returns.
func TestReplyRunsOnceForAnAnswer(t *testing.T) {
	var runs atomic.Int64
	var reg registry.Registry
	reg.MustRegister(dialect.Dialect{Name: "acme", Methods: []dialect.Method{dialect.Ask[acmeAsk, acmeAnswer]{
		Name: "acme/ask",
		Correlate: func(a acmeAsk) (dialect.Link, dialect.Question) {
			return dialect.Link{SessionID: a.SessionID}, dialect.Question{Kind: dialect.KindPlan, Outcomes: []dialect.Outcome{dialect.OutcomeAccepted}}
		},
		Reply: func(_ acmeAsk, a dialect.Answer) (acmeAnswer, error) {
			runs.Add(1)
			return acmeAnswer{Outcome: string(a.Outcome)}, nil
		},
	}}})
	returned := make(chan struct{})
	r := newRig(t, nil, &client.Options{Registry: &reg, OnAsk: func(_ context.Context, a *client.Ask) error {
		defer close(returned)
		return a.Answer(dialect.Answer{Outcome: dialect.OutcomeAccepted})
	}}).open()
	r.write(request(`1`, "acme/ask", `{"sessionId":"s1"}`))
	if got := r.answer(`1`); string(got.Result) != `{"outcome":"accepted"}` {
		t.Errorf("answered with %s", got.Line)
	}
	within(t, "OnAsk to return", returned)
	r.conn.Close()
	r.over = true
	within(t, "Done", r.conn.Done())
	if n := runs.Load(); n != 1 {
		t.Errorf("Reply ran %d times", n)
	}
}

// A host that has no RequestPermission has not failed.
func TestPermissionNobodyHandles(t *testing.T) {
	for name, host := range map[string]acp.Client{"a host without it": client.Base{}, "no host": nil} {
		t.Run(name, func(t *testing.T) {
			var told notes
			r := newRig(t, host, &client.Options{OnSettled: func(_ context.Context, s client.Settled) { told.add("%s", s.Reason) }}).open()
			r.write(permission(`1`, "s1"))
			if got := r.answer(`1`); string(got.Result) != permissionDeclined {
				t.Errorf("answered with %s", got.Line)
			}
			told.await(t, "no_handler")
		})
	}
}

// What is no sensible bound is none of the host's.
func TestBoundsOfZeroOrLess(t *testing.T) {
	var got notes
	r := newRig(t, client.Base{}, &client.Options{MaxFrame: -1, MaxBacklog: -1, MaxRequests: -1, JoinWait: -1, OnUpdate: got.noteUpdates}).open()
	r.write(chunk("s1", "hello"), request(`1`, "fs/read_text_file", `{"sessionId":"s1","path":"/x"}`))
	if a := r.answer(`1`); !contains(a.Line, "-32601") {
		t.Errorf("answered with %s", a.Line)
	}
	got.await(t, "hello")
}
