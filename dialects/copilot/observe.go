package copilot

import (
	"bytes"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// rawInput is that of the call that spawns a subagent.
type rawInput struct {
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
	AgentType   string `json:"agent_type"`
}

func observe(f dialect.Frame) []dialect.Finding {
	var found []dialect.Finding
	if agent := agentID(f); agent != "" {
		found = append(found, dialect.Finding{
			Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
			Event: dialect.Inside{Parent: dialect.Link{SessionID: f.SessionID, AgentID: agent}},
		})
	}
	if f.Call.ID == "" || !bytes.Contains(f.Call.RawInput, []byte("agent_type")) {
		return found
	}
	in, _ := dialect.Lenient[rawInput](f.Call.RawInput)
	if in.AgentType == "" || in.Prompt == "" {
		return found
	}
	patch := dialect.SubagentPatch{
		Title:     dialect.SetNonZero(in.Description),
		Prompt:    dialect.Set(in.Prompt),
		AgentType: dialect.Set(in.AgentType),
	}
	if !f.Call.Finished() && !f.Call.Ended {
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return append(found, dialect.Finding{Link: link, Event: patch})
}

// agentID gives the subagent that a frame is of, "" for the main agent's.
func agentID(f dialect.Frame) string {
	meta := f.Meta
	if f.Call.ID != "" {
		meta = f.Call.Meta
	}
	return rawjson.String(rawjson.Get(meta, vendor, "agentId"))
}
