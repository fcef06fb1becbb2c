package grok

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// Ids name a subagent. The vendor gives the child's session id for both of its
// own ids.
type Ids struct {
	SubagentID      string `json:"subagent_id"`
	ParentSessionID string `json:"parent_session_id"`
	ChildSessionID  string `json:"child_session_id"`
}

func (i Ids) ids() Ids { return i }

// link is that of the subagent. The parent is the session that the report came
// for, unless it names another.
func (i Ids) link(session string) dialect.Link {
	if i.ParentSessionID != "" {
		session = i.ParentSessionID
	}
	return dialect.Link{SessionID: session, ChildSessionID: i.ChildSessionID, AgentID: i.SubagentID}
}

// SubagentSpawned comes on the parent's session, before the child's own frames.
type SubagentSpawned struct {
	Ids
	ParentPromptID         string `json:"parent_prompt_id"`
	SubagentType           string `json:"subagent_type"`
	Description            string `json:"description"`
	EffectiveContextSource string `json:"effective_context_source"`
	CapabilityMode         string `json:"capability_mode"`
	Persona                string `json:"persona"`
	Role                   string `json:"role"`
	Model                  string `json:"model"`
	ResumedFrom            string `json:"resumed_from"`
	WorkflowRunID          string `json:"workflow_run_id"`
}

func (u SubagentSpawned) findings(session string) []dialect.Finding {
	return []dialect.Finding{{Link: u.link(session), Event: dialect.SubagentPatch{
		Title:       dialect.SetNonZero(u.Description),
		Description: dialect.SetNonZero(u.Role),
		AgentType:   dialect.SetNonZero(u.SubagentType),
		Model:       dialect.SetNonZero(u.Model),
		Activity:    dialect.Set(dialect.ActivityRunning),
	}}}
}

// SubagentProgress comes about every two seconds.
type SubagentProgress struct {
	Ids
	DurationMs          dialect.Number `json:"duration_ms"`
	TurnCount           dialect.Number `json:"turn_count"`
	ToolCallCount       dialect.Number `json:"tool_call_count"`
	TokensUsed          dialect.Number `json:"tokens_used"`
	ContextWindowTokens dialect.Number `json:"context_window_tokens"`
	ContextUsagePct     dialect.Number `json:"context_usage_pct"`
	ToolsUsed           []string       `json:"tools_used"`
	ErrorCount          dialect.Number `json:"error_count"`
}

func (u SubagentProgress) findings(session string) []dialect.Finding {
	return []dialect.Finding{{Link: u.link(session), Event: dialect.SubagentPatch{
		Activity:  dialect.Set(dialect.ActivityRunning),
		Duration:  dialect.SetNonZero(millis(u.DurationMs)),
		Tokens:    dialect.SetNonZero(u.TokensUsed.Int()),
		ToolCalls: dialect.SetNonZero(u.ToolCallCount.Int()),
	}}}
}

// SubagentFinished is the end of a subagent.
type SubagentFinished struct {
	Ids
	Status     string         `json:"status"` // completed, failed, cancelled
	Error      string         `json:"error"`
	ToolCalls  dialect.Number `json:"tool_calls"`
	Turns      dialect.Number `json:"turns"`
	DurationMs dialect.Number `json:"duration_ms"`
	TokensUsed dialect.Number `json:"tokens_used"`
	Output     string         `json:"output"`
	WillWake   bool           `json:"will_wake"` // the parent goes on because of it
}

func (u SubagentFinished) findings(session string) []dialect.Finding {
	outcome := dialect.SubagentUnknown
	switch s := dialect.SubagentOutcome(u.Status); s {
	case dialect.SubagentCompleted, dialect.SubagentFailed, dialect.SubagentCancelled:
		outcome = s
	}
	return []dialect.Finding{{Link: u.link(session), Event: dialect.SubagentPatch{
		Activity:  dialect.Set(dialect.ActivityEnded),
		Outcome:   dialect.Set(outcome),
		Error:     dialect.SetNonZero(u.Error),
		Summary:   dialect.SetNonZero(u.Output),
		Duration:  dialect.SetNonZero(millis(u.DurationMs)),
		Tokens:    dialect.SetNonZero(u.TokensUsed.Int()),
		ToolCalls: dialect.SetNonZero(u.ToolCalls.Int()),
	}}}
}

// subagent reads an update that must say which subagent it is about.
func subagent[U interface {
	update
	ids() Ids
}](raw json.RawMessage) (update, error) {
	u, err := dialect.Lenient[U](raw)
	if ids := u.ids(); dialect.Usable(err) && ids.SubagentID == "" && ids.ChildSessionID == "" {
		return u, dialect.MissingField("subagent_id")
	}
	return u, err
}
