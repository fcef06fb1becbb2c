package dialecttest

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// record gives the tool call's record after a frame: what the frame says, under
// what the case says of it.
func record(f dialect.Frame) dialect.ToolCall {
	c := f.Call
	var body json.RawMessage
	switch f.Kind {
	case "tool_call", "tool_call_update":
		body = f.Raw
	case dialect.FramePermission:
		body = rawjson.Get(f.Raw, "toolCall")
	}
	m, ok := rawjson.Members(body)
	if !ok || c.ID == "" && rawjson.String(m["toolCallId"]) == "" {
		return c
	}
	text := func(have *string, name string) {
		if *have == "" {
			*have = rawjson.String(m[name])
		}
	}
	raw := func(have *json.RawMessage, name string) {
		if v := m[name]; *have == nil && string(v) != "null" {
			*have = v
		}
	}
	if c.SessionID == "" {
		c.SessionID = f.SessionID
	}
	text(&c.ID, "toolCallId")
	text(&c.Title, "title")
	text(&c.Name, "name")
	text(&c.Kind, "kind")
	text(&c.Status, "status")
	raw(&c.RawInput, "rawInput")
	if in, ok := rawjson.Members(c.RawInput); ok && len(in) == 0 {
		c.RawInput = nil // {} is "not known yet"
	}
	raw(&c.RawOutput, "rawOutput")
	raw(&c.Content, "content")
	raw(&c.Locations, "locations")
	raw(&c.Meta, "_meta")
	c.Ended = c.Ended || c.Finished()
	return c
}

// reframe gives a frame with another document. What the case said of the call
// beside its document stays.
func reframe(old dialect.Frame, raw []byte) dialect.Frame {
	kind := old.Kind
	if kind == rawjson.String(rawjson.Get(old.Raw, "sessionUpdate")) {
		kind = rawjson.String(rawjson.Get(raw, "sessionUpdate"))
	}
	f := framed(old.SessionID, kind, raw)
	if f.OuterMeta == nil {
		f.OuterMeta = old.OuterMeta
	}
	bare := old
	bare.Call = dialect.ToolCall{}
	f.Call = beside(old.Call, record(bare))
	f.Call = record(f)
	return f
}

// framed gives the frame of any kind with a document.
func framed(sessionID, kind string, raw []byte) dialect.Frame {
	f := *frame(sessionID, kind, string(raw))
	f.Kind = kind
	f.Call = record(f)
	return f
}

// beside gives what have says and the document did not.
func beside(have, said dialect.ToolCall) dialect.ToolCall {
	text := func(h *string, s string) {
		if *h == s {
			*h = ""
		}
	}
	raw := func(h *json.RawMessage, s json.RawMessage) {
		if bytes.Equal(*h, s) {
			*h = nil
		}
	}
	text(&have.SessionID, said.SessionID)
	text(&have.ID, said.ID)
	text(&have.Title, said.Title)
	text(&have.Name, said.Name)
	text(&have.Kind, said.Kind)
	text(&have.Status, said.Status)
	raw(&have.RawInput, said.RawInput)
	raw(&have.RawOutput, said.RawOutput)
	raw(&have.Content, said.Content)
	raw(&have.Locations, said.Locations)
	raw(&have.Meta, said.Meta)
	have.Ended = have.Ended && !said.Ended
	return have
}

// clone copies a frame, its bytes too.
func clone(f dialect.Frame) dialect.Frame {
	for _, b := range []*json.RawMessage{&f.Raw, &f.Meta, &f.OuterMeta, &f.Call.RawInput, &f.Call.RawOutput, &f.Call.Content, &f.Call.Locations, &f.Call.Meta} {
		*b = bytes.Clone(*b)
	}
	return f
}
