package opencode

// rawInput is that of the call that spawns a subagent.
type rawInput struct {
	Description  string `json:"description"`
	Prompt       string `json:"prompt"`
	SubagentType string `json:"subagent_type"`
}

// todoInput is that of the call that writes the todo list, whole each time.
type todoInput struct {
	Todos []struct {
		Content  string `json:"content"`
		Status   string `json:"status"` // pending, in_progress, completed, cancelled
		Priority string `json:"priority"`
	} `json:"todos"`
}

// rawOutput is that of the call that spawned a subagent, at its end.
type rawOutput struct {
	Output   string `json:"output"`
	Error    string `json:"error"`
	Metadata struct {
		SessionID       string `json:"sessionId"` // the child's
		ParentSessionID string `json:"parentSessionId"`
		Model           struct {
			ProviderID string `json:"providerID"`
			ModelID    string `json:"modelID"`
		} `json:"model"`
		Background bool `json:"background"`
	} `json:"metadata"`
}
