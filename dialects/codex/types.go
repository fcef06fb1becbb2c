package codex

import "encoding/json"

// SessionInfo is _meta.codex of a session_info_update, an event of its own.
type SessionInfo struct {
	ThreadStatus ThreadStatus `json:"threadStatus"`
	Archived     *bool        `json:"archived"` // nil: not said
}

// ThreadStatus is what a session's thread is doing.
type ThreadStatus struct {
	Type        string   `json:"type"`        // notLoaded, idle, active, systemError
	ActiveFlags []string `json:"activeFlags"` // of active: waitingOnApproval, waitingOnUserInput
}

// MCPCall says that a tool call is of an MCP server; an event of its own.
type MCPCall struct {
	Server string
	Tool   string
}

// MCPOutput is what an MCP call printed since its last update; an event of its
// own.
type MCPOutput struct {
	Data string `json:"data"`
}

// input is the rawInput of the calls that deal with threads, in both forms, and
// of an MCP call.
type input struct {
	Prompt    string                `json:"prompt"`
	Receivers []string              `json:"receiverThreadIds"`
	States    map[string]agentState `json:"agentsStates"`
	Model     string                `json:"model"`

	ThreadID string `json:"agentThreadId"`
	Path     string `json:"agentPath"`
	Activity string `json:"activityKind"`

	Server string `json:"server"`
	Tool   string `json:"tool"`
}

type agentState struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// callMeta is the _meta of a tool call.
type callMeta struct {
	Codex struct {
		Collaboration struct {
			Tool      string   `json:"tool"`
			Receivers []string `json:"receiverThreadIds"`
		} `json:"collaboration"`
		Subagent struct {
			ThreadID string `json:"threadId"`
			Path     string `json:"path"`
			Activity string `json:"activity"`
		} `json:"subagent"`
	} `json:"codex"`
	MCP      bool      `json:"is_mcp_tool_call"`
	MCPDelta MCPOutput `json:"mcp_output_delta"`
}

// child is a subagent_update, or the _subagent_update of version 2.
type child struct {
	SessionID   string          `json:"sessionId"`
	Description string          `json:"description"`
	Draft       string          `json:"subagentSessionId"`
	Name        string          `json:"name"`
	Task        string          `json:"task"`
	State       json.RawMessage `json:"state"`
}
