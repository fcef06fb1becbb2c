package codex

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func observe(f dialect.Frame) []dialect.Finding {
	switch f.Kind {
	case "subagent_update":
		return announced(f)
	case "_subagent_update":
		return drafted(f)
	case "session_info_update":
		return sessionInfo(f)
	}
	if f.Call.ID == "" {
		return nil
	}
	return append(threads(f), mcp(f)...)
}

// announced says which thread a child's session is of. The description is the
// prompt that the thread was started with.
func announced(f dialect.Frame) []dialect.Finding {
	u, _ := dialect.Lenient[child](f.Raw)
	_, encoded, ok := cutLast(u.SessionID, ":subagent:")
	thread, err := url.PathUnescape(encoded)
	if !ok || thread == "" || err != nil {
		return nil
	}
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: f.SessionID, ChildSessionID: u.SessionID, AgentID: thread},
		Event: dialect.SubagentPatch{Prompt: dialect.SetNonZero(u.Description)},
	}}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// drafted reads what version 2 of the protocol is given in place of the draft's
// subagent_spawned and subagent_state_update.
func drafted(f dialect.Frame) []dialect.Finding {
	u, _ := dialect.Lenient[child](f.Raw)
	if u.Draft == "" {
		return nil
	}
	patch := dialect.SubagentPatch{
		Title:    dialect.SetNonZero(u.Name),
		Prompt:   dialect.SetNonZero(u.Task),
		Activity: dialect.Set(dialect.ActivityRunning),
	}
	switch state := rawjson.String(u.State); state {
	case "":
	case "completed", "failed", "cancelled":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentOutcome(state))
	case "disconnected":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
	default:
		patch.Activity = dialect.Set(dialect.ActivityUnknown)
	}
	link := dialect.Link{SessionID: f.SessionID, ChildSessionID: u.Draft}
	return []dialect.Finding{{Link: link, Event: patch}}
}

func sessionInfo(f dialect.Frame) []dialect.Finding {
	own := rawjson.Get(f.Meta, "codex")
	if own == nil {
		return nil
	}
	info, _ := dialect.Lenient[SessionInfo](own)
	link := dialect.Link{SessionID: f.SessionID}
	found := []dialect.Finding{{Link: link, Event: dialect.Other{Value: info}}}
	if info.ThreadStatus.Type == "systemError" {
		notice := dialect.Notice{Kind: dialect.NoticeError, Message: "Codex reports a system error in the thread"}
		found = append(found, dialect.Finding{Link: link, Event: notice})
	}
	return found
}

// mcp tells of an MCP call, whose envelope and input may come apart, and of what
// it prints. A frame that brings neither says nothing.
func mcp(f dialect.Frame) []dialect.Finding {
	if !bytes.Contains(f.Call.Meta, []byte("mcp_")) {
		return nil
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	var found []dialect.Finding
	if m, _ := dialect.Lenient[callMeta](f.Call.Meta); m.MCP && (f.Meta != nil || rawjson.Get(f.Raw, "rawInput") != nil) {
		in, _ := dialect.Lenient[input](f.Call.RawInput)
		if in.Tool != "" {
			found = append(found, dialect.Finding{Link: link, Event: dialect.Other{Value: MCPCall{in.Server, in.Tool}}})
		}
	}
	if m, _ := dialect.Lenient[callMeta](f.Meta); m.MCPDelta.Data != "" {
		found = append(found, dialect.Finding{Link: link, Event: dialect.Other{Value: m.MCPDelta}})
	}
	return found
}

// dealsWithThreads is the cheap test for the calls that threads reads.
func dealsWithThreads(rawInput, meta json.RawMessage) bool {
	return bytes.Contains(rawInput, []byte("receiverThreadIds")) ||
		bytes.Contains(rawInput, []byte("agentThreadId")) ||
		bytes.Contains(meta, []byte(`"codex"`))
}
