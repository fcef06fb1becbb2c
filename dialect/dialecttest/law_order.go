package dialecttest

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func ordered(s *suite, r *complaints) {
	for _, w := range slices.Backward(s.rows) {
		if o := s.run(w.message); !same(o, w.out) {
			r.Errorf("%s: the result depends on what was run before", w.Name)
		}
	}
	for _, w := range s.rows {
		if w.spec != nil || w.out.panicked != "" {
			continue
		}
		whole := final(w.out.findings)
		for how, frames := range splits(w.frame) {
			var found []dialect.Finding
			for _, f := range frames {
				o := s.run(message{name: w.Name, raw: f.Raw, frame: f})
				found = append(found, o.findings...)
			}
			if got := final(found); !reflect.DeepEqual(whole, got) {
				r.Errorf("%s: split, %s, the findings come to\n%+v\nin one frame they come to\n%+v", w.Name, how, got, whole)
			}
		}
	}
}

// splits gives the frames that say together what a tool call's frame says: its
// raw input and output apart from the rest, before it and after it.
func splits(f dialect.Frame) map[string][]dialect.Frame {
	if f.Kind != "tool_call" && f.Kind != "tool_call_update" || f.Call.ID == "" {
		return nil
	}
	m, ok := rawjson.Members(f.Raw)
	if !ok || m["rawInput"] == nil && m["rawOutput"] == nil {
		return nil
	}
	id, err := json.Marshal(f.Call.ID)
	if err != nil {
		return nil
	}
	raws := map[string]json.RawMessage{"sessionUpdate": json.RawMessage(`"tool_call_update"`), "toolCallId": id}
	rest := map[string]json.RawMessage{}
	for name, v := range m {
		if name == "rawInput" || name == "rawOutput" {
			raws[name] = v
		} else {
			rest[name] = v
		}
	}
	a, errA := json.Marshal(rest)
	b, errB := json.Marshal(raws)
	if errA != nil || errB != nil {
		return nil
	}
	one := func(raw []byte, call dialect.ToolCall) dialect.Frame {
		g := *frame(f.SessionID, "", string(raw))
		g.OuterMeta, g.Call = f.OuterMeta, call
		return g
	}
	// The record after the first of two frames lacks what the second brings.
	early, late := f.Call, f.Call
	if m["rawInput"] != nil {
		early.RawInput = nil
	}
	if m["rawOutput"] != nil {
		early.RawOutput = nil
	}
	late.Title, late.Name, late.Kind, late.Status, late.Content, late.Locations = "", "", "", "", nil, nil
	late.Ended = false
	if m["_meta"] != nil {
		late.Meta = nil
	}
	return map[string][]dialect.Frame{
		"the raw fields last":  {one(a, early), one(b, f.Call)},
		"the raw fields first": {one(b, late), one(a, f.Call)},
	}
}

// final gives what a client knows at the end: subagents' fields by their link,
// less the activity, which the client itself ends with the call, and each other
// event once.
func final(findings []dialect.Finding) map[dialect.Link][]dialect.Event {
	out := map[dialect.Link][]dialect.Event{}
	agents := map[dialect.Link]dialect.SubagentPatch{}
	for _, f := range findings {
		if a, ok := f.Event.(dialect.SubagentPatch); ok {
			a.Activity = dialect.Field[dialect.Activity]{}
			have := agents[f.Link]
			patch(&have, a)
			agents[f.Link] = have
			continue
		}
		known := slices.ContainsFunc(out[f.Link], func(e dialect.Event) bool { return reflect.DeepEqual(e, f.Event) })
		if !known {
			out[f.Link] = append(out[f.Link], f.Event)
		}
	}
	for l, a := range agents {
		if a != (dialect.SubagentPatch{}) {
			out[l] = append(out[l], a)
		}
	}
	return out
}

// patch applies each field that is not absent.
func patch(have *dialect.SubagentPatch, with dialect.SubagentPatch) {
	h, w := reflect.ValueOf(have).Elem(), reflect.ValueOf(with)
	for i := range h.NumField() {
		if !w.Field(i).Interface().(interface{ Absent() bool }).Absent() {
			h.Field(i).Set(w.Field(i))
		}
	}
}
