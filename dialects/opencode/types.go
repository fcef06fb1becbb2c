package opencode

// rawInput is that of the call that spawns a subagent.
type rawInput struct {
	Description  string `json:"description"`
	Prompt       string `json:"prompt"`
	SubagentType string `json:"subagent_type"`
}

// rawOutput is that of the same call at its end.
type rawOutput struct {
	Output   string `json:"output"`
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
