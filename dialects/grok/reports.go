package grok

import (
	"encoding/json"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
)

// PromptComplete marks the end of a turn, before the answer to the prompt. In
// some builds that answer never comes. Ids of other clients' prompts and of
// turns the agent starts itself ("task-completed-...", "plan-resume-...") occur.
type PromptComplete struct {
	SessionID            string `json:"sessionId"`
	PromptID             string `json:"promptId"`
	StopReason           string `json:"stopReason"` // also words that ACP has not: rate_limit
	TurnID               string `json:"turnId"`
	CancelTrigger        string `json:"cancelTrigger"`
	CancellationCategory string `json:"cancellationCategory"`
}

// ModelsUpdate is the ACP model state. It speaks of the agent, not of a session.
type ModelsUpdate struct {
	CurrentModelID  string  `json:"currentModelId"`
	AvailableModels []Model `json:"availableModels"`
}

// Model is a model to choose.
type Model struct {
	ModelID     string          `json:"modelId"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Meta        json.RawMessage `json:"_meta"`
}

// QueueChanged is the whole queue of prompts.
type QueueChanged struct {
	SessionID       string          `json:"sessionId"`
	Entries         []QueueEntry    `json:"entries"`
	RunningPromptID string          `json:"runningPromptId"`
	RunningText     string          `json:"runningText"`
	RunningKind     string          `json:"runningKind"`
	RunningCombined json.RawMessage `json:"runningCombinedTexts"`
}

// QueueEntry is a prompt that waits.
type QueueEntry struct {
	ID         string          `json:"id"`
	Version    dialect.Number  `json:"version"`
	Owner      string          `json:"owner"`
	LastEditor string          `json:"lastEditor"`
	Kind       string          `json:"kind"`
	Text       string          `json:"text"`
	Combined   json.RawMessage `json:"combinedTexts"`
	Position   dialect.Number  `json:"position"`
}

// Interjection is what a user said while a turn ran.
type Interjection struct {
	SessionID      string `json:"sessionId"`
	Text           string `json:"text"`
	InterjectionID string `json:"interjectionId"`
}

// SessionsChanged tells which of the agent's sessions are new or other, and
// which are gone.
type SessionsChanged struct {
	Upserted []SessionEntry    `json:"upserted"`
	Removed  []json.RawMessage `json:"removed"`
}

// SessionEntry is one session of [SessionsChanged].
type SessionEntry struct {
	SessionID        string         `json:"sessionId"`
	Title            string         `json:"title"`
	CWD              string         `json:"cwd"`
	IsWorktree       bool           `json:"isWorktree"`
	ModelID          string         `json:"modelId"`
	ReasoningEffort  string         `json:"reasoningEffort"`
	YOLO             bool           `json:"yolo"`
	Activity         string         `json:"activity"`
	LastTurnSummary  string         `json:"lastTurnSummary"`
	Resident         bool           `json:"resident"`
	LastChangeUnixMs dialect.Number `json:"lastChangeUnixMs"`
	Origin           Origin         `json:"origin"`
}

// Origin says where a session was begun.
type Origin struct {
	Kind string `json:"kind"`
	Host string `json:"host"`
}

// InjectPrompt asks the client to send a scheduled prompt, as its own. Only one
// client gets it.
type InjectPrompt struct {
	SessionID     string          `json:"sessionId"`
	TaskID        string          `json:"taskId"`
	Prompt        string          `json:"prompt"`
	HumanSchedule string          `json:"humanSchedule"`
	NextFireAt    json.RawMessage `json:"nextFireAt"`
}

// MCPInitialized says that the session's MCP servers are up.
type MCPInitialized struct {
	SessionID    string         `json:"sessionId"`
	MCPToolCount dialect.Number `json:"mcpToolCount"`
	ElapsedMs    dialect.Number `json:"elapsedMs"`
}

// MCPInitProgress counts the MCP servers that are up.
type MCPInitProgress struct {
	SessionID string         `json:"sessionId"`
	Total     dialect.Number `json:"total"`
	Connected dialect.Number `json:"connected"`
}

// MCPServerStatus is the state of one MCP server.
type MCPServerStatus struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	Source    string `json:"source"`
	Status    string `json:"status"` // ready, initializing, unavailable, needsauth
	Reason    string `json:"reason"`
	Detail    string `json:"detail"`
}

// MCPServers is the list of MCP servers, by name alone: the rest of it may hold
// credentials.
type MCPServers struct {
	SessionID string      `json:"sessionId"`
	Servers   []MCPServer `json:"mcpServers"`
}

// MCPServer is one entry of [MCPServers].
type MCPServer struct {
	Name string `json:"name"`
}

// Unread is a report that is known by name.
type Unread struct {
	SessionID string `json:"sessionId"`
}

func reports() []dialect.Method {
	connection := dialect.Link{Connection: true}
	all := []dialect.Method{
		report("_x.ai/session/prompt_complete", "the end of a turn, before the prompt's answer", fromCapture, func(p PromptComplete) []dialect.Finding {
			return []dialect.Finding{{Link: inSession(p.SessionID), Event: dialect.TurnMark{ID: p.PromptID, StopReason: p.StopReason}}}
		}),
		report("_x.ai/models/update", "the models to choose, and the current one", fromCapture, func(p ModelsUpdate) []dialect.Finding {
			return other(connection, p)
		}),
		report("_x.ai/queue/changed", "the prompts that wait", fromSource, func(p QueueChanged) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}),
		report("_x.ai/session/interjection", "what a user said while a turn ran", fromSource, func(p Interjection) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}),
		report("_x.ai/sessions/changed", "sessions of the agent that came, changed or went", fromSource, func(p SessionsChanged) []dialect.Finding {
			return other(connection, p)
		}),
		report("_x.ai/scheduled_task_inject_prompt", "a scheduled prompt that the client is to send", fromSource, func(p InjectPrompt) []dialect.Finding {
			return []dialect.Finding{{Link: inSession(p.SessionID), Event: dialect.Notice{
				Kind: dialect.NoticeBackground, Message: dialect.OneLine("A scheduled prompt is to be sent", p.HumanSchedule), Detail: p.Prompt,
			}}}
		}),
		report("_x.ai/mcp_initialized", "the MCP servers are up", fromSource, func(p MCPInitialized) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeMCP, "MCP is ready with "+count(p.MCPToolCount, "tool"))
		}),
		report("_x.ai/mcp/init_progress", "how many MCP servers are up", fromSource, func(p MCPInitProgress) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeMCP, fmt.Sprintf("MCP servers: %d of %d connected", p.Connected.Int(), p.Total.Int()))
		}),
		report("_x.ai/mcp/server_status", "the state of an MCP server", fromSource, func(p MCPServerStatus) []dialect.Finding {
			if p.Status == "needsauth" {
				return notice(inSession(p.SessionID), dialect.NoticeSignIn, "An MCP server needs a sign-in", p.Name)
			}
			return notice(inSession(p.SessionID), dialect.NoticeMCP, "MCP server "+p.Name, p.Status, p.Reason, p.Detail)
		}),
		report("_x.ai/mcp/servers_updated", "the MCP servers, by name", fromClients, func(p MCPServers) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}),
	}
	for _, r := range []struct{ name, doc string }{
		{"mcp/tools_changed", "the tools of an MCP server changed"},
		{"announcements/update", "news for users"},
		{"settings/update", "settings of the agent"},
		{"git_head_changed", "another commit was checked out"},
		{"git/worktree/status", "the state of a worktree"},
		{"fs_notify", "files changed"},
		{"fs/index", "the file index"},
		{"fs/index/delta", "changes of the file index"},
		{"search/fuzzy/status", "the state of a file search"},
		{"follow_ups", "prompts that may come next"},
		{"session/updates/chunk", "a piece of a session's history"},
		{"terminal/pty/notification", "output of a terminal of the agent"},
		{"leader/version_mismatch", "the leader process has another version"},
		{"hooks/event", "something happened that a hook may observe"},
	} {
		all = append(all, report("_x.ai/"+r.name, r.doc, nameOnly, func(p Unread) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}))
	}
	return all
}
