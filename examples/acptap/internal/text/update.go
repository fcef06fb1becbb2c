package text

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// maxLive bounds the tool calls that are shown as running.
const maxLive = 100

// Update shows a session/update: text as it flows, a tool call when it ends.
func (v *View) Update(u client.Update) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch u.Kind {
	case "agent_message_chunk":
		v.chunk(u, "text", v.style.plain)
	case "agent_thought_chunk":
		v.chunk(u, "thought", v.style.dim)
	case "user_message_chunk":
		v.chunk(u, "user", v.style.you)
	case "tool_call", "tool_call_update":
		v.toolCall(u)
	case "current_mode_update":
		v.page.line("  " + v.style.dim("mode "+oneLine(rawjson.String(rawjson.Get(u.Raw, "currentModeId")))))
	}
}

// chunk prints streamed text. That of subagents, which other text may break into,
// is dimmed and says whose it is.
func (v *View) chunk(u client.Update, kind string, paint paint) {
	source, label := u.SessionID, ""
	if child := identity(dialect.Subagent{ChildSessionID: u.Parent.ChildSessionID, ToolCallID: u.Parent.ToolCallID, AgentID: u.Parent.AgentID}); child != "" {
		source = child
	}
	if source != u.SessionID || !v.roots[source] && len(v.roots) > 0 {
		name := v.names[source]
		if name == "" {
			name = source
		}
		label, paint = v.style.name("["+short(name, 40)+"] "), v.style.dim
	}
	v.page.stream(kind+" "+source, label, Clean(chunkText(u.Raw)), paint)
}

func chunkText(raw json.RawMessage) string {
	content := rawjson.Get(raw, "content")
	switch kind := rawjson.String(rawjson.Get(content, "type")); kind {
	case "text", "":
		return rawjson.String(rawjson.Get(content, "text"))
	default:
		return "[" + kind + "]"
	}
}

func (v *View) toolCall(u client.Update) {
	c := u.Call
	if c == nil {
		return
	}
	t := v.turn(u.SessionID)
	at := slices.Index(t.calls, c.ID)
	title := v.title(c)
	switch {
	case !c.Finished():
		if at < 0 && len(t.calls) < maxLive && !u.History && !c.Ended {
			t.calls = append(t.calls, c.ID)
		}
		t.titles[c.ID] = title
		v.live()
		return
	case at >= 0:
		t.calls = slices.Delete(t.calls, at, at+1)
	case t.titles[c.ID] == "" && rawjson.String(rawjson.Get(u.Raw, "status")) == "":
		return // a frame after the call's end that does not speak of it
	}
	delete(t.titles, c.ID)
	v.live()
	if c.Status == "failed" {
		v.page.line("  " + v.style.bad("✗ ") + title)
	} else {
		v.page.line("  " + v.style.good("✓ ") + title)
	}
}

func (v *View) title(c *dialect.ToolCall) string {
	title := c.Title
	if title == "" {
		title = c.Name
	}
	if title == "" {
		title = "a tool call"
	}
	title = short(title, 100)
	if c.Kind != "" && c.Kind != "other" {
		title += v.style.dim(" " + oneLine(c.Kind))
	}
	return title
}
