package claude

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// SDKMessage is the params of _claude/sdkMessage.
type SDKMessage struct {
	SessionID string  `json:"sessionId"`
	Message   Message `json:"message"`
}

// Message is a message of the Claude Agent SDK.
type Message struct {
	Type    string // system, assistant, user, result, stream_event, ...
	Subtype string
	Raw     json.RawMessage // the whole of it, as it came
}

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (m *Message) UnmarshalJSON(raw []byte) error {
	*m = Message{Raw: bytes.Clone(raw)}
	m.Type = rawjson.String(rawjson.Get(m.Raw, "type"))
	m.Subtype = rawjson.String(rawjson.Get(m.Raw, "subtype"))
	return nil
}

// MarshalJSON gives back what came.
func (m Message) MarshalJSON() ([]byte, error) {
	if len(m.Raw) > 0 {
		return m.Raw, nil
	}
	return []byte("null"), nil
}

// meta is _meta.claudeCode.
type meta struct {
	ToolName         string          `json:"toolName"`
	ParentToolUseID  string          `json:"parentToolUseId"`
	NonExecutionKind string          `json:"nonExecutionKind"`
	ToolResponse     json.RawMessage `json:"toolResponse"`

	Kind   string `json:"kind"` // of a text chunk: informational, mcpServerStatus
	Level  string `json:"level"`
	Server string `json:"server"`
	Status string `json:"status"`
}

// spawnInput is the rawInput of a spawning call.
type spawnInput struct {
	Description  string `json:"description"`
	Prompt       string `json:"prompt"`
	SubagentType string `json:"subagent_type"`
	Model        string `json:"model"` // an alias: "sonnet"
}

// spawnResponse is the toolResponse of a spawning call, in any of its forms.
type spawnResponse struct {
	Status        string         `json:"status"`
	AgentID       string         `json:"agentId"`
	TaskID        string         `json:"taskId"` // of a remote agent
	AgentType     string         `json:"agentType"`
	Description   string         `json:"description"`
	Prompt        string         `json:"prompt"`
	ResolvedModel string         `json:"resolvedModel"`
	ToolUses      dialect.Number `json:"totalToolUseCount"`
	DurationMS    dialect.Number `json:"totalDurationMs"`
	Tokens        dialect.Number `json:"totalTokens"`
	Content       []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	SubagentType string `json:"subagentType"` // of a heartbeat
}

// rateLimit is _meta["_claude/rateLimit"].
type rateLimit struct {
	Status   string         `json:"status"`        // allowed, allowed_warning or rejected
	Type     string         `json:"rateLimitType"` // five_hour, seven_day, ...
	ResetsAt dialect.Number `json:"resetsAt"`      // seconds since 1970
}
