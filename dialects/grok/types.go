package grok

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// AskUserQuestion is the params of _x.ai/ask_user_question.
type AskUserQuestion struct {
	SessionID  string     `json:"sessionId"`
	ToolCallID string     `json:"toolCallId"`
	Questions  []Question `json:"questions"`
	Mode       string     `json:"mode"` // "default" or "plan"
}

// Question is one question of [AskUserQuestion].
type Question struct {
	ID          string   `json:"id"`
	Question    string   `json:"question"`
	Options     []Option `json:"options"`
	MultiSelect bool     `json:"multiSelect"` // null means false
}

// Option is one answer to pick.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Preview     string `json:"preview"`
}

// Answers is the result of _x.ai/ask_user_question. Every map is keyed by the
// question's text.
type Answers struct {
	Outcome     string                `json:"outcome"`
	Answers     map[string]Labels     `json:"answers,omitzero"` // never nil with "accepted"
	Annotations map[string]Annotation `json:"annotations,omitzero"`
	// PartialAnswers go with "chat_about_this" and "skip_interview".
	PartialAnswers map[string]string `json:"partial_answers,omitzero"`
}

// Labels are the picked labels of one question. The agent takes one label in
// place of a list.
type Labels []string

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (l *Labels) UnmarshalJSON(raw []byte) error {
	*l = nil
	if one := rawjson.String(raw); one != "" || bytes.Equal(raw, []byte(`""`)) {
		*l = Labels{one}
		return nil
	}
	var all []string
	if json.Unmarshal(raw, &all) == nil {
		*l = all
	}
	return nil
}

// Annotation is what goes with a question's answer.
type Annotation struct {
	Preview string `json:"preview,omitzero"` // of the picked option, of a single choice
	Notes   string `json:"notes,omitzero"`   // the user's own words
}

// ExitPlanMode is the params of _x.ai/exit_plan_mode.
type ExitPlanMode struct {
	SessionID   string  `json:"sessionId"`
	ToolCallID  string  `json:"toolCallId"`
	PlanContent *string `json:"planContent"` // Markdown; nil where the agent has no plan file
}

// PlanDecision is the result of _x.ai/exit_plan_mode.
type PlanDecision struct {
	Outcome  string `json:"outcome"` // "approved", "cancelled" or "abandoned"
	Feedback string `json:"feedback,omitzero"`
}

// FolderTrust is the params of _x.ai/folder_trust/request.
type FolderTrust struct {
	SessionID   string   `json:"sessionId"`
	CWD         string   `json:"cwd"`
	Workspace   string   `json:"workspace"`   // what trust is given to
	ConfigKinds []string `json:"configKinds"` // "mcp", "hooks", "lsp": what the folder would run
}

// FolderTrustDecision is the result of _x.ai/folder_trust/request.
type FolderTrustDecision struct {
	Outcome string `json:"outcome"` // "trust"; anything else is "reject"
}

// HookRun is the params of _x.ai/hooks/run: the payload of the hook's event,
// flat, and which of the client's hooks is meant.
type HookRun struct {
	SessionID      string          `json:"sessionId"`
	HookCallbackID string          `json:"hookCallbackId"`
	Payload        json.RawMessage `json:"-"` // the whole params
}

// HookDecision is the result of _x.ai/hooks/run. The zero one lets the agent go
// on.
type HookDecision struct {
	Decision          string `json:"decision,omitzero"` // "continue", "deny" or "block"
	Reason            string `json:"reason,omitzero"`
	SystemMessage     string `json:"systemMessage,omitzero"`
	Continue          *bool  `json:"continue,omitzero"`
	StopReason        string `json:"stopReason,omitzero"`
	AdditionalContext string `json:"additionalContext,omitzero"`
}

// SDKCall is the params of _x.ai/mcp/sdk_call: a message for an MCP server that
// the client itself is.
type SDKCall struct {
	ServerID string          `json:"serverId"`
	Message  json.RawMessage `json:"message"` // MCP JSON-RPC
}
