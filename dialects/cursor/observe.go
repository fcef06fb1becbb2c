package cursor

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// observe reads tool calls that name Cursor's own tools, and what Cursor adds to
// the draft's subagent kinds.
func observe(f dialect.Frame) []dialect.Finding {
	switch f.Kind {
	case "subagent_spawned", "subagent_state_update":
		return child(f)
	}
	if f.Call.ID == "" || !bytes.Contains(f.Call.RawInput, []byte("_toolName")) {
		return nil
	}
	input, _ := dialect.Lenient[rawInput](f.Call.RawInput)
	switch input.ToolName {
	case "task":
		return subagent(f, input)
	case "updateTodos":
		return listed(f, input)
	}
	return nil
}

type rawInput struct {
	ToolName     string       `json:"_toolName"`
	Description  string       `json:"description"`
	Prompt       string       `json:"prompt"`
	SubagentType SubagentType `json:"subagentType"`
	Todos        []Todo       `json:"todos"`
}

// child leaves _meta.cursor.model alone: it is wrong for custom agents.
func child(f dialect.Frame) []dialect.Finding {
	own := rawjson.Get(f.Meta, "cursor")
	link := dialect.Link{
		SessionID:      f.SessionID,
		ToolCallID:     rawjson.String(rawjson.Get(own, "toolCallId")),
		ChildSessionID: rawjson.String(rawjson.Get(f.Raw, "subagentSessionId")),
		AgentID:        rawjson.String(rawjson.Get(own, "agentId")),
	}
	if link.ToolCallID == "" && link.AgentID == "" {
		return nil
	}
	return []dialect.Finding{{Link: link, Event: dialect.SubagentPatch{}}}
}

// subagent reads the call that spawns a child. Its title is not used: it is
// "Task: " and the description.
func subagent(f dialect.Frame, input rawInput) []dialect.Finding {
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(input.Description),
		Description: dialect.SetNonZero(input.Description),
		Prompt:      dialect.SetNonZero(input.Prompt),
		AgentType:   dialect.SetNonZero(input.SubagentType.known()),
	}
	background, said, failed, text := output(f.Call.RawOutput)
	if said {
		patch.Background = dialect.Set(background)
	}
	switch {
	case failed:
		patch.Outcome = dialect.Set(dialect.SubagentFailed)
		patch.Error = dialect.SetNonZero(text)
	case background:
		patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	case !f.Call.Finished():
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return []dialect.Finding{{Link: link, Event: patch}}
}

// output reads a rawOutput. Cursor completes every call, a failed one too; what
// tells them apart is one of these members. said is whether there is a
// background flag.
func output(raw json.RawMessage) (background, said, failed bool, text string) {
	m, ok := rawjson.Members(raw)
	if !ok {
		return false, false, false, ""
	}
	background = string(m["isBackground"]) == "true"
	said = background || string(m["isBackground"]) == "false"
	for _, name := range []string{"error", "rejected", "permissionDenied"} {
		switch string(m[name]) {
		case "", "null", "false", `""`:
			continue
		}
		failed = true
		if text == "" {
			text = message(m[name])
		}
	}
	var exit dialect.Number
	if code := m["exitCode"]; code != nil {
		exit.UnmarshalJSON(code)
	}
	return background, said, failed || exit.Value != 0, text
}

// message gives the text of an error, which is a string or an object with one.
func message(raw json.RawMessage) string {
	for _, name := range []string{"message", "error", "reason"} {
		if text := rawjson.String(rawjson.Get(raw, name)); text != "" {
			return text
		}
	}
	return rawjson.String(raw)
}

// listed reads the todos of builds that do not send cursor/update_todos. They
// stand in one frame of the call, so the other frames say nothing.
func listed(f dialect.Frame, input rawInput) []dialect.Finding {
	if rawjson.Get(f.Raw, "rawInput", "todos") == nil {
		return nil
	}
	items, ok := todos(input.Todos)
	if !ok {
		return nil
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return []dialect.Finding{{Link: link, Event: dialect.Todos{Items: items}}}
}
