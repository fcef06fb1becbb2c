package grok

import (
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
)

// TurnCompleted is one of the agent's marks of the end of a turn; the others are
// [PromptComplete] with the same id, and the answer to the prompt.
type TurnCompleted struct {
	PromptID   string `json:"prompt_id"`
	StopReason string `json:"stop_reason"`
	Usage      Usage  `json:"usage"` // of the whole turn, its subagents included
}

func (u TurnCompleted) findings(session string) []dialect.Finding {
	var found []dialect.Finding
	if usage, any := u.Usage.neutral(); any {
		found = append(found, dialect.Finding{Link: inSession(session), Event: usage})
	}
	return append(found, dialect.Finding{
		Link: inSession(session), Event: dialect.TurnMark{ID: u.PromptID, StopReason: u.StopReason},
	})
}

// Usage is what a turn has used. The input includes what was read from caches.
type Usage struct {
	InputTokens         dialect.Number `json:"inputTokens"`
	OutputTokens        dialect.Number `json:"outputTokens"`
	TotalTokens         dialect.Number `json:"totalTokens"`
	CachedReadTokens    dialect.Number `json:"cachedReadTokens"`
	CacheCreationTokens dialect.Number `json:"cacheCreationTokens"`
	ReasoningTokens     dialect.Number `json:"reasoningTokens"`
	CostUSDTicks        dialect.Number `json:"costUsdTicks"`
	CostIsPartial       bool           `json:"costIsPartial"`
	UsageIsIncomplete   bool           `json:"usageIsIncomplete"`
}

const ticksPerUSD = 1e10

// neutral gives the usage and whether there is any. A cost that the agent does
// not vouch for is left out.
func (u Usage) neutral() (dialect.Usage, bool) {
	n := dialect.Usage{
		InputTokens:       u.InputTokens.Int(),
		OutputTokens:      u.OutputTokens.Int(),
		TotalTokens:       u.TotalTokens.Int(),
		CachedReadTokens:  u.CachedReadTokens.Int(),
		CachedWriteTokens: u.CacheCreationTokens.Int(),
		ReasoningTokens:   u.ReasoningTokens.Int(),
	}
	if u.CostUSDTicks.Value > 0 && !u.CostIsPartial && !u.UsageIsIncomplete {
		n.Costs = []dialect.Cost{{Amount: u.CostUSDTicks.Value / ticksPerUSD, Unit: "USD"}}
	}
	return n, n.Costs != nil || n.InputTokens != 0 || n.OutputTokens != 0 || n.TotalTokens != 0
}

// PendingInteraction announces that a request of the agent follows.
type PendingInteraction struct {
	ToolCallID string `json:"tool_call_id"`
	Kind       string `json:"kind"` // permission, question, plan_approval
}

func (PendingInteraction) findings(string) []dialect.Finding { return nil }

// InteractionResolved says that the agent no longer waits: answered here or by
// another client, timed out, or cancelled.
type InteractionResolved struct {
	ToolCallID string `json:"tool_call_id"`
}

func (u InteractionResolved) findings(session string) []dialect.Finding {
	if u.ToolCallID == "" {
		return nil
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: session, ToolCallID: u.ToolCallID}, Event: dialect.Withdrawn{}}}
}

// TaskBackgrounded says that a command goes on in the background.
type TaskBackgrounded struct {
	TaskID     string `json:"task_id"`
	ToolCallID string `json:"tool_call_id"`
	Command    string `json:"command"`
	CWD        string `json:"cwd"`
	OutputFile string `json:"output_file"`
}

func (u TaskBackgrounded) findings(session string) []dialect.Finding {
	return notice(dialect.Link{SessionID: session, ToolCallID: u.ToolCallID}, dialect.NoticeBackground, "Running in the background", u.Command)
}

// TaskCompleted says that a background command has ended. A killed one is not
// reported.
type TaskCompleted struct {
	Task     TaskSnapshot `json:"task_snapshot"`
	WillWake bool         `json:"will_wake"` // the agent goes on because of it
}

// TaskSnapshot is the state of a background command.
type TaskSnapshot struct {
	TaskID     string         `json:"task_id"`
	Command    string         `json:"command"`
	CWD        string         `json:"cwd"`
	Output     string         `json:"output"`
	OutputFile string         `json:"output_file"`
	Truncated  bool           `json:"truncated"`
	ExitCode   dialect.Number `json:"exit_code"`
	Completed  bool           `json:"completed"`
	Kind       string         `json:"kind"`
}

func (u TaskCompleted) findings(session string) []dialect.Finding {
	what := "Background task has ended"
	if u.Task.ExitCode.Valid {
		what = fmt.Sprintf("Background task has ended with exit code %d", u.Task.ExitCode.Int())
	}
	return notice(inSession(session), dialect.NoticeBackground, what, u.Task.Command)
}
