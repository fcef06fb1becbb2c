package adapters

import (
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

func observe(f dialect.Frame) []dialect.Finding {
	switch strings.TrimPrefix(f.Kind, "_") {
	case "async_task_spawned":
		return taskSpawned(f)
	case "async_task_progress":
		return taskProgress(f)
	case "async_task_state_update":
		return taskState(f)
	case "session_message":
		return message(f)
	case dialect.FramePromptResult:
		return quota(f)
	}
	return nil
}

// taskSpawned tells of background work. It is never an agent: those have kinds
// of their own.
func taskSpawned(f dialect.Frame) []dialect.Finding {
	t, _ := dialect.Lenient[AsyncTask](f.Raw)
	for _, name := range []string{t.Name, t.Description, t.TaskType} {
		if name = dialect.OneLine(name); name != "" {
			return background(f, t, "Started in the background: "+name)
		}
	}
	return background(f, t, "Work was started in the background")
}

// taskProgress is told as it is, since it comes too often for a notice.
func taskProgress(f dialect.Frame) []dialect.Finding {
	t, _ := dialect.Lenient[AsyncTask](f.Raw)
	return []dialect.Finding{{Link: t.link(f), Event: dialect.Other{Value: t}}}
}

func taskState(f dialect.Frame) []dialect.Finding {
	t, _ := dialect.Lenient[AsyncTask](f.Raw)
	state := dialect.OneLine(t.State)
	if state == "" {
		return nil
	}
	return background(f, t, "Background work: "+state)
}

func background(f dialect.Frame, t AsyncTask, text string) []dialect.Finding {
	notice := dialect.Notice{Kind: dialect.NoticeBackground, Message: text, Detail: t.Summary}
	return []dialect.Finding{{Link: t.link(f), Event: notice}}
}

func (t AsyncTask) link(f dialect.Frame) dialect.Link {
	return dialect.Link{SessionID: f.SessionID, ToolCallID: t.ToolCallID}
}

// message reads what the main agent says to a child of Claude's, which stands
// for the tool call that launched it: in that mode the client is not shown the
// call, and the message's id is the call's. A later message to the same child
// looks the same; it is what the child works on then. What a child's child is
// told cannot be told from what a child reports, and is left alone.
func message(f dialect.Frame) []dialect.Finding {
	m, _ := dialect.Lenient[sessionMessage](f.Raw)
	if m.Sender != f.SessionID || ClaudeChild(m.Sender) || !ClaudeChild(m.Recipient) {
		return nil
	}
	var text []string
	for _, c := range m.Content {
		if c.Type == "text" && c.Text != "" {
			text = append(text, c.Text)
		}
	}
	if len(text) == 0 {
		return nil
	}
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: f.SessionID, ChildSessionID: m.Recipient},
		Event: dialect.SubagentPatch{Prompt: dialect.Set(strings.Join(text, "\n"))},
	}}
}

// ClaudeChild reports whether a session id is one that claude-agent-acp gives to
// a subagent: the agent's id ("a" and 16 hexadecimal digits), the same with
// ":generation:" and a number for a resumed one, or, in a replay, the parent's
// id with ":replay-subagent:" and a tool call's. Other sessions have UUIDs.
func ClaudeChild(sessionID string) bool {
	if strings.Contains(sessionID, ":replay-subagent:") {
		return true
	}
	id, _, _ := strings.Cut(sessionID, ":generation:")
	if len(id) != 17 || id[0] != 'a' {
		return false
	}
	return strings.Trim(id[1:], "0123456789abcdef") == ""
}

func quota(f dialect.Frame) []dialect.Finding {
	r, _ := dialect.Lenient[promptResult](f.Raw)
	if r.Usage != nil {
		return nil
	}
	n := r.Meta.Quota.TokenCount
	usage := dialect.Usage{
		InputTokens:       n.Input.Int(),
		OutputTokens:      n.Output.Int(),
		CachedReadTokens:  n.CachedRead.Int(),
		CachedWriteTokens: max(n.CachedWrite.Int(), n.CacheWrite.Int()),
		ReasoningTokens:   n.Reasoning.Int(),
		TotalTokens:       n.Total.Int(),
	}
	if usage.InputTokens == 0 && usage.OutputTokens == 0 && usage.TotalTokens == 0 {
		return nil
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: f.SessionID}, Event: usage}}
}
