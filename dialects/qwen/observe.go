package qwen

import (
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// meta is the vendor's part of a frame's _meta.
type meta struct {
	ToolName         string          `json:"toolName"`
	ParentToolCallID string          `json:"parentToolCallId"`
	SubagentType     string          `json:"subagentType"`
	SubagentProgress bool            `json:"subagentProgress"`
	Source           string          `json:"source"`
	BackgroundTask   *backgroundTask `json:"backgroundTask"`
	Usage            *modelUsage     `json:"usage"`
}

type backgroundTask struct {
	TaskID    string `json:"taskId"`
	Kind      string `json:"kind"` // agent, monitor, workflow, shell, queue
	Status    string `json:"status"`
	ToolUseID string `json:"toolUseId"`
}

type modelUsage struct {
	Input      dialect.Number `json:"inputTokens"`
	Output     dialect.Number `json:"outputTokens"`
	Thought    dialect.Number `json:"thoughtTokens"`
	CachedRead dialect.Number `json:"cachedReadTokens"`
	Total      dialect.Number `json:"totalTokens"`
}

type spawnInput struct {
	Description  string `json:"description"`
	Prompt       string `json:"prompt"`
	SubagentType string `json:"subagent_type"`
}

// spawnOutput is a rawOutput of the type task_execution.
type spawnOutput struct {
	Type            string `json:"type"`
	SubagentName    string `json:"subagentName"`
	TaskDescription string `json:"taskDescription"`
	TaskPrompt      string `json:"taskPrompt"`
	Status          string `json:"status"`        // running, background, completed, failed, cancelled
	ExecutionMode   string `json:"executionMode"` // foreground, background
	TerminateReason string `json:"terminateReason"`
	Result          string `json:"result"`
	Summary         struct {
		ToolCalls  dialect.Number `json:"totalToolCalls"`
		Tokens     dialect.Number `json:"totalTokens"`
		DurationMS dialect.Number `json:"totalDurationMs"`
	} `json:"executionSummary"`
}

func observe(f dialect.Frame) []dialect.Finding {
	raw := f.Meta
	if f.Call.ID != "" {
		raw = f.Call.Meta // a call's later frames may have none
	}
	if len(raw) == 0 {
		return nil
	}
	switch f.Kind {
	case "tool_call", "tool_call_update", dialect.FramePermission:
	case "agent_message_chunk", "agent_thought_chunk", "user_message_chunk":
	default:
		return nil // large lists of commands, with _meta inside
	}
	m, _ := dialect.Lenient[meta](raw)
	var found []dialect.Finding
	if m.ParentToolCallID != "" && m.ParentToolCallID != f.Call.ID {
		found = append(found, dialect.Finding{
			Link:  dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID},
			Event: dialect.Inside{Parent: dialect.Link{SessionID: f.SessionID, ToolCallID: m.ParentToolCallID}},
		})
	}
	if f.Call.ID != "" {
		return append(found, spawned(f, m)...)
	}
	found = append(found, background(f, m)...)
	return append(found, used(f, m)...)
}

// spawned reads the record of a call that spawns a subagent. How it runs is told
// by the output: what the input asks for may be refused, and a subagent's own
// subagents run in the foreground whatever was asked.
func spawned(f dialect.Frame, m meta) []dialect.Finding {
	if m.ToolName != "agent" && !m.SubagentProgress {
		return nil
	}
	in, _ := dialect.Lenient[spawnInput](f.Call.RawInput)
	out, _ := dialect.Lenient[spawnOutput](f.Call.RawOutput)
	if out.Type != "task_execution" {
		out = spawnOutput{}
	}
	description := first(in.Description, out.TaskDescription)
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(description),
		Description: dialect.SetNonZero(description),
		Prompt:      dialect.SetNonZero(first(in.Prompt, out.TaskPrompt)),
		AgentType:   dialect.SetNonZero(first(out.SubagentName, in.SubagentType, m.SubagentType)),
		Summary:     dialect.SetNonZero(out.Result),
		ToolCalls:   dialect.SetNonZero(out.Summary.ToolCalls.Int()),
		Tokens:      dialect.SetNonZero(out.Summary.Tokens.Int()),
		Duration:    dialect.SetNonZero(milliseconds(out.Summary.DurationMS)),
	}
	if !f.Call.Finished() && !f.Call.Ended {
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	launched := out.ExecutionMode == "background"
	if launched {
		patch.Background = dialect.Set(true)
		patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	switch out.Status {
	case "failed":
		patch.Outcome = dialect.Set(dialect.SubagentFailed)
		patch.Error = dialect.SetNonZero(out.TerminateReason)
	case "cancelled":
		patch.Outcome = dialect.Set(dialect.SubagentCancelled)
	case "completed":
		if launched {
			patch.Outcome = dialect.Set(dialect.SubagentCompleted)
		}
	}
	if o, _ := patch.Outcome.Get(); launched && o != dialect.SubagentLaunched {
		patch.Activity = dialect.Set(dialect.ActivityEnded)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return []dialect.Finding{{Link: link, Event: patch}}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// milliseconds gives a duration, 0 for what is none.
func milliseconds(n dialect.Number) time.Duration {
	ms := n.Int()
	if ms < 0 || ms > int64(1<<63-1)/int64(time.Millisecond) {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// background reads how a background task ended. The chunk comes twice, at the end
// and when the main agent takes the result up. What the main agent says to it
// then (background_notification_response) tells nothing of the task.
func background(f dialect.Frame, m meta) []dialect.Finding {
	task := m.BackgroundTask
	if task == nil || m.Source == "background_notification_response" {
		return nil
	}
	if task.Kind != "agent" {
		text := line(rawjson.String(rawjson.Get(f.Raw, "content", "text")), "")
		if text == "" || m.Source != "background_notification" {
			return nil
		}
		return of(f.SessionID, dialect.Notice{Kind: dialect.NoticeBackground, Message: text})
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: task.ToolUseID, AgentID: task.TaskID}
	if link.ToolCallID == "" && link.AgentID == "" {
		return nil
	}
	patch := dialect.SubagentPatch{Background: dialect.Set(true)}
	switch task.Status {
	case "completed", "failed", "cancelled":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentOutcome(task.Status))
	}
	return []dialect.Finding{{Link: link, Event: patch}}
}

// used reads what a call to the model used, the main agent's alone: a subagent's
// is in its own total.
func used(f dialect.Frame, m meta) []dialect.Finding {
	if m.Usage == nil || m.ParentToolCallID != "" {
		return nil
	}
	return of(f.SessionID, dialect.Usage{
		InputTokens:      m.Usage.Input.Int(),
		OutputTokens:     m.Usage.Output.Int(),
		CachedReadTokens: m.Usage.CachedRead.Int(),
		ReasoningTokens:  m.Usage.Thought.Int(),
		TotalTokens:      m.Usage.Total.Int(),
	})
}
