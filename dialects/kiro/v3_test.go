package kiro_test

import (
	"encoding/json"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/kiro"
)

// unread makes the case of a report whose content is the host's to read.
func unread(name, params string) dialecttest.Case {
	return dialecttest.Case{Name: name, Method: name, Params: params, Findings: other(s1, kiro.Unread{SessionID: "S"})}
}

var v3Cases = []dialecttest.Case{
	{
		Name:     "governance",
		Method:   "_kiro/governance/state",
		Params:   `{"sessionId":"S","isEnterprise":false,"features":{"mcpEnabled":true,"webToolsEnabled":false}}`,
		Findings: other(s1, kiro.Governance{SessionID: "S", Features: map[string]bool{"mcpEnabled": true, "webToolsEnabled": false}}),
	},
	{
		Name:     "governance that turned something off",
		Method:   "_kiro/governance/state",
		Params:   `{"sessionId":"S","features":{},"disabledReason":"no MCP here"}`,
		Findings: notice(s1, dialect.NoticeWarning, "Turned off by your organisation: no MCP here"),
	},
	{
		Name:   "MCP servers",
		Method: "_kiro/mcp/status",
		Params: `{"sessionId":"S","servers":[{"name":"a","status":"connected"},{"name":"b","status":"failed","error":"spawn"},{"name":"c","status":"connected"},{"name":"d","status":"resting"}]}`,
		Findings: found(s1, dialect.Notice{
			Kind: dialect.NoticeMCP, Message: "MCP servers: 2 connected, 1 failed", Detail: "b: spawn",
		}),
	},
	{
		Name:     "no MCP servers",
		Method:   "_kiro/mcp/status",
		Params:   `{"sessionId":"S","servers":[]}`,
		Findings: other(s1, kiro.MCPStatus{SessionID: "S", Servers: []kiro.MCPServerStatus{}}),
	},
	unread("_kiro/powers/items_changed", `{"sessionId":"S","status":"success","powers":[]}`),
	unread("_kiro/progressive_context/items_changed", `{"sessionId":"S","status":"success","items":[]}`),
	unread("_kiro/steering/documents_changed", `{"sessionId":"S","status":"success","documents":[{"name":"n","content":"long"}]}`),
	unread("_kiro/tools/didChange", `{"sessionId":"S","tags":[{"source":"builtin","tag":"read","description":"d"}]}`),
	unread("_kiro/policy/changed", `{"sessionId":"S","status":"success"}`),
	unread("_kiro/hooks/cancel", `{"sessionId":"S","operationId":"o1"}`),
	unread("_kiro/hooks/didChange", `{"sessionId":"S","hooks":[]}`),
	unread("_kiro/spec/taskStatusChanged", `{"sessionId":"S"}`),
	unread("_kiro/code_references", `{"sessionId":"S","references":[]}`),
	unread("_kiro/safety/statusChanged", `{"sessionId":"S"}`),
	unread("_kiro/safety/propertiesChanged", `{"sessionId":"S"}`),
	{
		Name:   "sessions",
		Method: "_kiro/sessions/changed",
		Params: `{"upserted":[{"sessionId":"S","status":"in_progress","updatedAt":"2026-08-13T05:07:34Z"}],"deleted":["R"]}`,
		Findings: other(connected, kiro.SessionsChanged{
			Upserted: []kiro.SessionEntry{{SessionID: "S", Status: "in_progress", UpdatedAt: "2026-08-13T05:07:34Z"}},
			Deleted:  []json.RawMessage{text(`"R"`)},
		}),
	},
	{
		Name:     "session notified of a fault",
		Method:   "_kiro/session/notify",
		Params:   `{"sessionId":"S","callerSessionId":"C","message":"tests\nfail","severity":"fault","workflowId":"wf1","nodeId":"n1","agentName":"coder"}`,
		Findings: notice(s1, dialect.NoticeError, "coder: tests fail"),
	},
	{
		Name:     "session notified of success",
		Method:   "_kiro/session/notify",
		Params:   `{"sessionId":"S","message":"done","severity":"success"}`,
		Findings: notice(s1, dialect.NoticeInfo, "done"),
	},
	{
		Name:     "session notified of nothing",
		Method:   "_kiro/session/notify",
		Params:   `{"sessionId":"S","severity":"warning","agentName":"coder"}`,
		Findings: other(s1, kiro.SessionNotify{SessionID: "S", Severity: "warning", AgentName: "coder"}),
	},
	{
		Name:     "system warning",
		Method:   "_kiro/system/notify",
		Params:   `{"level":"WARN","message":"update soon"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeWarning, "update soon"),
	},
	{
		Name:     "system message without text",
		Method:   "_kiro/system/notify",
		Params:   `{"level":"info"}`,
		Findings: other(dialect.Link{}, kiro.SystemNotify{Level: "info"}),
	},
	{
		Name:     "rate limit of V3",
		Method:   "_kiro/error/rate_limit",
		Params:   `{"message":"slow down"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeRateLimit, "Rate limit: slow down"),
	},
	{
		Name:     "agent of V3 not found",
		Method:   "_kiro/customAgent/not_found",
		Params:   `{"sessionId":"S","requestedAgent":"x","fallbackAgent":"vibe"}`,
		Findings: notice(s1, dialect.NoticeWarning, "There is no such agent: x, using vibe"),
	},
	{
		Name:     "agent config error of V3",
		Method:   "_kiro/customAgent/config_error",
		Params:   `{"sessionId":"S","path":"/a.md","error":"bad"}`,
		Findings: notice(s1, dialect.NoticeError, "An agent's configuration cannot be used: /a.md, bad"),
	},
	{
		Name:     "MCP of V3 turned off",
		Method:   "_kiro/mcp/governance_disabled",
		Params:   `{"sessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeMCP, "MCP is turned off by your organisation"),
	},
	{
		Name:     "sandbox",
		Method:   "_kiro/sandbox/status",
		Params:   `{"status":"active","backend":"landlock","networkMode":"none","mcpSandboxed":true}`,
		Findings: notice(dialect.Link{}, dialect.NoticeInfo, "Sandbox: active, landlock"),
	},
	{
		Name:     "no sandbox",
		Method:   "_kiro/sandbox/status",
		Params:   `{"status":"unavailable","reason":"old kernel"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeWarning, "Commands run without isolation: old kernel"),
	},
	{
		Name:     "permissions file cannot be read",
		Method:   "_kiro/policy/error",
		Params:   `{"sessionId":"S","errors":["bad"]}`,
		Findings: notice(s1, dialect.NoticeWarning, "A permissions file cannot be read"),
	},
	{
		Name:     "output of a running call does not wait for its call",
		Method:   "_kiro/tools/content_chunk",
		Params:   `{"sessionId":"S","toolCallId":"t1","content":"..."}`,
		Findings: other(s1, kiro.ContentChunk{SessionID: "S", ToolCallID: "t1", Content: text(`"..."`)}),
	},
}

func step(session string, s dialect.SubagentPatch) dialect.Finding {
	return dialect.Finding{Link: dialect.Link{SessionID: "S", ChildSessionID: session}, Event: s}
}

var workflowCases = []dialecttest.Case{
	{
		Name:     "workflow started",
		Method:   "_kiro/workflow/run_start",
		Params:   `{"workflowId":"wf1","workflowName":"feature","inputs":{},"nodeTree":[{"nodeId":"n1","type":"step","agentName":"coder"}],"parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeBackground, "Workflow started: feature"),
	},
	{
		Name:     "step started, without a session yet",
		Method:   "_kiro/workflow/node_start",
		Params:   `{"workflowId":"wf1","nodeId":"n1","nodePath":["wf1"],"type":"step","agentName":"coder","prompt":"say ok","parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeBackground, "Workflow node n1 started: coder"),
	},
	{
		Name:   "step has a session",
		Method: "_kiro/workflow/node_start",
		Params: `{"workflowId":"wf1","nodeId":"n1","nodePath":["wf1"],"type":"step","agentName":"coder","prompt":"say ok","sessionId":"C","parentSessionId":"S"}`,
		Findings: []dialect.Finding{step("C", dialect.SubagentPatch{
			Title: dialect.Set("n1"), AgentType: dialect.Set("coder"), Prompt: dialect.Set("say ok"), Activity: dialect.Set(dialect.ActivityRunning),
		})},
	},
	{
		Name:     "loop started",
		Method:   "_kiro/workflow/node_start",
		Params:   `{"workflowId":"wf1","nodeId":"loop","nodePath":["wf1"],"type":"repeat","parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeBackground, "Workflow node loop started"),
	},
	{
		Name:     "node completed",
		Method:   "_kiro/workflow/node_complete",
		Params:   `{"workflowId":"wf1","nodeId":"n1","nodePath":["wf1"],"status":"completed","parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeBackground, "Workflow node n1: completed"),
	},
	{
		Name:     "node failed",
		Method:   "_kiro/workflow/node_complete",
		Params:   `{"workflowId":"wf1","nodeId":"n1","status":"failed","failureReason":"no tests","parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeWarning, "Workflow node n1: failed, no tests"),
	},
	{
		Name:     "node paused, whose parent is not said",
		Method:   "_kiro/workflow/node_paused",
		Params:   `{"workflowId":"wf1","nodeId":"n1","nodePath":["wf1"],"reason":"which way?"}`,
		Findings: notice(dialect.Link{}, dialect.NoticeWarning, "Workflow node n1 is paused: which way?"),
	},
	{
		Name:     "workflow paused",
		Method:   "_kiro/workflow/paused",
		Params:   `{"workflowId":"wf1","pauseReason":"asked to","parentSessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeWarning, "Workflow paused: asked to"),
	},
	{
		Name:   "workflow complete",
		Method: "_kiro/workflow/run_complete",
		Params: `{"workflowId":"wf1","status":"failed","parentSessionId":"S","finalState":{"root":{"nodeId":"wf1","type":"sequence","status":"failed","children":[{"nodeId":"n1","type":"step","sessionId":"C","status":"completed"},{"nodeId":"loop","type":"repeat","children":[{"nodeId":"n2","sessionId":"D","status":"failed","failureReason":"no tests"},{"nodeId":"n3","sessionId":"E","status":"aborted"},{"nodeId":"n4","sessionId":"F","status":"paused"}]}]}}}`,
		Findings: append(notice(s1, dialect.NoticeWarning, "Workflow: failed"),
			step("C", dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCompleted)}),
			step("D", dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("no tests")}),
			step("E", dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled)})),
	},
	{
		Name:     "loop goes round",
		Method:   "_kiro/workflow/loop_iteration",
		Params:   `{"workflowId":"wf1","loopId":"loop","iteration":2,"stopConditionMet":true,"parentSessionId":"S"}`,
		Findings: other(s1, kiro.Workflow{WorkflowID: "wf1", ParentSessionID: "S", LoopID: "loop", Iteration: number(2), StopConditionMet: true}),
	},
	{
		Name:     "watch polled",
		Method:   "_kiro/workflow/watch_poll",
		Params:   `{"workflowId":"wf1","nodeId":"w","nodePath":["wf1"],"outcome":"idle","at":1,"parentSessionId":"S"}`,
		Findings: other(s1, kiro.Workflow{WorkflowID: "wf1", ParentSessionID: "S", NodeID: "w", NodePath: []string{"wf1"}, Outcome: "idle"}),
	},
	{
		Name:     "steps queued",
		Method:   "_kiro/workflow/steps_queued",
		Params:   `{"workflowId":"wf1","pendingSteps":[],"parentSessionId":"S"}`,
		Findings: other(s1, kiro.Workflow{WorkflowID: "wf1", ParentSessionID: "S"}),
	},
}

// info makes the case of V3's session_info_update.
func info(name, kiro string, findings []dialect.Finding) dialecttest.Case {
	return dialecttest.Case{
		Name:     name,
		Frame:    dialecttest.Update("S", `{"sessionUpdate":"session_info_update","_meta":{"kiro":`+kiro+`}}`),
		Findings: findings,
	}
}

var t1 = dialect.Link{SessionID: "S", ToolCallID: "t1", AgentID: "u1"}

var frameCases = []dialecttest.Case{
	info("turn starts", `{"kind":"turn_start","turnStart":true}`, found(s1, dialect.TurnMark{Began: true})),
	info("turn ends", `{"kind":"turn_end","stopReason":"end_turn","turnEnd":{"stopReason":"end_turn"}}`, found(s1, dialect.TurnMark{StopReason: "end_turn"})),
	info("turn ends, in the other place", `{"kind":"turn_end","turnEnd":{"stopReason":"cancelled"}}`, found(s1, dialect.TurnMark{StopReason: "cancelled"})),
	info("turn metered, which is not its end",
		`{"kind":"turn_completion","promptTurnSummaries":[{"unit":"credit","unitPlural":"credits","usage":0.17,"usedTools":["shell"]}],"elapsedTime":11690,"status":"success"}`,
		found(s1, dialect.Usage{Costs: []dialect.Cost{{Amount: 0.17, Unit: "credits"}}, Duration: 11690 * time.Millisecond})),
	info("turn metered in tokens",
		`{"kind":"turn_completion","promptTurnSummaries":[],"inputTokens":10,"outputTokens":5,"cacheReadInputTokens":2,"cacheWriteInputTokens":3,"contextUsage":{"usagePercentage":42}}`,
		found(s1, dialect.Usage{InputTokens: 10, OutputTokens: 5, CachedReadTokens: 2, CachedWriteTokens: 3, ContextPercent: 42})),
	info("turn metered with nothing", `{"kind":"turn_completion","status":"success"}`, nil),
	info("context usage", `{"kind":"context_usage","usagePercentage":1.5,"contextUsage":{"usagePercentage":1.5},"breakdown":{}}`,
		found(s1, dialect.Usage{ContextPercent: 1.5})),
	info("error", `{"kind":"display_error","message":"sign in\nagain","errorType":"TokenInvalidError"}`,
		notice(s1, dialect.NoticeError, "The agent reports an error: sign in again, TokenInvalidError")),
	info("interaction resolved", `{"kind":"interaction_resolved","toolCallId":"tooluse_2","outcome":"answered"}`,
		found(dialect.Link{SessionID: "S", ToolCallID: "tooluse_2"}, dialect.Withdrawn{})),
	info("interaction resolved, which one is not said", `{"kind":"interaction_resolved"}`, nil),
	info("summarization started", `{"kind":"summarization_started"}`, notice(s1, dialect.NoticeCompaction, "Compacting the conversation")),
	info("summarization completed", `{"kind":"summarization_completed","conversationSummary":"So far","truncated":false}`,
		found(s1, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation was compacted", Detail: "So far"})),
	info("summarization failed", `{"kind":"summarization_failed","reason":"canceled"}`, notice(s1, dialect.NoticeCompaction, "Compacting failed: canceled")),
	info("focus", `{"kind":"focus_update","title":"Counting"}`, nil),
	info("message id", `{"kind":"user_message_id_assigned","userMessageId":"m1"}`, nil),
	info("steering", `{"kind":"steering_queued","messageId":"m1","content":"x"}`, nil),
	info("steering documents of a subagent", `{"kind":"steering_inclusion","steeringDocuments":[],"agentSubtaskId":"u1"}`, nil),
	info("interaction pending", `{"kind":"pending_interaction","toolCallId":"t","interactionType":"user_input","question":"Q","options":[]}`, nil),
	info("an info kind from next year", `{"kind":"dreaming"}`, nil),
	info("no object", `"turn_end"`, nil),

	{
		Name:  "subagent called",
		Frame: dialecttest.Update("S", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Sub-agent: architect","kind":"other","status":"pending","rawInput":{"name":"architect","prompt":"Design it","explanation":"Designing auth","contextFiles":[]},"_meta":{"kiro":{"kind":"agent-subtask","agentSubtaskId":"u1"}}}`),
		Findings: found(t1, dialect.SubagentPatch{
			Title: dialect.Set("Sub-agent: architect"), Description: dialect.Set("Designing auth"), Prompt: dialect.Set("Design it"),
			AgentType: dialect.Set("architect"), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:     "subagent answered",
		Frame:    dialecttest.Update("S", `{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed","rawOutput":{"response":"done","subExecutionId":"u1"},"_meta":{"kiro":{"kind":"agent-subtask","agentSubtaskId":"u1"}}}`),
		Findings: found(t1, dialect.SubagentPatch{Summary: dialect.Set("done")}),
	},
	{
		Name:     "subagent failed, under the tool call's id",
		Frame:    dialecttest.Update("S", `{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"failed","rawOutput":"Tool use was not permitted.","_meta":{"kiro":{"kind":"agent-subtask","agentSubtaskId":"t1"}}}`),
		Findings: found(dialect.Link{SessionID: "S", ToolCallID: "t1"}, dialect.SubagentPatch{Error: dialect.Set("Tool use was not permitted.")}),
	},
	{
		Name: "subagent's input came before a frame without meta",
		Frame: &dialect.Frame{
			SessionID: "S", Kind: "tool_call_update",
			Raw: text(`{"sessionUpdate":"tool_call_update","toolCallId":"t1","status":"in_progress"}`),
			Call: dialect.ToolCall{
				RawInput: text(`{"name":"architect"}`),
				Meta:     text(`{"kiro":{"kind":"agent-subtask","agentSubtaskId":"u1"}}`),
			},
		},
		Findings: found(t1, dialect.SubagentPatch{AgentType: dialect.Set("architect"), Activity: dialect.Set(dialect.ActivityRunning)}),
	},
	{
		Name:     "call inside a subagent",
		Frame:    dialecttest.Update("S", `{"sessionUpdate":"tool_call","toolCallId":"t2","title":"read","status":"pending","_meta":{"kiro":{"agentSubtaskId":"u1","toolId":"read_file"}}}`),
		Findings: found(dialect.Link{SessionID: "S", ToolCallID: "t2"}, dialect.Inside{Parent: dialect.Link{SessionID: "S", AgentID: "u1"}}),
	},
	{
		Name:     "text inside a subagent",
		Frame:    dialecttest.Update("S", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"},"_meta":{"kiro":{"agentSubtaskId":"u1"}}}`),
		Findings: found(s1, dialect.Inside{Parent: dialect.Link{SessionID: "S", AgentID: "u1"}}),
	},
	{Name: "call of its own", Frame: dialecttest.Update("S", `{"sessionUpdate":"tool_call","toolCallId":"t2","status":"pending","_meta":{"kiro":{"agentSubtaskId":"t2"}}}`)},
	{Name: "text of the agent", Frame: dialecttest.Update("S", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"},"_meta":{"kiro":{"replayId":"r1"}}}`)},
	{Name: "another vendor's call", Frame: dialecttest.Update("S", `{"sessionUpdate":"tool_call","toolCallId":"t2","status":"pending","_meta":{"other":{"kind":"agent-subtask"}}}`)},
	{
		Name:  "permission with consent",
		Frame: dialecttest.Permission(`{"sessionId":"S","toolCall":{"toolCallId":"t2","title":"shell","status":"pending"},"options":[{"optionId":"accept","name":"Accept","kind":"allow_once"}],"_meta":{"kiro":{"toolId":"shell","consent":{"capability":"shell","resource":"ls"}}}}`),
	},
	{Name: "prompt answered", Frame: dialecttest.PromptResult("S", `{"stopReason":"end_turn","_meta":{"kiro":{"kind":"turn_end"}}}`)},
}
