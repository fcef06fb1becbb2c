package kiro

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// Governance is the params of _kiro/governance/state: what an organisation's
// policy leaves on.
type Governance struct {
	SessionID      string          `json:"sessionId"`
	IsEnterprise   bool            `json:"isEnterprise"`
	Features       map[string]bool `json:"features"`
	DisabledReason string          `json:"disabledReason"`
}

// MCPStatus is the params of _kiro/mcp/status.
type MCPStatus struct {
	SessionID string            `json:"sessionId"`
	Servers   []MCPServerStatus `json:"servers"`
}

// MCPServerStatus is one server of [MCPStatus].
type MCPServerStatus struct {
	Name   string `json:"name"`
	Status string `json:"status"` // connecting, connected, failed, disabled
	Error  string `json:"error"`
}

// SessionsChanged is the params of _kiro/sessions/changed. It speaks of the
// agent's sessions, whoever opened them.
type SessionsChanged struct {
	Upserted []SessionEntry    `json:"upserted"`
	Deleted  []json.RawMessage `json:"deleted"`
}

// SessionEntry is one session of [SessionsChanged]; fields that did not change
// may be missing.
type SessionEntry struct {
	SessionID string `json:"sessionId"`
	Source    string `json:"source"`
	CWD       string `json:"cwd"`
	Title     string `json:"title"`
	UpdatedAt string `json:"updatedAt"`
	Status    string `json:"status"`
}

// SessionNotify is the params of _kiro/session/notify: what one session has to
// say to another.
type SessionNotify struct {
	SessionID       string `json:"sessionId"` // the receiver
	CallerSessionID string `json:"callerSessionId"`
	Message         string `json:"message"`
	Severity        string `json:"severity"` // success, warning, fault
	WorkflowID      string `json:"workflowId"`
	NodeID          string `json:"nodeId"`
	AgentName       string `json:"agentName"`
}

// SystemNotify is the params of _kiro/system/notify.
type SystemNotify struct {
	SessionID string `json:"sessionId"`
	Level     string `json:"level"`
	Message   string `json:"message"`
}

// Sandbox is the params of _kiro/sandbox/status.
type Sandbox struct {
	SessionID    string `json:"sessionId"`
	Status       string `json:"status"` // active, disabled, unavailable
	Backend      string `json:"backend"`
	NetworkMode  string `json:"networkMode"`
	MCPSandboxed bool   `json:"mcpSandboxed"`
	Reason       string `json:"reason"`
}

// ContentChunk is the params of _kiro/tools/content_chunk: output of a tool call
// that is still running.
type ContentChunk struct {
	SessionID  string          `json:"sessionId"`
	ToolCallID string          `json:"toolCallId"`
	Content    json.RawMessage `json:"content"`
}

func v3Reports() []dialect.Method {
	return []dialect.Method{
		report("_kiro/governance/state", "what an organisation's policy leaves on", typesSeen, func(p Governance) []dialect.Finding {
			if dialect.OneLine(p.DisabledReason) == "" {
				return other(inSession(p.SessionID), p)
			}
			return notice(inSession(p.SessionID), dialect.NoticeWarning, "Turned off by your organisation", p.DisabledReason)
		}),
		report("_kiro/mcp/status", "the state of the MCP servers", typesSeen, MCPStatus.findings),
		unread("_kiro/powers/items_changed", "the powers there are", typesSeen),
		unread("_kiro/progressive_context/items_changed", "skills and steering files there are", typesSeen),
		unread("_kiro/steering/documents_changed", "steering documents, with their whole text", typesSeen),
		unread("_kiro/tools/didChange", "the tools there are, by tag", typesSeen),
		report("_kiro/sessions/changed", "sessions of the agent that came, changed or went", typesSeen, func(p SessionsChanged) []dialect.Finding {
			return other(dialect.Link{Connection: true}, p)
		}),
		report("_kiro/session/notify", "what one session has to say to another", typesSeen, func(p SessionNotify) []dialect.Finding {
			what := p.Message
			if a := dialect.OneLine(p.AgentName); a != "" {
				what = a + ": " + what
			}
			if dialect.OneLine(p.Message) == "" {
				return other(inSession(p.SessionID), p)
			}
			return notice(inSession(p.SessionID), level(p.Severity), what)
		}),
		report("_kiro/system/notify", "a message to the user", typesOnly, func(p SystemNotify) []dialect.Finding {
			if dialect.OneLine(p.Message) == "" {
				return other(inSession(p.SessionID), p)
			}
			return notice(inSession(p.SessionID), level(p.Level), p.Message)
		}),
		report("_kiro/error/rate_limit", "the account's limit is reached", typesOnly, rateLimit),
		report("_kiro/customAgent/not_found", "the agent asked for does not exist", typesOnly, agentNotFound),
		report("_kiro/customAgent/config_error", "an agent's file cannot be used", typesOnly, configError),
		report("_kiro/mcp/governance_disabled", "a policy turned MCP off", typesOnly, mcpDisabled),
		report("_kiro/sandbox/status", "whether commands run in isolation", typesOnly, func(p Sandbox) []dialect.Finding {
			if p.Status == "unavailable" {
				return notice(inSession(p.SessionID), dialect.NoticeWarning, "Commands run without isolation", p.Reason)
			}
			return notice(inSession(p.SessionID), dialect.NoticeInfo, "Sandbox", p.Status, p.Backend, p.Reason)
		}),
		report("_kiro/policy/error", "a permissions file cannot be read", typesOnly, func(p Unread) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeWarning, "A permissions file cannot be read")
		}),
		unread("_kiro/policy/changed", "a permissions file changed", typesOnly),
		unread("_kiro/hooks/cancel", "a hook that runs is no longer waited for", typesOnly),
		unread("_kiro/hooks/didChange", "the hooks there are", typesOnly),
		unread("_kiro/spec/taskStatusChanged", "a spec's task changed", typesOnly),
		unread("_kiro/code_references", "licensed code that the answer is like", typesOnly),
		unread("_kiro/safety/statusChanged", "the state of infrastructure safety", typesOnly),
		unread("_kiro/safety/propertiesChanged", "the properties that infrastructure safety watches", typesOnly),
		report("_kiro/tools/content_chunk", "output of a tool call that is still running", typesOnly, func(p ContentChunk) []dialect.Finding {
			// Not linked to the call: it need not wait for it.
			return other(inSession(p.SessionID), p)
		}),
	}
}

func (p MCPStatus) findings() []dialect.Finding {
	link := inSession(p.SessionID)
	if len(p.Servers) == 0 {
		return other(link, p)
	}
	numbers := map[string]int{}
	var failed []string
	for _, s := range p.Servers {
		numbers[s.Status]++
		if s.Status == "failed" {
			failed = append(failed, dialect.OneLine(s.Name, s.Error))
		}
	}
	var states []string
	for _, state := range []string{"connected", "connecting", "failed", "disabled"} {
		if n := numbers[state]; n > 0 {
			states = append(states, fmt.Sprintf("%d %s", n, state))
		}
	}
	return one(link, dialect.Notice{
		Kind: dialect.NoticeMCP, Message: dialect.OneLine("MCP servers", states...), Detail: strings.Join(failed, "\n"),
	})
}

// level maps the words of severity and level.
func level(word string) dialect.NoticeKind {
	switch strings.ToLower(word) {
	case "fault", "error", "fatal":
		return dialect.NoticeError
	case "warning", "warn":
		return dialect.NoticeWarning
	}
	return dialect.NoticeInfo
}
