package kiro

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// observe reads what V3 puts under _meta.kiro: the turn's own events in
// session_info_update, subagents' tool calls, and whose frame it is.
func observe(f dialect.Frame) []dialect.Finding {
	meta := f.Meta
	if f.Call.ID != "" {
		meta = f.Call.Meta // what earlier frames of the call have said counts too
	}
	kiro := rawjson.Get(meta, "kiro")
	if kiro == nil {
		return nil
	}
	switch f.Kind {
	case "session_info_update":
		return info(f.SessionID, kiro)
	case dialect.FramePermission, dialect.FramePromptResult:
		return nil
	}
	m, err := dialect.Lenient[taskMeta](kiro)
	if !dialect.Usable(err) {
		return nil
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	switch {
	case m.Kind == "agent-subtask" && f.Call.ID != "":
		return one(m.link(link), subtask(f.Call))
	case m.AgentSubtaskID != "" && m.AgentSubtaskID != f.Call.ID:
		return one(link, dialect.Inside{Parent: dialect.Link{SessionID: f.SessionID, AgentID: m.AgentSubtaskID}})
	}
	return nil
}

// taskMeta is _meta.kiro of a subagent's tool call, and, without the kind, of
// what happens inside the subagent.
type taskMeta struct {
	Kind           string `json:"kind"`
	AgentSubtaskID string `json:"agentSubtaskId"`
}

// link adds the subagent's own id. Before it has one, and after a failed start,
// the vendor repeats the tool call's there.
func (m taskMeta) link(l dialect.Link) dialect.Link {
	if m.AgentSubtaskID != l.ToolCallID {
		l.AgentID = m.AgentSubtaskID
	}
	return l
}

type taskInput struct {
	Name        string `json:"name"`
	Prompt      string `json:"prompt"`
	Explanation string `json:"explanation"`
}

// subtask reads a subagent out of its tool call.
func subtask(c dialect.ToolCall) dialect.SubagentPatch {
	in, _ := dialect.Lenient[taskInput](c.RawInput) // zero where it is no object
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(c.Title),
		Description: dialect.SetNonZero(in.Explanation),
		Prompt:      dialect.SetNonZero(in.Prompt),
		AgentType:   dialect.SetNonZero(in.Name),
		Summary:     dialect.SetNonZero(rawjson.String(rawjson.Get(c.RawOutput, "response"))),
	}
	if c.Status == "failed" {
		patch.Error = dialect.SetNonZero(rawjson.String(c.RawOutput))
	}
	if !c.Finished() {
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	return patch
}

// sessionInfo is _meta.kiro of session_info_update. The kind says which of the
// fields there are.
type sessionInfo struct {
	Kind       string `json:"kind"`
	StopReason string `json:"stopReason"`
	TurnEnd    struct {
		StopReason string `json:"stopReason"`
	} `json:"turnEnd"`

	PromptTurnSummaries   []Metering     `json:"promptTurnSummaries"`
	ElapsedTime           dialect.Number `json:"elapsedTime"`
	InputTokens           dialect.Number `json:"inputTokens"`
	OutputTokens          dialect.Number `json:"outputTokens"`
	CacheReadInputTokens  dialect.Number `json:"cacheReadInputTokens"`
	CacheWriteInputTokens dialect.Number `json:"cacheWriteInputTokens"`

	UsagePercentage dialect.Number `json:"usagePercentage"`
	ContextUsage    struct {
		UsagePercentage dialect.Number `json:"usagePercentage"`
	} `json:"contextUsage"`

	Message             string `json:"message"`
	ErrorType           string `json:"errorType"`
	Reason              string `json:"reason"`
	ConversationSummary string `json:"conversationSummary"`
	ToolCallID          string `json:"toolCallId"`
}

// info goes by the kind alone: the order of the frames at a turn's end is not
// fixed, and turn_completion is not its end.
func info(session string, kiro json.RawMessage) []dialect.Finding {
	m, err := dialect.Lenient[sessionInfo](kiro)
	if !dialect.Usable(err) {
		return nil
	}
	link := inSession(session)
	switch m.Kind {
	case "turn_start":
		return one(link, dialect.TurnMark{Began: true})
	case "turn_end":
		stop := m.StopReason
		if stop == "" {
			stop = m.TurnEnd.StopReason
		}
		return one(link, dialect.TurnMark{StopReason: stop})
	case "turn_completion", "context_usage":
		return m.usage(link)
	case "display_error":
		return notice(link, dialect.NoticeError, "The agent reports an error", m.Message, m.ErrorType)
	case "summarization_started":
		return notice(link, dialect.NoticeCompaction, "Compacting the conversation")
	case "summarization_completed":
		return one(link, dialect.Notice{
			Kind: dialect.NoticeCompaction, Message: "The conversation was compacted", Detail: m.ConversationSummary,
		})
	case "summarization_failed":
		return notice(link, dialect.NoticeCompaction, "Compacting failed", m.Reason)
	case "interaction_resolved":
		if m.ToolCallID != "" {
			return one(dialect.Link{SessionID: session, ToolCallID: m.ToolCallID}, dialect.Withdrawn{})
		}
	}
	return nil
}

func (m sessionInfo) usage(link dialect.Link) []dialect.Finding {
	percent := m.UsagePercentage
	if !percent.Valid {
		percent = m.ContextUsage.UsagePercentage
	}
	u := dialect.Usage{
		InputTokens:       m.InputTokens.Int(),
		OutputTokens:      m.OutputTokens.Int(),
		CachedReadTokens:  m.CacheReadInputTokens.Int(),
		CachedWriteTokens: m.CacheWriteInputTokens.Int(),
		ContextPercent:    percent.Value,
		Costs:             costs(m.PromptTurnSummaries),
		Duration:          millis(m.ElapsedTime),
	}
	if !percent.Valid && u.Costs == nil && u.Duration == 0 && u.InputTokens == 0 && u.OutputTokens == 0 {
		return nil
	}
	return one(link, u)
}
