package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

func TestField(t *testing.T) {
	type view struct {
		value           string
		set, abs, clear bool
	}
	for name, c := range map[string]struct {
		field dialect.Field[string]
		want  view
	}{
		"zero":              {dialect.Field[string]{}, view{abs: true}},
		"set":               {dialect.Set("a"), view{value: "a", set: true}},
		"set to nothing":    {dialect.Set(""), view{set: true}},
		"cleared":           {dialect.Clear[string](), view{clear: true}},
		"non-zero":          {dialect.SetNonZero("a"), view{value: "a", set: true}},
		"non-zero but zero": {dialect.SetNonZero(""), view{abs: true}},
	} {
		value, set := c.field.Get()
		got := view{value, set, c.field.Absent(), c.field.Cleared()}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestFieldsAreEqualIfTheySayTheSame(t *testing.T) {
	fields := []dialect.Field[string]{{}, dialect.Clear[string](), dialect.Set(""), dialect.Set("a"), dialect.Set("b")}
	for i, a := range fields {
		for j, b := range fields {
			if a.Equal(b) != (i == j) {
				t.Errorf("field %d equals field %d: %v", i, j, a.Equal(b))
			}
		}
	}
	a, b := dialect.SubagentPatch{Title: dialect.Set("a")}, dialect.SubagentPatch{Title: dialect.Set("b")}
	if cmp.Diff(a, b) == "" || cmp.Diff(a, a) != "" {
		t.Error("go-cmp does not see what fields say")
	}
}

func TestEventKinds(t *testing.T) {
	for want, e := range map[string]dialect.Event{
		"subagent": dialect.SubagentPatch{}, "subagents": dialect.SubagentList{}, "inside": dialect.Inside{},
		"todos": dialect.Todos{}, "image": dialect.Image{}, "notice": dialect.Notice{}, "usage": dialect.Usage{},
		"turn": dialect.TurnMark{}, "withdrawn": dialect.Withdrawn{}, "question": dialect.Question{}, "other": dialect.Other{},
	} {
		if got := e.EventKind(); got != want {
			t.Errorf("%T is %q, want %q", e, got, want)
		}
	}
}

func TestFinishedIsWhatTheAgentSaid(t *testing.T) {
	for status, want := range map[string]bool{
		"completed": true, "failed": true, "": false, "pending": false, "in_progress": false, "cancelled": false,
	} {
		if got := (dialect.ToolCall{Status: status, Ended: true}).Finished(); got != want {
			t.Errorf("a call that is %q is finished: %v", status, got)
		}
	}
}
