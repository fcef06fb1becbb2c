package copilot

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// The event types that the dialect asks for.
const (
	subagentStarted    = "subagent.started"
	subagentConfigured = "subagent.configured"
	subagentCompleted  = "subagent.completed"
	subagentFailed     = "subagent.failed"
	sessionError       = "session.error"
	compactionStart    = "session.compaction_start"
	compactionComplete = "session.compaction_complete"
	usageCheckpoint    = "session.usage_checkpoint"
	assistantUsage     = "assistant.usage"
)

var types = [...]string{
	subagentStarted, subagentConfigured, subagentCompleted, subagentFailed,
	sessionError, compactionStart, compactionComplete, usageCheckpoint, assistantUsage,
}

// Event is the params of github.com/copilot/sessionEvent.
type Event struct {
	SessionID   string          `json:"sessionId"`
	Type        string          `json:"type"`
	Timestamp   string          `json:"timestamp"` // ISO 8601
	AgentID     string          `json:"agentId"`   // of a subagent; "" for the main agent
	DataOmitted bool            `json:"dataOmitted"`
	Data        json.RawMessage `json:"data"`

	// Payload is Data decoded: SubagentData, ErrorData, CompactionData or
	// UsageData; nil for other types.
	Payload any `json:"-"`
}

// SubagentData is the data of the subagent events.
type SubagentData struct {
	ToolCallID       string         `json:"toolCallId"` // the spawning call
	AgentName        string         `json:"agentName"`
	AgentDisplayName string         `json:"agentDisplayName"`
	AgentDescription string         `json:"agentDescription"` // of the kind of agent
	Model            string         `json:"model"`
	ExecutionMode    string         `json:"executionMode"`
	MultiTurn        bool           `json:"multiTurn"`
	ReasoningEffort  string         `json:"reasoningEffort"`
	ToolCalls        dialect.Number `json:"totalToolCalls"`
	Tokens           dialect.Number `json:"totalTokens"`
	DurationMS       dialect.Number `json:"durationMs"`
	Cancelled        bool           `json:"cancelled"`
	Error            string         `json:"error"`
}

// ErrorData is the data of session.error.
type ErrorData struct {
	ErrorType  string         `json:"errorType"` // authentication, authorization, quota, rate_limit, context_limit, query; open
	Message    string         `json:"message"`
	StatusCode dialect.Number `json:"statusCode"`
	URL        string         `json:"url"`
}

// CompactionData is the data of session.compaction_start and
// session.compaction_complete.
type CompactionData struct {
	Success         *bool          `json:"success"` // of the end; nil: not said
	Error           string         `json:"error"`
	TokensBefore    dialect.Number `json:"preCompactionTokens"`
	TokensAfter     dialect.Number `json:"postCompactionTokens"`
	MessagesRemoved dialect.Number `json:"messagesRemoved"`
}

// UsageData is the data of assistant.usage, of one call to the model, and of
// session.usage_checkpoint, of the session.
type UsageData struct {
	Model            string         `json:"model"`
	InputTokens      dialect.Number `json:"inputTokens"`
	OutputTokens     dialect.Number `json:"outputTokens"`
	CacheReadTokens  dialect.Number `json:"cacheReadTokens"`
	CacheWriteTokens dialect.Number `json:"cacheWriteTokens"`
	Cost             dialect.Number `json:"cost"`         // in premium requests
	TotalNanoAIU     dialect.Number `json:"totalNanoAiu"` // of the session
}
