package kiro

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// CommandsAvailable is the params of _kiro.dev/commands/available. It is the v2
// engine's available_commands_update.
type CommandsAvailable struct {
	SessionID  string      `json:"sessionId"`
	Commands   []Command   `json:"commands"`
	Prompts    []Prompt    `json:"prompts"`
	Tools      []Tool      `json:"tools"`
	MCPServers []MCPServer `json:"mcpServers"`
}

// Command is a slash command; its name has the slash.
type Command struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Meta        json.RawMessage `json:"meta"`
}

// Prompt is a prompt of an MCP server.
type Prompt struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Arguments   json.RawMessage `json:"arguments"`
	ServerName  string          `json:"serverName"`
}

// Tool is a tool of the agent.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"`
}

// MCPServer is the state of an MCP server.
type MCPServer struct {
	Name      string         `json:"name"`
	Status    string         `json:"status"`
	ToolCount dialect.Number `json:"toolCount"`
}

// Metadata is the params of _kiro.dev/metadata: usually twice a turn, before the
// prompt's answer, and for a subagent's session too.
type Metadata struct {
	SessionID              string         `json:"sessionId"`
	ContextUsagePercentage dialect.Number `json:"contextUsagePercentage"`
	MeteringUsage          []Metering     `json:"meteringUsage"`
	TurnDurationMs         dialect.Number `json:"turnDurationMs"`
	Effort                 string         `json:"effort"`
	Refusal                *Refusal       `json:"refusal"`
	StopReason             string         `json:"stopReason"` // CONTENT_FILTERED
}

// Metering is what a turn has cost, in the vendor's unit.
type Metering struct {
	Value      dialect.Number `json:"value"` // v2
	Usage      dialect.Number `json:"usage"` // V3
	Unit       string         `json:"unit"`
	UnitPlural string         `json:"unitPlural"`
}

// Refusal says why the model would not answer.
type Refusal struct {
	Category         string `json:"category"`
	Explanation      string `json:"explanation"`
	RecommendedModel string `json:"recommendedModel"`
}

// Compaction is the params of _kiro.dev/compaction/status.
type Compaction struct {
	SessionID string `json:"sessionId"`
	Status    Status `json:"status"` // started, completed, failed, unsummarized_dropped
	Summary   string `json:"summary"`
}

// AgentSwitched is the params of _kiro.dev/agent/switched.
type AgentSwitched struct {
	SessionID         string `json:"sessionId"`
	AgentName         string `json:"agentName"`
	PreviousAgentName string `json:"previousAgentName"`
	WelcomeMessage    string `json:"welcomeMessage"`
	Model             string `json:"model"`
}

// NotFound says what was asked for and what is used instead, an agent or a
// model.
type NotFound struct {
	SessionID      string `json:"sessionId"`
	RequestedAgent string `json:"requestedAgent"`
	FallbackAgent  string `json:"fallbackAgent"`
	RequestedModel string `json:"requestedModel"`
	FallbackModel  string `json:"fallbackModel"`
}

// ConfigError says that an agent's file could not be used.
type ConfigError struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
	Error     string `json:"error"`
}

// ServerReport is about one MCP server.
type ServerReport struct {
	SessionID  string `json:"sessionId"`
	ServerName string `json:"serverName"`
	Error      string `json:"error"`
	OAuthURL   string `json:"oauthUrl"`
}

// GovernanceDisabled says that an organisation's policy turned something off.
type GovernanceDisabled struct {
	SessionID  string `json:"sessionId"`
	APIFailure bool   `json:"apiFailure"` // the policy could not be read
}

// RateLimit is the params of error/rate_limit, of both engines. The session may
// be a subagent's.
type RateLimit struct {
	SessionID string `json:"sessionId"`
	Message   string `json:"message"`
}

// Inbox is the params of _kiro.dev/session/inbox_notification.
type Inbox struct {
	SessionID       string         `json:"sessionId"`
	SessionName     string         `json:"sessionName"`
	MessageCount    dialect.Number `json:"messageCount"` // a running total
	EscalationCount dialect.Number `json:"escalationCount"`
	Senders         []string       `json:"senders"`
}

// Activity is the params of _kiro.dev/session/activity.
type Activity struct {
	SessionID string          `json:"sessionId"`
	Event     json.RawMessage `json:"event"`
}

// Sessions is the params of _kiro.dev/session/list_update.
type Sessions struct {
	Sessions []json.RawMessage `json:"sessions"`
}

// Goal is the params of _kiro.dev/goal/status. It has no session.
type Goal struct {
	State         string         `json:"state"`
	Iteration     dialect.Number `json:"iteration"`
	MaxIterations dialect.Number `json:"maxIterations"`
	ElapsedSecs   dialect.Number `json:"elapsedSecs"`
	Message       string         `json:"message"`
}

// Retry tells of a request to the model that is made again.
type Retry struct {
	SessionID   string         `json:"sessionId"`
	Attempt     dialect.Number `json:"attempt"`
	MaxAttempts dialect.Number `json:"maxAttempts"`
	DelaySecs   dialect.Number `json:"delaySecs"`
	Message     string         `json:"message"`
}
