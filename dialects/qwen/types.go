package qwen

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// DrainMidTurnQueue is the params of craft/drainMidTurnQueue.
type DrainMidTurnQueue struct {
	SessionID string `json:"sessionId"`
	PromptID  string `json:"promptId"`
	// WatchQueuedPrompt says that the agent wants to know whether a prompt is
	// queued, besides what is fetched now.
	WatchQueuedPrompt bool `json:"todoStopGuardWatchQueuedPrompt"`
}

// Drained answers craft/drainMidTurnQueue.
type Drained struct {
	Items           []QueuedItem `json:"items"`
	HasQueuedPrompt *bool        `json:"hasQueuedPrompt,omitempty"` // nil: not said
}

// QueuedItem is one message of the user's.
type QueuedItem struct {
	Content              []json.RawMessage `json:"content"` // content blocks of the protocol
	DisplayText          string            `json:"displayText,omitempty"`
	AttachmentReferences json.RawMessage   `json:"attachmentReferences,omitempty"`
}

// ClaimContinuation is the params of craft/claimTodoStopGuardContinuation.
type ClaimContinuation struct {
	SessionID string `json:"sessionId"`
	PromptID  string `json:"promptId"`
}

// Claimed answers craft/claimTodoStopGuardContinuation.
type Claimed struct {
	Claimed         bool `json:"claimed"`
	HasQueuedPrompt bool `json:"hasQueuedPrompt"`
}

// StartTurn is the params of _qwencode/start_turn.
type StartTurn struct {
	SessionID     string         `json:"sessionId"`
	Source        string         `json:"source"` // background_notification or goal, which has nothing else
	TurnID        string         `json:"turnId"`
	AfterPromptID string         `json:"afterPromptId"`
	TaskID        string         `json:"taskId"` // the background task that is taken up
	Kind          string         `json:"kind"`
	ToolUseID     string         `json:"toolUseId"` // the call that started it
	SourceTurnID  string         `json:"sourceTurnId"`
	Label         string         `json:"label"`
	StartedAt     dialect.Number `json:"startedAt"` // milliseconds since 1970
}

// EndTurn is the params of _qwencode/end_turn.
type EndTurn struct {
	SessionID string `json:"sessionId"`
	Reason    string `json:"reason"` // a stop reason
	Source    string `json:"source"`
	TurnID    string `json:"turnId"`
	PromptID  string `json:"promptId"` // of a goal's turn
}

// SlashCommand is the params of _qwencode/slash_command.
type SlashCommand struct {
	SessionID   string `json:"sessionId"`
	Command     string `json:"command"`
	Message     string `json:"message"`
	MessageType string `json:"messageType"` // info, error; open
}

// AuthenticateUpdate is the params of authenticate/update.
type AuthenticateUpdate struct {
	Meta struct {
		AuthURI string `json:"authUri"`
	} `json:"_meta"`
}

// TitleUpdate is the params of qwen/notify/session/title-update. A
// session_info_update says the same.
type TitleUpdate struct {
	SessionID   string `json:"sessionId"`
	Title       string `json:"title"`
	TitleSource string `json:"titleSource"`
}

// PRBinding is the params of qwen/notify/session/pr-binding.
type PRBinding struct {
	SessionID string `json:"sessionId"`
	PR        struct {
		Number dialect.Number `json:"number"`
		URL    string         `json:"url"`
	} `json:"pr"`
}

// RecordingDegraded is the params of qwen/notify/session/recording-degraded.
type RecordingDegraded struct {
	SessionID string `json:"sessionId"`
	Reason    string `json:"reason"` // write_failed
}

// ModeUpdate is the params of qwen/notify/session/mode-update.
type ModeUpdate struct {
	SessionID         string `json:"sessionId"`
	CurrentModeID     string `json:"currentModeId"`
	PlanExecutionMode string `json:"planExecutionMode"` // the mode after a plan
	LegacyFrameSent   bool   `json:"legacyFrameSent"`   // the standard's update was sent too
}

// ModelUpdate is the params of qwen/notify/session/model-update.
type ModelUpdate struct {
	SessionID      string `json:"sessionId"`
	CurrentModelID string `json:"currentModelId"`
}

// PromptSuggestion is the params of qwen/notify/session/prompt-suggestion.
type PromptSuggestion struct {
	SessionID  string `json:"sessionId"`
	Suggestion string `json:"suggestion"`
	PromptID   string `json:"promptId"` // the prompt it follows
}

// ArtifactEvent is the params of qwen/notify/session/artifact-event.
type ArtifactEvent struct {
	SessionID     string            `json:"sessionId"`
	Source        string            `json:"source"` // hook
	HookEventName string            `json:"hookEventName"`
	ToolName      string            `json:"toolName"`
	ToolCallID    string            `json:"toolCallId"`
	Artifacts     []json.RawMessage `json:"artifacts"`
}

// TerminalSequence is the params of qwen/notify/session/terminal-sequence. It is
// not safe to print.
type TerminalSequence struct {
	SessionID        string `json:"sessionId"`
	TerminalSequence string `json:"terminalSequence"`
}

// MCPBudget is the params of qwen/notify/session/mcp-budget-event.
type MCPBudget struct {
	SessionID      string          `json:"sessionId"`
	Scope          string          `json:"scope"` // workspace; "" for the session
	Kind           string          `json:"kind"`  // budget_warning or refused_batch
	LiveCount      dialect.Number  `json:"liveCount"`
	ReservedCount  dialect.Number  `json:"reservedCount"`
	Budget         dialect.Number  `json:"budget"`
	ThresholdRatio dialect.Number  `json:"thresholdRatio"`
	Mode           string          `json:"mode"`
	RefusedServers []RefusedServer `json:"refusedServers"`
}

// RefusedServer is an MCP server that was not started.
type RefusedServer struct {
	Name      string `json:"name"`
	Transport string `json:"transport"`
	Reason    string `json:"reason"`
}

// SourcesChanged is the params of qwen/notify/session/sources-changed.
type SourcesChanged struct {
	SessionID string         `json:"sessionId"`
	Revision  dialect.Number `json:"revision"`
}

// Generation is the params of both generation/event methods.
type Generation struct {
	SessionID string          `json:"sessionId"` // "" for the workspace
	RequestID string          `json:"requestId"`
	Event     json.RawMessage `json:"event"` // of type started, thinking or delta
}

// ActiveWork is the params of qwen/notify/channel/active-work.
type ActiveWork struct {
	Seq      dialect.Number      `json:"seq"`
	Sessions []ActiveWorkSession `json:"sessions"`
}

// ActiveWorkSession is one session of ActiveWork.
type ActiveWorkSession struct {
	SessionID                 string            `json:"sessionId"`
	FinishedBackgroundTurnID  string            `json:"finishedBackgroundTurnId"`
	HasRunningBackgroundTasks bool              `json:"hasRunningBackgroundTasks"`
	Holds                     []json.RawMessage `json:"holds"`
}
