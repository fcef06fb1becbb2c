package kiro_test

import (
	"encoding/json"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/kiro"
)

func list(members ...dialect.Member) []dialect.Finding {
	return found(dialect.Link{}, dialect.SubagentList{Members: members})
}

var v2Cases = []dialecttest.Case{
	{
		Name:   "subagent list",
		Method: "_kiro.dev/subagent/list_update",
		Params: `{"subagents":[{"sessionId":"C","sessionName":"rev","agentName":"kiro_default","initialQuery":"review","status":{"type":"working"},"group":"default","role":null,"dependsOn":[]}],"pendingStages":[]}`,
		Findings: list(dialect.Member{
			Link: dialect.Link{ChildSessionID: "C"},
			Patch: dialect.SubagentPatch{
				Title: dialect.Set("rev"), AgentType: dialect.Set("kiro_default"), Prompt: dialect.Set("review"),
				Activity: dialect.Set(dialect.ActivityRunning),
			},
		}),
	},
	{
		Name:   "subagent list of every status, without the underscore",
		Method: "kiro.dev/subagent/list_update",
		Params: `{"subagents":[{"sessionId":"A","name":"a","role":"judge","status":{"type":"awaitingInstruction","message":"waiting"},"hasLoop":true,"loopIteration":1,"loopMaxIterations":3},{"sessionId":"B","status":{"type":"terminated"}},{"sessionId":"C","status":"working"},{"sessionId":"D","status":{"type":"dreaming"}},{"sessionId":"E"}],"pendingStages":[{"name":"later","dependsOn":["a"]}]}`,
		Findings: list(
			dialect.Member{
				Link:  dialect.Link{ChildSessionID: "A", AgentID: "a"},
				Patch: dialect.SubagentPatch{Description: dialect.Set("judge"), Activity: dialect.Set(dialect.ActivityIdle)},
			},
			dialect.Member{
				Link:  dialect.Link{ChildSessionID: "B"},
				Patch: dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentUnknown)},
			},
			dialect.Member{Link: dialect.Link{ChildSessionID: "C"}, Patch: dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}},
			dialect.Member{Link: dialect.Link{ChildSessionID: "D"}, Patch: dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityUnknown)}},
			dialect.Member{Link: dialect.Link{ChildSessionID: "E"}},
		),
	},
	{Name: "an empty subagent list", Method: "_kiro.dev/subagent/list_update", Params: `{"subagents":[],"pendingStages":[]}`, Findings: list()},
	{Name: "a subagent list without the list", Method: "_kiro.dev/subagent/list_update", Params: `{"pendingStages":[]}`, Refused: "subagents"},
	{Name: "a subagent list that is null", Method: "_kiro.dev/subagent/list_update", Params: `{"subagents":null}`, Refused: "subagents"},
	{Name: "a subagent list that is a word", Method: "_kiro.dev/subagent/list_update", Params: `{"subagents":"none"}`, Refused: "subagents"},
	{Name: "a subagent list with an entry without an id", Method: "_kiro.dev/subagent/list_update", Params: `{"subagents":[{"sessionId":"C"},{"sessionName":"x"}]}`, Refused: "sessionId"},
	{Name: "no params for a subagent list", Method: "_kiro.dev/subagent/list_update", Refused: "subagents"},

	{
		Name:   "metadata",
		Method: "_kiro.dev/metadata",
		Params: `{"sessionId":"S","contextUsagePercentage":7.1,"meteringUsage":[{"value":0.018,"unit":"credit","unitPlural":"credits"}],"turnDurationMs":1900}`,
		Findings: found(s1, dialect.Usage{
			ContextPercent: 7.1, Costs: []dialect.Cost{{Amount: 0.018, Unit: "credits"}}, Duration: 1900 * time.Millisecond,
		}),
	},
	{
		Name:     "metadata of an empty context",
		Method:   "_kiro.dev/metadata",
		Params:   `{"sessionId":"S","contextUsagePercentage":0,"effort":null}`,
		Findings: found(s1, dialect.Usage{}),
	},
	{
		Name:     "metadata with nothing in it",
		Method:   "_kiro.dev/metadata",
		Params:   `{"sessionId":"S"}`,
		Findings: other(s1, kiro.Metadata{SessionID: "S"}),
	},
	{
		Name:     "metadata whose refusal is none",
		Method:   "_kiro.dev/metadata",
		Params:   `{"sessionId":"S","contextUsagePercentage":3,"refusal":false}`,
		Soft:     true,
		Findings: found(s1, dialect.Usage{ContextPercent: 3}),
	},
	{
		Name:     "metadata under another name",
		Method:   "kiro/metadata",
		Params:   `{"sessionId":"S","contextUsagePercentage":"12"}`,
		Findings: found(s1, dialect.Usage{ContextPercent: 12}),
	},
	{
		Name:   "metadata of a refusal",
		Method: "_kiro.dev/metadata",
		Params: `{"sessionId":"S","refusal":{"category":"policy","explanation":"I will\nnot","recommendedModel":"auto"},"stopReason":"CONTENT_FILTERED"}`,
		Findings: found(s1,
			dialect.Notice{Kind: dialect.NoticeWarning, Message: "The model refused: I will not, policy (recommended: auto)"},
			dialect.Notice{Kind: dialect.NoticeWarning, Message: "The answer was filtered"}),
	},
	{
		Name:   "commands",
		Method: "_kiro.dev/commands/available",
		Params: `{"sessionId":"S","commands":[{"name":"/agent","description":"Switch agent","meta":{"optionsMethod":"_kiro.dev/commands/agent/options","inputType":"selection"}}],"prompts":[],"tools":[],"mcpServers":[{"name":"gh","status":"running","toolCount":3}]}`,
		Findings: other(s1, kiro.CommandsAvailable{
			SessionID:  "S",
			Commands:   []kiro.Command{{Name: "/agent", Description: "Switch agent", Meta: text(`{"optionsMethod":"_kiro.dev/commands/agent/options","inputType":"selection"}`)}},
			Prompts:    []kiro.Prompt{},
			Tools:      []kiro.Tool{},
			MCPServers: []kiro.MCPServer{{Name: "gh", Status: "running", ToolCount: number(3)}},
		}),
	},
	{
		Name:     "compaction started",
		Method:   "_kiro.dev/compaction/status",
		Params:   `{"sessionId":"S","status":{"type":"started"},"summary":null}`,
		Findings: notice(s1, dialect.NoticeCompaction, "Compacting the conversation"),
	},
	{
		Name:     "compaction completed",
		Method:   "_kiro.dev/compaction/status",
		Params:   `{"sessionId":"S","status":{"type":"completed"},"summary":"So far"}`,
		Findings: found(s1, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation was compacted", Detail: "So far"}),
	},
	{
		Name:     "compaction failed",
		Method:   "_kiro.dev/compaction/status",
		Params:   `{"sessionId":"S","status":{"type":"failed","error":"too long"}}`,
		Findings: notice(s1, dialect.NoticeCompaction, "Compacting failed: too long"),
	},
	{
		Name:     "compaction by dropping",
		Method:   "_kiro.dev/compaction/status",
		Params:   `{"sessionId":"S","status":{"type":"unsummarized_dropped"}}`,
		Findings: notice(s1, dialect.NoticeCompaction, "Old messages were dropped without a summary"),
	},
	{
		Name:     "compaction in a new word",
		Method:   "_kiro.dev/compaction/status",
		Params:   `{"sessionId":"S","status":"postponed"}`,
		Findings: notice(s1, dialect.NoticeCompaction, "Compaction: postponed"),
	},
	{
		Name:     "conversation cleared",
		Method:   "_kiro.dev/clear/status",
		Params:   `{"sessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeInfo, "The conversation was cleared"),
	},
	{
		Name:     "agent switched",
		Method:   "_kiro.dev/agent/switched",
		Params:   `{"sessionId":"S","agentName":"planner","previousAgentName":"kiro_default","welcomeMessage":null,"model":"auto"}`,
		Findings: notice(s1, dialect.NoticeMode, "The agent was switched: planner"),
	},
	{
		Name:     "agent not found",
		Method:   "_kiro.dev/agent/not_found",
		Params:   `{"requestedAgent":"x","fallbackAgent":"kiro_default"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeWarning, "There is no such agent: x, using kiro_default"),
	},
	{
		Name:     "agent config error",
		Method:   "_kiro.dev/agent/config_error",
		Params:   `{"path":"/a.json","error":"bad\njson"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeError, "An agent's configuration cannot be used: /a.json, bad json"),
	},
	{
		Name:     "model not found",
		Method:   "_kiro.dev/model/not_found",
		Params:   `{"requestedModel":"x"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeModel, "There is no such model: x"),
	},
	{
		Name:     "MCP server up",
		Method:   "_kiro.dev/mcp/server_initialized",
		Params:   `{"sessionId":"S","serverName":"gh"}`,
		Findings: notice(s1, dialect.NoticeMCP, "MCP server is ready: gh"),
	},
	{
		Name:     "MCP server failed",
		Method:   "_kiro.dev/mcp/server_init_failure",
		Params:   `{"serverName":"gh","error":"spawn"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeMCP, "MCP server failed to start: gh, spawn"),
	},
	{
		Name:     "MCP sign-in",
		Method:   "_kiro.dev/mcp/oauth_request",
		Params:   `{"serverName":"gh","oauthUrl":"https://example.invalid/x"}`,
		Findings: found(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeSignIn, Message: "An MCP server needs a sign-in: gh", URL: "https://example.invalid/x"}),
	},
	{
		Name:     "MCP turned off",
		Method:   "_kiro.dev/mcp/governance_disabled",
		Params:   `{"apiFailure":true}`,
		Findings: notice(dialect.Link{}, dialect.NoticeMCP, "MCP is turned off by your organisation: its policy could not be read"),
	},
	{
		Name:     "web tools turned off",
		Method:   "_kiro.dev/webTools/governance_disabled",
		Params:   `{}`,
		Findings: notice(dialect.Link{}, dialect.NoticeWarning, "Web tools are turned off by your organisation"),
	},
	{
		Name:     "rate limit of a subagent's session",
		Method:   "_kiro.dev/error/rate_limit",
		Params:   `{"sessionId":"C","message":"slow down"}`,
		Findings: notice(dialect.Link{SessionID: "C"}, dialect.NoticeRateLimit, "Rate limit: slow down"),
	},
	{
		Name:     "inbox",
		Method:   "_kiro.dev/session/inbox_notification",
		Params:   `{"sessionId":"S","sessionName":"main","messageCount":1,"escalationCount":0,"senders":["subagent"]}`,
		Findings: notice(s1, dialect.NoticeInfo, "Inbox: 1 message for main"),
	},
	{
		Name:     "inbox with escalations",
		Method:   "_kiro.dev/session/inbox_notification",
		Params:   `{"sessionId":"S","messageCount":3,"escalationCount":2,"senders":[]}`,
		Findings: notice(s1, dialect.NoticeInfo, "Inbox: 3 messages and 2 escalations"),
	},
	{
		Name:     "session activity",
		Method:   "_kiro.dev/session/activity",
		Params:   `{"sessionId":"S","event":"typing"}`,
		Findings: other(s1, kiro.Activity{SessionID: "S", Event: text(`"typing"`)}),
	},
	{
		Name:     "session list",
		Method:   "_kiro.dev/session/list_update",
		Params:   `{"sessions":[{"sessionId":"S"}]}`,
		Findings: other(connected, kiro.Sessions{Sessions: []json.RawMessage{text(`{"sessionId":"S"}`)}}),
	},
	{
		Name:     "retry",
		Method:   "_kiro.dev/session/retry",
		Params:   `{"sessionId":"S","attempt":1,"maxAttempts":3,"message":"busy"}`,
		Findings: notice(s1, dialect.NoticeRetry, "Retrying, attempt 1 of 3: busy"),
	},
	{
		Name:     "goal",
		Method:   "_kiro.dev/goal/status",
		Params:   `{"state":"running","iteration":2,"maxIterations":5,"elapsedSecs":60,"message":"halfway"}`,
		Findings: found(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeInfo, Message: "Goal: running, iteration 2 of 5", Detail: "halfway"}),
	},
}

// updated makes the case of an update in _kiro.dev/session/update.
func updated(name, update string, findings []dialect.Finding) dialecttest.Case {
	return dialecttest.Case{
		Name: name, Method: "_kiro.dev/session/update",
		Params: `{"sessionId":"S","update":` + update + `}`, Findings: findings,
	}
}

func unmapped(kind string, value any) []dialect.Finding {
	return other(s1, kiro.Update{SessionID: "S", Kind: kind, Update: value})
}

var v2UpdateCases = []dialecttest.Case{
	updated("tool call chunk does not wait for its call",
		`{"sessionUpdate":"tool_call_chunk","toolCallId":"tooluse_1","title":"shell","kind":"execute"}`,
		unmapped("tool_call_chunk", kiro.ToolCallChunk{ToolCallID: "tooluse_1", Title: "shell", Kind: "execute"})),
	updated("retry warning",
		`{"sessionUpdate":"retry_warning","attempt":2,"maxAttempts":3,"delaySecs":4,"message":"busy"}`,
		notice(s1, dialect.NoticeRetry, "Retrying, attempt 2 of 3, in 4 s: busy")),
	updated("stall", `{"sessionUpdate":"stream_stall_notice","message":"no data for 60 s"}`,
		notice(s1, dialect.NoticeWarning, "The answer has stalled: no data for 60 s")),
	updated("discarded", `{"sessionUpdate":"stream_discarded"}`,
		notice(s1, dialect.NoticeRetry, "The answer shown so far is discarded and will be sent again")),
	updated("steering queued", `{"sessionUpdate":"steering_queued","message":"use tabs"}`,
		unmapped("steering_queued", kiro.Steering{Message: "use tabs"})),
	updated("steering consumed", `{"sessionUpdate":"steering_consumed","content":"use tabs"}`,
		unmapped("steering_consumed", kiro.Steering{Content: "use tabs"})),
	updated("steering cleared", `{"sessionUpdate":"steering_cleared"}`,
		unmapped("steering_cleared", kiro.Steering{})),
	updated("message queued", `{"sessionUpdate":"AgentExecutionUserMessageQueued","content":"use tabs","messageId":"m1"}`,
		unmapped("AgentExecutionUserMessageQueued", kiro.Steering{Content: "use tabs", MessageID: "m1"})),
	updated("steering injected", `{"sessionUpdate":"AgentExecutionSteeringInjected","content":"use tabs","messageId":"m1"}`,
		unmapped("AgentExecutionSteeringInjected", kiro.Steering{Content: "use tabs", MessageID: "m1"})),
	updated("message cleared", `{"sessionUpdate":"AgentExecutionUserMessageCleared","messageIds":["m1"]}`,
		unmapped("AgentExecutionUserMessageCleared", kiro.Steering{MessageIDs: []string{"m1"}})),
	updated("a kind from next year", `{"sessionUpdate":"dreaming","x":1}`,
		unmapped("dreaming", text(`{"sessionUpdate":"dreaming","x":1}`))),
	{Name: "no update", Method: "_kiro.dev/session/update", Params: `{"sessionId":"S"}`, Refused: "update"},
	{Name: "an update that is no object", Method: "_kiro.dev/session/update", Params: `{"sessionId":"S","update":[]}`, Refused: "update"},
	{
		Name:     "an update with a field of another type",
		Method:   "_kiro.dev/session/update",
		Params:   `{"sessionId":"S","update":{"sessionUpdate":"tool_call_chunk","toolCallId":7,"title":"shell"}}`,
		Soft:     true,
		Findings: unmapped("tool_call_chunk", kiro.ToolCallChunk{Title: "shell"}),
	},
}
