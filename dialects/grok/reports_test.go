package grok_test

import (
	"encoding/json"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/grok"
)

func jsonText(s string) json.RawMessage { return json.RawMessage(s) }

// on makes the case of an update in _x.ai/session_notification.
func on(name, update string, findings []dialect.Finding) dialecttest.Case {
	return dialecttest.Case{Name: name, Method: "_x.ai/session_notification", Params: envelope(update), Findings: findings}
}

// unmapped makes the case of an update that has no neutral form.
func unmapped(kind, update string, value any) dialecttest.Case {
	if value == nil {
		value = jsonText(update)
	}
	return on(kind, update, other(s1, grok.Notification{SessionID: "S", Kind: kind, Update: value}))
}

var child = dialect.Link{SessionID: "P", ChildSessionID: "C", AgentID: "a1"}

var updateCases = []dialecttest.Case{
	{
		Name:   "turn completed",
		Method: "_x.ai/session_notification",
		Params: `{"sessionId":"S","update":{"sessionUpdate":"turn_completed","prompt_id":"p1","stop_reason":"end_turn"}}`,
		Want: grok.Notification{
			SessionID: "S", Kind: "turn_completed", Update: grok.TurnCompleted{PromptID: "p1", StopReason: "end_turn"},
		},
		Findings: found(s1, dialect.TurnMark{ID: "p1", StopReason: "end_turn"}),
	},
	{
		Name:     "turn completed, wrapped",
		Method:   "_x.ai/session_notification",
		Params:   `{"method":"x.ai/session_notification","params":{"sessionId":"S","update":{"sessionUpdate":"turn_completed","prompt_id":"p1","stop_reason":"end_turn"}}}`,
		Findings: found(s1, dialect.TurnMark{ID: "p1", StopReason: "end_turn"}),
	},
	{
		Name:   "turn completed, sent again by a load",
		Method: "_x.ai/session/update",
		Params: `{"sessionId":"S","update":{"sessionUpdate":"turn_completed","prompt_id":"p1","stop_reason":"cancelled"},"_meta":{"isReplay":true,"eventId":"S-1"}}`,
		Want: grok.Notification{
			SessionID: "S", Kind: "turn_completed", Replay: true, Update: grok.TurnCompleted{PromptID: "p1", StopReason: "cancelled"},
		},
		Findings: found(s1, dialect.TurnMark{ID: "p1", StopReason: "cancelled"}),
	},
	on("turn completed with usage",
		`{"sessionUpdate":"turn_completed","prompt_id":"p1","stop_reason":"end_turn","agent_result":null,"usage":{"inputTokens":100,"outputTokens":20,"totalTokens":120,"cachedReadTokens":80,"cacheCreationTokens":5,"reasoningTokens":7,"costUsdTicks":25000000000,"numTurns":3}}`,
		found(s1,
			dialect.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120, CachedReadTokens: 80, CachedWriteTokens: 5, ReasoningTokens: 7, Costs: []dialect.Cost{{Amount: 2.5, Unit: "USD"}}},
			dialect.TurnMark{ID: "p1", StopReason: "end_turn"})),
	on("turn completed with a cost nobody vouches for",
		`{"sessionUpdate":"turn_completed","prompt_id":"p1","stop_reason":"end_turn","usage":{"inputTokens":1,"costUsdTicks":10000000000,"costIsPartial":true}}`,
		found(s1, dialect.Usage{InputTokens: 1}, dialect.TurnMark{ID: "p1", StopReason: "end_turn"})),
	{Name: "no update", Method: "_x.ai/session_notification", Params: `{"sessionId":"S"}`, Refused: "update"},
	{Name: "an update that is no object", Method: "_x.ai/session/update", Params: `{"sessionId":"S","update":"turn_completed"}`, Refused: "update"},
	{Name: "the wrapper of a load's twin", Method: "_x.ai/session_notification", Params: `{"method":"x.ai/session/update","params":{"sessionId":"S","update":{}}}`, Refused: "method"},

	on("subagent spawned",
		`{"sessionUpdate":"subagent_spawned","subagent_id":"a1","parent_session_id":"P","parent_prompt_id":"p1","child_session_id":"C","subagent_type":"explore","description":"Count files","capability_mode":"read","role":"counter","model":"grok-code"}`,
		found(child, dialect.SubagentPatch{
			Title: dialect.Set("Count files"), Description: dialect.Set("counter"),
			AgentType: dialect.Set("explore"), Model: dialect.Set("grok-code"), Activity: dialect.Set(dialect.ActivityRunning),
		})),
	on("subagent spawned, by its session alone",
		`{"sessionUpdate":"subagent_spawned","child_session_id":"C"}`,
		found(dialect.Link{SessionID: "S", ChildSessionID: "C"}, dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)})),
	on("subagent progress",
		`{"sessionUpdate":"subagent_progress","subagent_id":"a1","parent_session_id":"P","child_session_id":"C","duration_ms":2000,"turn_count":1,"tool_call_count":3,"tokens_used":400,"context_window_tokens":256000,"context_usage_pct":0.2,"tools_used":["grep"],"error_count":0}`,
		found(child, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityRunning), Duration: dialect.Set(2 * time.Second),
			Tokens: dialect.Set(int64(400)), ToolCalls: dialect.Set(int64(3)),
		})),
	on("subagent completed",
		`{"sessionUpdate":"subagent_finished","subagent_id":"a1","child_session_id":"C","status":"completed","tool_calls":4,"turns":2,"duration_ms":3500,"tokens_used":900,"output":"7 files","will_wake":false}`,
		found(dialect.Link{SessionID: "S", ChildSessionID: "C", AgentID: "a1"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCompleted), Summary: dialect.Set("7 files"),
			Duration: dialect.Set(3500 * time.Millisecond), Tokens: dialect.Set(int64(900)), ToolCalls: dialect.Set(int64(4)),
		})),
	on("subagent failed",
		`{"sessionUpdate":"subagent_finished","subagent_id":"a1","child_session_id":"C","status":"failed","error":"no model"}`,
		found(dialect.Link{SessionID: "S", ChildSessionID: "C", AgentID: "a1"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("no model"),
		})),
	on("subagent cancelled",
		`{"sessionUpdate":"subagent_finished","subagent_id":"a1","child_session_id":"C","status":"cancelled"}`,
		found(dialect.Link{SessionID: "S", ChildSessionID: "C", AgentID: "a1"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled),
		})),
	on("subagent finished with a new word",
		`{"sessionUpdate":"subagent_finished","subagent_id":"a1","child_session_id":"C","status":"vanished"}`,
		found(dialect.Link{SessionID: "S", ChildSessionID: "C", AgentID: "a1"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentUnknown),
		})),
	{Name: "subagent without an id", Method: "_x.ai/session_notification", Params: envelope(`{"sessionUpdate":"subagent_spawned","subagent_type":"explore"}`), Refused: "subagent_id"},
	{Name: "subagent progress without an id", Method: "_x.ai/session_notification", Params: envelope(`{"sessionUpdate":"subagent_progress"}`), Refused: "subagent_id"},
	{Name: "subagent end without an id", Method: "_x.ai/session/update", Params: envelope(`{"sessionUpdate":"subagent_finished","status":"completed"}`), Refused: "subagent_id"},

	unmapped("pending_interaction", `{"sessionUpdate":"pending_interaction","tool_call_id":"tc1","kind":"question"}`,
		grok.PendingInteraction{ToolCallID: "tc1", Kind: "question"}),
	on("interaction resolved", `{"sessionUpdate":"interaction_resolved","tool_call_id":"tc1"}`,
		found(dialect.Link{SessionID: "S", ToolCallID: "tc1"}, dialect.Withdrawn{})),
	on("interaction resolved, which one is not said", `{"sessionUpdate":"interaction_resolved"}`,
		other(s1, grok.Notification{SessionID: "S", Kind: "interaction_resolved", Update: grok.InteractionResolved{}})),

	on("task in the background", `{"sessionUpdate":"task_backgrounded","task_id":"bg1","tool_call_id":"tc3","command":"make\n  all","cwd":"/w"}`,
		notice(dialect.Link{SessionID: "S", ToolCallID: "tc3"}, dialect.NoticeBackground, "Running in the background: make all")),
	on("task of the background ended", `{"sessionUpdate":"task_completed","task_snapshot":{"task_id":"bg1","command":"make","signal":9}}`,
		notice(s1, dialect.NoticeBackground, "Background task has ended: make")),

	on("retrying", `{"sessionUpdate":"retry_state","type":"retrying","attempt":2,"max_retries":5,"reason":"overloaded"}`,
		notice(s1, dialect.NoticeRetry, "Retrying, attempt 2 of 5: overloaded")),
	on("retries exhausted", `{"sessionUpdate":"retry_state","type":"exhausted","attempts":5,"reason":"overloaded"}`,
		notice(s1, dialect.NoticeError, "Gave up after 5 attempts: overloaded")),
	on("retries exhausted by a rate limit", `{"sessionUpdate":"retry_state","type":"exhausted","attempts":1,"reason":"429","is_rate_limited":true}`,
		notice(s1, dialect.NoticeRateLimit, "Gave up after 1 attempt: 429")),
	on("request failed", `{"sessionUpdate":"retry_state","type":"failed","error_type":"auth","message":"no key"}`,
		notice(s1, dialect.NoticeError, "The request to the model failed: auth, no key")),
	on("retry of a new type", `{"sessionUpdate":"retry_state","type":"waiting","reason":"soon"}`,
		notice(s1, dialect.NoticeRetry, "The request to the model is retried: waiting, soon")),

	on("compaction started", `{"sessionUpdate":"auto_compact_started","tokens_used":200,"context_window":256,"percentage":78,"reason":"threshold"}`,
		notice(s1, dialect.NoticeCompaction, "Compacting the conversation: threshold")),
	on("compaction completed", `{"sessionUpdate":"auto_compact_completed","tokens_before":200,"tokens_after":50,"summary_preview":"So far"}`,
		found(s1, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation was compacted to 50 tokens", Detail: "So far"})),
	on("compaction failed", `{"sessionUpdate":"auto_compact_failed","error":"too long"}`,
		notice(s1, dialect.NoticeCompaction, "Compacting failed: too long")),
	on("compaction cancelled", `{"sessionUpdate":"auto_compact_cancelled","reason":"user"}`,
		notice(s1, dialect.NoticeCompaction, "Compacting was cancelled: user")),
	on("model changed", `{"sessionUpdate":"model_changed","model_id":"grok-code","reasoning_effort":"high"}`,
		notice(s1, dialect.NoticeModel, "The model was changed: grok-code, high")),
	on("model switched", `{"sessionUpdate":"model_auto_switched","previous_model_id":"a","new_model_id":"b","reason":"quota"}`,
		notice(s1, dialect.NoticeModel, "The agent switched the model: b, quota")),
	on("hook annotation", `{"sessionUpdate":"hook_annotation","message":"formatted\n2 files"}`,
		notice(s1, dialect.NoticeInfo, "formatted 2 files")),
	unmapped("hook_annotation", `{"sessionUpdate":"hook_annotation","message":" "}`, grok.HookAnnotation{Message: " "}),

	unmapped("tool_call_delta_chunk", `{"sessionUpdate":"tool_call_delta_chunk","tool_call_id":"tc9","tool_index":0,"name":"shell","arguments_delta":"{\"c"}`, nil),
	unmapped("hook_execution", `{"sessionUpdate":"hook_execution","event_name":"PreToolUse","runs":[{"name":"lint","status":"ok"}]}`, nil),
	unmapped("response_started", `{"sessionUpdate":"response_started","message_id":"m1"}`, nil),
	unmapped("reasoning_completed", `{"sessionUpdate":"reasoning_completed","message_id":"m1"}`, nil),
	unmapped("response_completed", `{"sessionUpdate":"response_completed","message_id":"m1","stop_reason":"end_turn","usage":{}}`, nil),
	unmapped("session_summary_generated", `{"sessionUpdate":"session_summary_generated","session_summary":"Counting"}`, nil),
	unmapped("last_turn_summary", `{"sessionUpdate":"last_turn_summary","summary":"Counted","prompt_id":"p1"}`, nil),
	unmapped("goal_updated", `{"sessionUpdate":"goal_updated"}`, nil),
	unmapped("a_kind_from_next_year", `{"sessionUpdate":"a_kind_from_next_year","x":1}`, nil),
	on("an update without a kind", `{}`, other(s1, grok.Notification{SessionID: "S", Update: jsonText(`{}`)})),
}

// unread makes the case of a report that is known by name only.
func unread(name, params string) dialecttest.Case {
	return dialecttest.Case{Name: name, Method: "_x.ai/" + name, Params: params, Findings: other(s1, grok.Unread{SessionID: "S"})}
}

var reportCases = []dialecttest.Case{
	{
		Name:     "prompt complete",
		Method:   "_x.ai/session/prompt_complete",
		Params:   `{"sessionId":"S","promptId":"p1","stopReason":"end_turn","agentResult":null}`,
		Findings: found(s1, dialect.TurnMark{ID: "p1", StopReason: "end_turn"}),
	},
	{
		Name:     "prompt complete with a stop reason ACP has not",
		Method:   "x.ai/session/prompt_complete",
		Params:   `{"sessionId":"S","promptId":"task-completed-1","stopReason":"rate_limit","turnId":"t1"}`,
		Findings: found(s1, dialect.TurnMark{ID: "task-completed-1", StopReason: "rate_limit"}),
	},
	{
		Name:   "models",
		Method: "_x.ai/models/update",
		Params: `{"currentModelId":"grok-build","availableModels":[{"modelId":"grok-build","name":"Grok Build","_meta":{"totalContextTokens":512000,"agentType":"grok-build-plan"}}]}`,
		Findings: other(connected, grok.ModelsUpdate{CurrentModelID: "grok-build", AvailableModels: []grok.Model{
			{ModelID: "grok-build", Name: "Grok Build", Meta: jsonText(`{"totalContextTokens":512000,"agentType":"grok-build-plan"}`)},
		}}),
	},
	{
		Name:     "background task completed",
		Method:   "_x.ai/task_completed",
		Params:   `{"sessionId":"S","update":{"sessionUpdate":"task_completed","task_snapshot":{"task_id":"bg1","command":"make","exit_code":0,"completed":true},"will_wake":true}}`,
		Findings: notice(s1, dialect.NoticeBackground, "Background task has ended with exit code 0: make"),
	},
	{
		Name:     "task goes to the background",
		Method:   "_x.ai/task_backgrounded",
		Params:   `{"sessionId":"S","update":{"task_id":"bg1","tool_call_id":"tc3","command":"make"}}`,
		Findings: notice(dialect.Link{SessionID: "S", ToolCallID: "tc3"}, dialect.NoticeBackground, "Running in the background: make"),
	},
	{Name: "background task without an update", Method: "_x.ai/task_completed", Params: `{"sessionId":"S","task_id":"bg1"}`, Refused: "update"},
	{
		Name:     "monitor event",
		Method:   "_x.ai/monitor_event",
		Params:   `{"sessionId":"S","update":{"monitor_id":"m1"}}`,
		Findings: other(s1, grok.Notification{SessionID: "S", Kind: "monitor_event", Update: jsonText(`{"monitor_id":"m1"}`)}),
	},
	{
		Name:     "scheduled task created",
		Method:   "_x.ai/scheduled_task_created",
		Params:   `{"sessionId":"S","update":{"task_id":"t1"}}`,
		Findings: other(s1, grok.Notification{SessionID: "S", Kind: "scheduled_task_created", Update: jsonText(`{"task_id":"t1"}`)}),
	},
	{
		Name:     "scheduled task fired",
		Method:   "_x.ai/scheduled_task_fired",
		Params:   `{"sessionId":"S","update":{"task_id":"t1"}}`,
		Findings: other(s1, grok.Notification{SessionID: "S", Kind: "scheduled_task_fired", Update: jsonText(`{"task_id":"t1"}`)}),
	},
	{
		Name:     "scheduled task deleted",
		Method:   "_x.ai/scheduled_task_deleted",
		Params:   `{"sessionId":"S","update":{"task_id":"t1"}}`,
		Findings: other(s1, grok.Notification{SessionID: "S", Kind: "scheduled_task_deleted", Update: jsonText(`{"task_id":"t1"}`)}),
	},
	{
		Name:     "scheduled prompt to be sent",
		Method:   "_x.ai/scheduled_task_inject_prompt",
		Params:   `{"sessionId":"S","taskId":"t1","prompt":"check the build","humanSchedule":"every hour","nextFireAt":1784700657779}`,
		Findings: found(s1, dialect.Notice{Kind: dialect.NoticeBackground, Message: "A scheduled prompt is to be sent: every hour", Detail: "check the build"}),
	},
	{
		Name:   "queue",
		Method: "_x.ai/queue/changed",
		Params: `{"sessionId":"S","entries":[{"id":"q1","version":1,"lastEditor":"me","kind":"prompt","text":"next","position":0}],"runningPromptId":"p1"}`,
		Findings: other(s1, grok.QueueChanged{SessionID: "S", RunningPromptID: "p1", Entries: []grok.QueueEntry{
			{ID: "q1", Version: number(1), LastEditor: "me", Kind: "prompt", Text: "next", Position: number(0)},
		}}),
	},
	{
		Name:     "interjection",
		Method:   "_x.ai/session/interjection",
		Params:   `{"sessionId":"S","text":"stop","interjectionId":"i1"}`,
		Findings: other(s1, grok.Interjection{SessionID: "S", Text: "stop", InterjectionID: "i1"}),
	},
	{
		Name:   "sessions",
		Method: "_x.ai/sessions/changed",
		Params: `{"upserted":[{"sessionId":"S","cwd":"/w","isWorktree":true,"reasoningEffort":"high","yolo":true,"activity":"idle","lastTurnSummary":"Done","resident":true,"lastChangeUnixMs":1784700657779,"origin":{"kind":"local","host":"h"}}],"removed":["R"]}`,
		Findings: other(connected, grok.SessionsChanged{
			Upserted: []grok.SessionEntry{{
				SessionID: "S", CWD: "/w", IsWorktree: true, ReasoningEffort: "high", YOLO: true, Activity: "idle", LastTurnSummary: "Done",
				Resident: true, LastChangeUnixMs: number(1784700657779), Origin: grok.Origin{Kind: "local", Host: "h"},
			}},
			Removed: []json.RawMessage{jsonText(`"R"`)},
		}),
	},
	{
		Name:     "MCP initialized",
		Method:   "_x.ai/mcp_initialized",
		Params:   `{"sessionId":"S","mcpToolCount":12,"elapsedMs":300}`,
		Findings: notice(s1, dialect.NoticeMCP, "MCP is ready with 12 tools"),
	},
	{
		Name:     "MCP progress",
		Method:   "_x.ai/mcp/init_progress",
		Params:   `{"total":3,"connected":1,"sessionId":"S"}`,
		Findings: notice(s1, dialect.NoticeMCP, "MCP servers: 1 of 3 connected"),
	},
	{
		Name:     "MCP server unavailable",
		Method:   "_x.ai/mcp/server_status",
		Params:   `{"sessionId":"S","name":"gh","source":"user","status":"unavailable","reason":"spawn","detail":"no such file","tools":[]}`,
		Findings: notice(s1, dialect.NoticeMCP, "MCP server gh: unavailable, spawn, no such file"),
	},
	{
		Name:     "MCP server needs a sign-in",
		Method:   "_x.ai/mcp/server_status",
		Params:   `{"sessionId":"S","name":"gh","status":"needsauth","reason":"401"}`,
		Findings: notice(s1, dialect.NoticeSignIn, "An MCP server needs a sign-in: gh"),
	},
	{
		Name:     "MCP servers, by name alone",
		Method:   "_x.ai/mcp/servers_updated",
		Params:   `{"mcpServers":[{"name":"gh","command":"gh-mcp","env":[{"name":"TOKEN","value":"secret"}]}]}`,
		Findings: other(dialect.Link{}, grok.MCPServers{Servers: []grok.MCPServer{{Name: "gh"}}}),
	},
	unread("mcp/tools_changed", `{"sessionId":"S","name":"gh"}`),
	unread("announcements/update", `{"sessionId":"S"}`),
	unread("settings/update", `{"sessionId":"S","auto_mode":true}`),
	unread("git_head_changed", `{"sessionId":"S"}`),
	unread("git/worktree/status", `{"sessionId":"S"}`),
	unread("fs_notify", `{"sessionId":"S"}`),
	unread("fs/index", `{"sessionId":"S"}`),
	unread("fs/index/delta", `{"sessionId":"S"}`),
	unread("search/fuzzy/status", `{"sessionId":"S"}`),
	unread("follow_ups", `{"sessionId":"S"}`),
	unread("session/updates/chunk", `{"sessionId":"S"}`),
	unread("terminal/pty/notification", `{"sessionId":"S"}`),
	unread("leader/version_mismatch", `{"sessionId":"S"}`),
	unread("hooks/event", `{"sessionId":"S"}`),
}
