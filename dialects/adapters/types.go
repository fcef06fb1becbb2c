package adapters

import "github.com/acpdialects/acpdialects/dialect"

// AuthStatusUpdate is the params of _auth/status_update.
type AuthStatusUpdate struct {
	AuthStatus AuthStatus `json:"authStatus"`
}

// AuthStatus is the account that the agent uses.
type AuthStatus struct {
	Kind    string  `json:"kind"` // account, api_key, gateway, external or none
	Label   string  `json:"label"`
	Detail  string  `json:"detail"` // where the key is from, or a gateway's host
	Account Account `json:"account"`
}

// Account is what is known of a subscription. The vendor sends an email address
// too; it is private, and left to those who read the raw params.
type Account struct {
	Organization string `json:"organization"`
	Plan         string `json:"plan"`
}

// ListChanges is the params of _session/list/changes.
type ListChanges struct {
	SubscriptionID string        `json:"subscriptionId"`
	Sessions       []SessionInfo `json:"sessions"` // new or changed
	Removed        []string      `json:"removed"`  // session ids
}

// SessionInfo is one session of a list.
type SessionInfo struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
	Title     string `json:"title"`
	UpdatedAt string `json:"updatedAt"`
}

// AsyncTask is an update of one of the three async task kinds. Which fields it
// has depends on the kind, and progress has only those that changed.
type AsyncTask struct {
	ID             string         `json:"asyncTaskId"`
	Name           string         `json:"name"`
	TaskType       string         `json:"taskType"` // shell, monitor, workflow, task, turn; open
	Description    string         `json:"description"`
	State          string         `json:"state"` // running, paused, completed, failed or stopped
	Summary        string         `json:"summary"`
	LastToolName   string         `json:"lastToolName"`
	OutputFilePath string         `json:"outputFilePath"`
	ToolCallID     string         `json:"toolCallId"` // the call that started it
	Usage          AsyncTaskUsage `json:"usage"`
}

// AsyncTaskUsage is what an async task has used so far.
type AsyncTaskUsage struct {
	TotalTokens dialect.Number `json:"totalTokens"`
	ToolUses    dialect.Number `json:"toolUses"`
	DurationMS  dialect.Number `json:"durationMs"`
}

// sessionMessage is the session/update kind of that name.
type sessionMessage struct {
	Sender    string `json:"senderSessionId"`
	Recipient string `json:"recipientSessionId"`
	Content   []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
}

// promptResult is a prompt's result as far as it tells of usage.
type promptResult struct {
	Usage *struct{} `json:"usage"`
	Meta  struct {
		Quota struct {
			TokenCount tokenCount `json:"token_count"`
		} `json:"quota"`
	} `json:"_meta"`
}

type tokenCount struct {
	Total       dialect.Number `json:"totalTokens"`
	Input       dialect.Number `json:"inputTokens"`
	CachedRead  dialect.Number `json:"cachedInputTokens"`
	CachedWrite dialect.Number `json:"cachedWriteTokens"`     // claude-agent-acp
	CacheWrite  dialect.Number `json:"cacheWriteInputTokens"` // codex-acp
	Output      dialect.Number `json:"outputTokens"`
	Reasoning   dialect.Number `json:"reasoningOutputTokens"`
}
