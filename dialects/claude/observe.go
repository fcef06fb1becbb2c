package claude

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/dialects/adapters"
)

func decodeSDKMessage(raw json.RawMessage) (SDKMessage, error) {
	p, err := dialect.Lenient[SDKMessage](raw)
	if dialect.Usable(err) && (len(p.Message.Raw) == 0 || string(p.Message.Raw) == "null") {
		return p, dialect.MissingField("message")
	}
	return p, err
}

func sdkMessage(p SDKMessage) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{SessionID: p.SessionID}, Event: dialect.Other{Value: p.Message}}}
}

// observe reads the _meta of a frame, or of the record for a tool call's, whose
// later frames may have none.
func observe(f dialect.Frame) []dialect.Finding {
	raw := f.Meta
	if f.Call.ID != "" {
		raw = f.Call.Meta
	}
	if f.Kind == "usage_update" {
		return limited(f, raw)
	}
	if !bytes.Contains(raw, []byte("claudeCode")) {
		return nil
	}
	own := rawjson.Get(raw, "claudeCode")
	if own == nil {
		return nil
	}
	m, _ := dialect.Lenient[meta](own)
	var found []dialect.Finding
	if m.ParentToolUseID != "" && m.ParentToolUseID != f.Call.ID {
		link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
		found = append(found, dialect.Finding{Link: link, Event: dialect.Inside{Parent: parent(f, m)}})
	}
	switch {
	case f.Call.ID == "":
		found = append(found, noticed(f, m)...)
	case m.ToolName == "Agent" || m.ToolName == "Task":
		found = append(found, spawned(f, m))
	}
	return found
}

// parent names the subagent that a frame is of. In a session of the subagent's
// own that is the session: the call the vendor names there is never shown.
func parent(f dialect.Frame, m meta) dialect.Link {
	if adapters.ClaudeChild(f.SessionID) {
		return dialect.Link{ChildSessionID: f.SessionID}
	}
	return dialect.Link{SessionID: f.SessionID, ToolCallID: m.ParentToolUseID}
}

// spawned reads the record of a spawning call. What counts as background is what
// was launched, not what was asked for: a call that was asked to run in the
// background may still fail, or run in the foreground.
func spawned(f dialect.Frame, m meta) dialect.Finding {
	in, _ := dialect.Lenient[spawnInput](f.Call.RawInput)
	out, _ := dialect.Lenient[spawnResponse](m.ToolResponse)
	description := first(in.Description, out.Description)
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(description),
		Description: dialect.SetNonZero(description),
		Prompt:      dialect.SetNonZero(first(in.Prompt, out.Prompt)),
		AgentType:   dialect.SetNonZero(first(out.AgentType, in.SubagentType, out.SubagentType)),
		Model:       dialect.SetNonZero(first(out.ResolvedModel, in.Model)),
	}
	if !f.Call.Finished() && !f.Call.Ended {
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	switch out.Status {
	case "async_launched", "remote_launched":
		patch.Background = dialect.Set(true)
		patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	case "completed":
		patch.ToolCalls = dialect.SetNonZero(out.ToolUses.Int())
		patch.Tokens = dialect.SetNonZero(out.Tokens.Int())
		patch.Duration = dialect.SetNonZero(milliseconds(out.DurationMS))
		patch.Summary = dialect.SetNonZero(out.text())
	}
	switch m.NonExecutionKind {
	case "interrupted", "user-rejected":
		patch.Outcome = dialect.Set(dialect.SubagentCancelled)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID, AgentID: first(out.AgentID, out.TaskID)}
	return dialect.Finding{Link: link, Event: patch}
}

func (r spawnResponse) text() string {
	var text []string
	for _, c := range r.Content {
		if c.Type == "text" && c.Text != "" {
			text = append(text, c.Text)
		}
	}
	return strings.Join(text, "\n")
}

// milliseconds gives a duration, 0 for what is none.
func milliseconds(n dialect.Number) time.Duration {
	ms := n.Int()
	if ms < 0 || ms > int64(1<<63-1)/int64(time.Millisecond) {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// noticed reads the chunks that stand for a notice.
func noticed(f dialect.Frame, m meta) []dialect.Finding {
	notice := dialect.Notice{Kind: dialect.NoticeInfo}
	switch m.Kind {
	case "informational":
		text := rawjson.String(rawjson.Get(f.Raw, "content", "text"))
		if _, rest, ok := strings.Cut(text, ":** "); ok && strings.HasPrefix(text, "**") {
			text = rest // without "**Warning:** "
		}
		head, _, more := strings.Cut(strings.TrimSpace(text), "\n")
		if more {
			notice.Detail = text
		}
		notice.Message = dialect.OneLine(head)
		switch m.Level {
		case "warning":
			notice.Kind = dialect.NoticeWarning
		case "error":
			notice.Kind = dialect.NoticeError
		}
	case "mcpServerStatus":
		if name := dialect.OneLine(m.Server); name != "" {
			notice.Kind = dialect.NoticeMCP
			notice.Message = "MCP server " + name + ": " + first(dialect.OneLine(m.Status), "not ready")
		}
	}
	if notice.Message == "" {
		return nil
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: f.SessionID}, Event: notice}}
}

// limited tells that a limit is near or reached; "allowed" is no news.
func limited(f dialect.Frame, raw json.RawMessage) []dialect.Finding {
	own := rawjson.Get(raw, "_claude/rateLimit")
	if own == nil {
		return nil
	}
	limit, _ := dialect.Lenient[rateLimit](own)
	notice := dialect.Notice{Kind: dialect.NoticeRateLimit}
	switch limit.Status {
	case "allowed_warning":
		notice.Message = "The rate limit is near"
	case "rejected":
		notice.Message = "The rate limit is reached"
	default:
		return nil
	}
	if window := dialect.OneLine(limit.Type); window != "" {
		notice.Message += " (" + window + ")"
	}
	const year10000 = 253402300800
	if at := limit.ResetsAt.Int(); at > 0 && at < year10000 {
		notice.Detail = "resets at " + time.Unix(at, 0).UTC().Format(time.RFC3339)
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: f.SessionID}, Event: notice}}
}
