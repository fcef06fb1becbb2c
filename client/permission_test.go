package client

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

// offer makes options of "id:kind" words.
func offer(options ...acp.PermissionOption) acp.RequestPermissionRequest {
	return acp.RequestPermissionRequest{SessionId: "s1", Options: options, ToolCall: acp.ToolCallUpdate{ToolCallId: "t1"}}
}

func option(id, kind string) acp.PermissionOption {
	return acp.PermissionOption{OptionId: acp.PermissionOptionId(id), Name: id, Kind: acp.PermissionOptionKind(kind)}
}

// chosen gives the option that was taken, or "-" for cancelled.
func chosen(t *testing.T, resp acp.RequestPermissionResponse, err error) string {
	t.Helper()
	switch {
	case err != nil:
		t.Fatal(err)
	case resp.Outcome.Selected != nil:
		return string(resp.Outcome.Selected.OptionId)
	case resp.Outcome.Cancelled != nil:
		return "-"
	}
	t.Fatal("there is no outcome")
	return ""
}

func TestPolicyTakesWhatItMayTake(t *testing.T) {
	usual := offer(option("always", "allow_always"), option("once", "allow_once"), option("no", "reject_once"), option("never", "reject_always"))
	question := offer(option("red", "allow_once"), option("green", "allow_once"))
	for _, c := range []struct {
		name          string
		req           acp.RequestPermissionRequest
		reject, allow string
	}{
		{"the usual options", usual, "no", "once"},
		{"no reject_once", offer(option("once", "allow_once"), option("never", "reject_always")), "never", "once"},
		{"no rejection", offer(option("once", "allow_once"), option("always", "allow_always")), "-", "once"},
		{"allow_always alone is too much", offer(option("always", "allow_always"), option("no", "reject_once")), "no", "no"},
		{"kinds nobody knows allow nothing", offer(option("a", "allow"), option("b", "allow_twice"), option("c", "")), "-", "-"},
		{"a kind nobody knows beside a rejection", offer(option("a", "allow_session"), option("no", "reject_once")), "no", "no"},
		{"a question", question, "-", "-"},
		{"nothing else", offer(option("once", "allow_once")), "-", "once"},
		{"a question that may be refused", offer(option("red", "allow_once"), option("green", "allow_once"), option("no", "reject_once")), "no", "no"},
		{"nothing is offered", offer(), "-", "-"},
		{"an empty id is an id", offer(option("", "reject_once"), option("once", "allow_once")), "", "once"},
	} {
		resp, err := (&Workspace{}).RequestPermission(t.Context(), c.req)
		if got := chosen(t, resp, err); got != c.reject {
			t.Errorf("%s: the default took %q, not %q", c.name, got, c.reject)
		}
		allow := &Workspace{Permission: Policy{Rules: []Rule{{Decision: AllowOnce}}}}
		resp, err = allow.RequestPermission(t.Context(), c.req)
		if got := chosen(t, resp, err); got != c.allow {
			t.Errorf("%s: AllowOnce took %q, not %q", c.name, got, c.allow)
		}
	}
}

func TestQuestionsGoToAsk(t *testing.T) {
	w := &Workspace{Permission: Policy{
		Rules: []Rule{{Decision: AllowOnce}},
		Ask: func(_ context.Context, req acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
			return req.Options[1].OptionId, nil
		},
	}}
	resp, err := w.RequestPermission(t.Context(), offer(option("red", "allow_once"), option("green", "allow_once")))
	if got := chosen(t, resp, err); got != "green" {
		t.Errorf("took %q", got)
	}
}

func TestOptionIDsAreOpaqueAndMustBeOffered(t *testing.T) {
	req := offer(option("allow-once", "allow_once"), option("approve_for_session", "allow_always"),
		option("deny_always", "reject_always"), option("", "reject_once"), option("0:a b\né", "allow_once"))
	for _, id := range []string{"0:a b\né", "", "approve_for_session"} {
		w := &Workspace{Permission: Policy{Ask: func(context.Context, acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
			return acp.PermissionOptionId(id), nil
		}}}
		resp, err := w.RequestPermission(t.Context(), req)
		if got := chosen(t, resp, err); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
	w := &Workspace{Permission: Policy{Ask: func(context.Context, acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
		return "not-offered", nil
	}}}
	if resp, err := w.RequestPermission(t.Context(), req); !errors.Is(err, ErrNotOffered) {
		t.Errorf("an id that was not offered gave %+v, %v", resp, err)
	}
	settled := make(chan Settled, 1)
	l := looped(t, w, &Options{OnSettled: func(_ context.Context, s Settled) { settled <- s }}, tempDir(t))
	f := l.ask("session/request_permission", `{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[
		{"optionId":"allow-once","name":"Allow once","kind":"allow_once"},{"optionId":"reject-once","name":"Reject","kind":"reject_once"}]}`)
	if diff := cmp.Diff(`{"outcome":{"outcome":"cancelled"}}`, string(f.Result)); diff != "" {
		t.Error(diff)
	}
	if s := <-settled; s.Chosen != "" || s.Reason == "" {
		t.Errorf("the host was told %+v", s)
	}
}

func TestAskThatFailsOrIsCancelledGrantsNothing(t *testing.T) {
	req := offer(option("once", "allow_once"), option("no", "reject_once"))
	ctx, cancel := context.WithCancel(t.Context())
	w := &Workspace{Permission: Policy{Ask: func(context.Context, acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
		return "once", errors.New("the window was closed")
	}}}
	resp, err := w.RequestPermission(ctx, req)
	if got := chosen(t, resp, err); got != "no" {
		t.Errorf("an Ask that failed took %q", got)
	}
	w.Permission.Ask = func(ctx context.Context, _ acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
		cancel()
		<-ctx.Done()
		return "once", nil
	}
	resp, err = w.RequestPermission(ctx, req)
	if got := chosen(t, resp, err); got != "-" {
		t.Errorf("a cancelled Ask took %q", got)
	}
	for _, rules := range [][]Rule{nil, {{Decision: AllowOnce}}, {{Decision: Reject}}} {
		w.Permission = Policy{Rules: rules}
		resp, err = w.RequestPermission(ctx, req)
		if got := chosen(t, resp, err); got != "-" {
			t.Errorf("with rules %v a cancelled request took %q", rules, got)
		}
	}
}

func TestFirstRuleThatFitsDecides(t *testing.T) {
	dir := tempDir(t)
	mkdir(t, filepath.Join(dir, "src", "keys"))
	if err := os.Symlink("src/keys", filepath.Join(dir, "harmless")); err != nil {
		t.Fatal(err)
	}
	p := Policy{Rules: []Rule{
		{Under: []string{filepath.Join(dir, "src", "keys")}, Decision: Reject},
		{Kinds: []acp.ToolKind{acp.ToolKindRead, acp.ToolKindSearch}, Decision: AllowOnce},
		{Kinds: []acp.ToolKind{acp.ToolKindDelete}, Decision: Reject},
		{Kinds: []acp.ToolKind{acp.ToolKindEdit}, Under: []string{filepath.Join(dir, "src"), filepath.Join(dir, "doc")}, Decision: AllowOnce},
	}}
	none := acp.ToolKind("")
	for _, c := range []struct {
		kind  acp.ToolKind
		paths []string
		want  Decision
	}{
		{acp.ToolKindRead, []string{"$D/elsewhere"}, AllowOnce},
		{acp.ToolKindRead, []string{"$D/src/keys/id"}, Reject},
		{acp.ToolKindRead, []string{"$D/elsewhere", "$D/src/keys/id"}, Reject},
		{acp.ToolKindRead, []string{"$D/harmless/id"}, Reject},
		{acp.ToolKindRead, []string{"$D/src/x/../keys/id"}, Reject},
		{acp.ToolKindRead, []string{"src/keys/id"}, Reject},
		{acp.ToolKindRead, nil, Reject}, // it may be a key
		{acp.ToolKindDelete, []string{"$D/src/x"}, Reject},
		{acp.ToolKindEdit, []string{"$D/src/x"}, AllowOnce},
		{acp.ToolKindEdit, []string{"$D/src/x", "$D/doc/y"}, AllowOnce},
		{acp.ToolKindEdit, []string{"$D/src/x", "$D/other"}, AskHost},
		{acp.ToolKindEdit, []string{"$D/src-old/x"}, AskHost},
		{acp.ToolKindEdit, []string{"$D/src/../other"}, AskHost},
		{none, []string{"$D/src/x"}, Reject}, // it may be a deletion
		{acp.ToolKindExecute, []string{"$D/src/x"}, AskHost},
	} {
		call := acp.ToolCallUpdate{}
		if c.kind != none {
			call.Kind = &c.kind
		}
		for _, path := range c.paths {
			if path[0] == '$' {
				path = dir + path[2:]
			}
			call.Locations = append(call.Locations, acp.ToolCallLocation{Path: path})
		}
		if got := p.decide(call); got != c.want {
			t.Errorf("%s %q: %v, not %v", c.kind, c.paths, got, c.want)
		}
	}
}
