package qwen

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

func notice(n dialect.Notice) []dialect.Finding { return of("s1", n) }

func connection(e dialect.Event) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: e}}
}

func other(v any) []dialect.Finding { return of("s1", dialect.Other{Value: v}) }

func spawn(agent string, s dialect.SubagentPatch) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{SessionID: "s1", ToolCallID: "c1", AgentID: agent}, Event: s}}
}

func nested(call string) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: "s1", ToolCallID: call},
		Event: dialect.Inside{Parent: dialect.Link{SessionID: "s1", ToolCallID: "c1"}},
	}}
}

func number(v float64) dialect.Number { return dialect.Number{Value: v, Valid: true} }

// after gives a frame that comes when the spawning call's input is known.
func after(update string) *dialect.Frame {
	f := dialecttest.Update("s1", update)
	f.Call = dialect.ToolCall{
		ID: "c1", Title: "Agent: Look around", Kind: "other",
		RawInput: json.RawMessage(`{"description":"Look around","prompt":"Go."}`),
	}
	return f
}

func told(change func(*dialect.SubagentPatch)) dialect.SubagentPatch {
	s := dialect.SubagentPatch{
		Title: dialect.Set("Look around"), Description: dialect.Set("Look around"), Prompt: dialect.Set("Go."),
	}
	change(&s)
	return s
}

var cases = []dialecttest.Case{
	// Asks.
	{
		Name:     "fetching what was typed, as recorded",
		Method:   "craft/drainMidTurnQueue",
		Params:   `{"sessionId":"s1","todoStopGuardWatchQueuedPrompt":true}`,
		Want:     DrainMidTurnQueue{SessionID: "s1", WatchQueuedPrompt: true},
		Link:     dialect.Link{SessionID: "s1"},
		Question: dialect.Question{Kind: dialect.KindRequest, Title: "Messages typed during the turn"},
		Decline:  `{"items":[]}`,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Result: Queued("also run tests", "and lint")}, Result: `{"items":[{"content":[{"type":"text","text":"also run tests"}]},{"content":[{"type":"text","text":"and lint"}]}]}`},
			{Answer: dialect.Answer{Result: Drained{HasQueuedPrompt: new(false)}}, Result: `{"items":[],"hasQueuedPrompt":false}`},
			{Answer: dialect.Answer{Result: &Drained{}}, Result: `{"items":[]}`},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeAccepted}},
	},
	{
		Name:     "fetching what was typed, during a known prompt",
		Method:   "craft/drainMidTurnQueue",
		Params:   `{"sessionId":"s1","promptId":"p1"}`,
		Want:     DrainMidTurnQueue{SessionID: "s1", PromptID: "p1"},
		Link:     dialect.Link{SessionID: "s1"},
		Question: dialect.Question{Kind: dialect.KindRequest, Title: "Messages typed during the turn"},
		Decline:  `{"items":[]}`,
	},
	{
		Name:    "fetching with a list",
		Method:  "craft/drainMidTurnQueue",
		Params:  `[]`,
		Refused: "params",
		Decline: `{"items":[]}`,
	},
	{
		Name:     "claiming a continuation",
		Method:   "craft/claimTodoStopGuardContinuation",
		Params:   `{"sessionId":"s1"}`,
		Want:     ClaimContinuation{SessionID: "s1"},
		Link:     dialect.Link{SessionID: "s1"},
		Question: dialect.Question{Kind: dialect.KindRequest, Title: "Go on with open todos"},
		Decline:  `{"claimed":false,"hasQueuedPrompt":false}`,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Result: Claimed{Claimed: true}}, Result: `{"claimed":true,"hasQueuedPrompt":false}`},
		},
	},
	{
		Name:    "claiming with a list",
		Method:  "craft/claimTodoStopGuardContinuation",
		Params:  `[]`,
		Refused: "params",
		Decline: `{"claimed":false,"hasQueuedPrompt":false}`,
	},

	// Turns of its own.
	{
		Name:   "a turn takes up a background task, as recorded",
		Method: "_qwencode/start_turn",
		Params: `{"sessionId":"s1","source":"background_notification","turnId":"s1########notification1","taskId":"general-purpose-c1","kind":"agent","toolUseId":"c1","sourceTurnId":"s1########7","label":"Look around","startedAt":1796020978467}`,
		Want: StartTurn{
			SessionID: "s1", Source: "background_notification", TurnID: "s1########notification1",
			TaskID: "general-purpose-c1", Kind: "agent", ToolUseID: "c1", SourceTurnID: "s1########7",
			Label: "Look around", StartedAt: number(1796020978467),
		},
		Findings: of("s1", dialect.TurnMark{ID: "s1########notification1", Began: true}),
	},
	{
		Name:     "a turn pursues a goal",
		Method:   "qwencode/start_turn",
		Params:   `{"sessionId":"s1","source":"goal"}`,
		Findings: of("s1", dialect.TurnMark{Began: true}),
	},
	{
		Name:    "a turn that is a list",
		Method:  "_qwencode/start_turn",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "the end of a turn for a background task",
		Method:   "_qwencode/end_turn",
		Params:   `{"sessionId":"s1","reason":"end_turn","turnId":"s1########notification1","source":"background_notification"}`,
		Findings: of("s1", dialect.TurnMark{ID: "s1########notification1", StopReason: "end_turn"}),
	},
	{
		Name:     "the end of a goal's turn",
		Method:   "_qwencode/end_turn",
		Params:   `{"sessionId":"s1","reason":"end_turn","source":"goal","promptId":"s1########8"}`,
		Findings: of("s1", dialect.TurnMark{ID: "s1########8", StopReason: "end_turn"}),
	},
	{
		Name:    "the end of a turn that is a list",
		Method:  "_qwencode/end_turn",
		Params:  `[]`,
		Refused: "params",
	},

	// Notices.
	{
		Name:     "what a slash command printed",
		Method:   "_qwencode/slash_command",
		Params:   `{"sessionId":"s1","command":"/stats","message":"Tokens:\n 7","messageType":"info"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeInfo, Message: "Tokens:", Detail: "Tokens:\n 7"}),
	},
	{
		Name:     "a slash command failed",
		Method:   "_qwencode/slash_command",
		Params:   `{"sessionId":"s1","message":"No such command","messageType":"error"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeError, Message: "No such command"}),
	},
	{
		Name:     "a slash command printed nothing",
		Method:   "_qwencode/slash_command",
		Params:   `{"sessionId":"s1","command":"/clear","message":" "}`,
		Findings: other(SlashCommand{SessionID: "s1", Command: "/clear", Message: " "}),
	},
	{
		Name:    "a slash command that is a list",
		Method:  "_qwencode/slash_command",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "where to sign in",
		Method:   "authenticate/update",
		Params:   `{"_meta":{"authUri":"https://example/device"}}`,
		Findings: connection(dialect.Notice{Kind: dialect.NoticeSignIn, Message: "Open the page to sign in", URL: "https://example/device"}),
	},
	{
		Name:    "nowhere to sign in",
		Method:  "authenticate/update",
		Params:  `{"_meta":{}}`,
		Refused: "_meta.authUri",
	},
	{
		Name:    "signing in with a list",
		Method:  "authenticate/update",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a title",
		Method:   "qwen/notify/session/title-update",
		Params:   `{"v":1,"sessionId":"s1","title":"Tests","titleSource":"auto"}`,
		Findings: other(TitleUpdate{SessionID: "s1", Title: "Tests", TitleSource: "auto"}),
	},
	{
		Name:    "a title that is a list",
		Method:  "qwen/notify/session/title-update",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a pull request",
		Method:   "qwen/notify/session/pr-binding",
		Params:   `{"v":1,"sessionId":"s1","pr":{"number":"12","url":"https://example/pull/12"}}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeInfo, Message: "The session opened pull request 12", URL: "https://example/pull/12"}),
	},
	{
		Name:     "a pull request nobody numbered",
		Method:   "qwen/notify/session/pr-binding",
		Params:   `{"v":1,"sessionId":"s1"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeInfo, Message: "The session opened a pull request"}),
	},
	{
		Name:    "a pull request that is a list",
		Method:  "qwen/notify/session/pr-binding",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a gap in the record",
		Method:   "qwen/notify/session/recording-degraded",
		Params:   `{"v":1,"sessionId":"s1","reason":"write_failed"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeWarning, Message: "The session's record has a gap: write_failed"}),
	},
	{
		Name:    "a gap that is a list",
		Method:  "qwen/notify/session/recording-degraded",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "the mode is plan",
		Method:   "qwen/notify/session/mode-update",
		Params:   `{"v":1,"sessionId":"s1","currentModeId":"plan","planExecutionMode":"default"}`,
		Want:     ModeUpdate{SessionID: "s1", CurrentModeID: "plan", PlanExecutionMode: "default"},
		Findings: notice(dialect.Notice{Kind: dialect.NoticeMode, Message: "Mode: plan"}),
	},
	{
		Name:     "the mode is a number, and the underscore is back",
		Method:   "_qwen/notify/session/mode-update",
		Params:   `{"v":2,"sessionId":"s1","currentModeId":7}`,
		Soft:     true,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeMode, Message: "Mode: unknown"}),
	},
	{
		Name:    "a mode that is a list",
		Method:  "qwen/notify/session/mode-update",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "the model",
		Method:   "qwen/notify/session/model-update",
		Params:   `{"v":1,"sessionId":"s1","currentModelId":"$runtime|openai|fake-model(openai)"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeModel, Message: "Model: $runtime|openai|fake-model(openai)"}),
	},
	{
		Name:    "a model that is a list",
		Method:  "qwen/notify/session/model-update",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a suggestion",
		Method:   "qwen/notify/session/prompt-suggestion",
		Params:   `{"v":1,"sessionId":"s1","suggestion":"run tests","promptId":"p1"}`,
		Findings: other(PromptSuggestion{SessionID: "s1", Suggestion: "run tests", PromptID: "p1"}),
	},
	{
		Name:    "a suggestion that is a list",
		Method:  "qwen/notify/session/prompt-suggestion",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:   "artifacts",
		Method: "qwen/notify/session/artifact-event",
		Params: `{"v":1,"sessionId":"s1","source":"hook","hookEventName":"PostToolUse","toolName":"write_file","toolCallId":"c1","artifacts":[{"path":"a"}]}`,
		Findings: other(ArtifactEvent{
			SessionID: "s1", Source: "hook", HookEventName: "PostToolUse", ToolName: "write_file", ToolCallID: "c1",
			Artifacts: []json.RawMessage{json.RawMessage(`{"path":"a"}`)},
		}),
	},
	{
		Name:    "artifacts that are a list",
		Method:  "qwen/notify/session/artifact-event",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "control characters",
		Method:   "qwen/notify/session/terminal-sequence",
		Params:   `{"v":1,"sessionId":"s1","terminalSequence":"\u001b]9;done\u0007"}`,
		Findings: other(TerminalSequence{SessionID: "s1", TerminalSequence: "\x1b]9;done\a"}),
	},
	{
		Name:    "control characters in a list",
		Method:  "qwen/notify/session/terminal-sequence",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "many MCP servers",
		Method:   "qwen/notify/session/mcp-budget-event",
		Params:   `{"v":1,"sessionId":"s1","kind":"budget_warning","liveCount":8,"reservedCount":0,"budget":10,"mode":"warn"}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeMCP, Message: "8 of at most 10 MCP servers are running"}),
	},
	{
		Name:     "too many MCP servers",
		Method:   "qwen/notify/session/mcp-budget-event",
		Params:   `{"v":1,"sessionId":"s1","scope":"workspace","kind":"refused_batch","liveCount":10,"budget":10,"refusedServers":[{"name":"a","transport":"stdio","reason":"budget"},{"name":""}]}`,
		Findings: notice(dialect.Notice{Kind: dialect.NoticeMCP, Message: "MCP servers were not started: a, one without a name"}),
	},
	{
		Name:    "MCP servers in a list",
		Method:  "qwen/notify/session/mcp-budget-event",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "sources",
		Method:   "qwen/notify/session/sources-changed",
		Params:   `{"sessionId":"s1","revision":3}`,
		Findings: other(SourcesChanged{SessionID: "s1", Revision: number(3)}),
	},
	{
		Name:    "sources that are a list",
		Method:  "qwen/notify/session/sources-changed",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a text beside the conversation",
		Method:   "qwen/notify/session/generation/event",
		Params:   `{"v":1,"sessionId":"s1","requestId":"r1","event":{"type":"delta","seq":0,"text":"a"}}`,
		Findings: other(Generation{SessionID: "s1", RequestID: "r1", Event: json.RawMessage(`{"type":"delta","seq":0,"text":"a"}`)}),
	},
	{
		Name:    "a text that is a list",
		Method:  "qwen/notify/session/generation/event",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a text of no session",
		Method:   "qwen/notify/workspace/generation/event",
		Params:   `{"v":1,"requestId":"r1","event":{"type":"thinking"}}`,
		Findings: connection(dialect.Other{Value: Generation{RequestID: "r1", Event: json.RawMessage(`{"type":"thinking"}`)}}),
	},
	{
		Name:    "a text of no session that is a list",
		Method:  "qwen/notify/workspace/generation/event",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:   "a heartbeat",
		Method: "qwen/notify/channel/active-work",
		Params: `{"v":1,"seq":2,"sessions":[{"sessionId":"s1","finishedBackgroundTurnId":"t1","hasRunningBackgroundTasks":true,"holds":[{"category":"prompt","id":"p1"}]}]}`,
		Findings: connection(dialect.Other{Value: ActiveWork{
			Seq: number(2),
			Sessions: []ActiveWorkSession{{
				SessionID: "s1", FinishedBackgroundTurnID: "t1", HasRunningBackgroundTasks: true,
				Holds: []json.RawMessage{json.RawMessage(`{"category":"prompt","id":"p1"}`)},
			}},
		}}),
	},
	{
		Name:    "a heartbeat that is a list",
		Method:  "qwen/notify/channel/active-work",
		Params:  `[]`,
		Refused: "params",
	},

	// A background subagent, as recorded.
	{
		Name:     "a spawning call, before its input is known",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c1","status":"pending","title":"Agent","content":[],"locations":[],"kind":"other","rawInput":{},"_meta":{"toolName":"agent","provenance":"builtin","phase":"preparing","subagentSessionReady":false}}`),
		Findings: spawn("", dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}),
	},
	{
		Name:  "it asks for permission",
		Frame: dialecttest.Permission(`{"sessionId":"s1","options":[{"optionId":"cancel","name":"Reject","kind":"reject_once"}],"toolCall":{"toolCallId":"c1","status":"pending","title":"Look around","kind":"other","rawInput":{"description":"Look around","prompt":"Go.","subagent_type":"explore","run_in_background":true},"_meta":{"toolName":"agent"}}}`),
		Findings: spawn("", told(func(s *dialect.SubagentPatch) {
			s.AgentType = dialect.Set("explore")
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "its session is ready",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"c1","_meta":{"toolName":"agent","subagentSessionReady":true}}`),
		Findings: spawn("", told(func(s *dialect.SubagentPatch) {
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "the call completes at launch",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[],"_meta":{"toolName":"agent","provenance":"builtin"},"rawOutput":{"type":"task_execution","subagentName":"general-purpose","taskDescription":"Look around","taskPrompt":"Go.","executionMode":"background","subagentSessionReady":true,"status":"background"}}`),
		Findings: spawn("", told(func(s *dialect.SubagentPatch) {
			s.AgentType = dialect.Set("general-purpose")
			s.Background, s.Outcome = dialect.Set(true), dialect.Set(dialect.SubagentLaunched)
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "the background task completed",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Background agent \"general-purpose: Look around\" completed."},"_meta":{"source":"background_task_completed","qwenDiscreteMessage":true,"backgroundTask":{"taskId":"general-purpose-c1","sourceTurnId":"s1########7","status":"completed","kind":"agent","toolUseId":"c1","description":"general-purpose: Look around"}}}`),
		Findings: spawn("general-purpose-c1", dialect.SubagentPatch{
			Background: dialect.Set(true), Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCompleted),
		}),
	},
	{
		Name:  "the background task failed",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"failed"},"_meta":{"source":"background_notification","backgroundTask":{"taskId":"t1","status":"failed","kind":"agent","toolUseId":"c1"}}}`),
		Findings: spawn("t1", dialect.SubagentPatch{
			Background: dialect.Set(true), Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentFailed),
		}),
	},
	{
		Name:  "the background task is in a state nobody knows",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"asleep"},"_meta":{"source":"background_notification","backgroundTask":{"taskId":"t1","status":"asleep","kind":"agent","toolUseId":"c1"}}}`),
		Findings: spawn("t1", dialect.SubagentPatch{
			Background: dialect.Set(true),
		}),
	},
	{
		Name:  "what the main agent says to it, and its usage",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"The subagent is done."},"_meta":{"source":"background_notification_response","qwenDiscreteMessage":true,"usage":{"inputTokens":1000,"outputTokens":20,"totalTokens":1020,"thoughtTokens":2,"cachedReadTokens":4},"durationMs":36,"backgroundTask":{"taskId":"general-purpose-c1","status":"completed","kind":"agent","toolUseId":"c1","turnComplete":false}}}`),
		Findings: of("s1", dialect.Usage{
			InputTokens: 1000, OutputTokens: 20, TotalTokens: 1020, ReasoningTokens: 2, CachedReadTokens: 4,
		}),
	},
	{
		Name:  "a usage that is none",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"},"_meta":{"usage":5}}`),
	},
	{
		Name:  "a background task without an id",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"},"_meta":{"source":"background_notification","backgroundTask":{"status":"completed","kind":"agent"}}}`),
	},
	{
		Name:     "a background shell ended, and the agent takes it up",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Shell \"npm\n test\" completed."},"_meta":{"source":"background_notification","backgroundTask":{"taskId":"b1","status":"completed","kind":"shell","toolUseId":"c9"}}}`),
		Findings: notice(dialect.Notice{Kind: dialect.NoticeBackground, Message: `Shell "npm test" completed.`}),
	},
	{
		Name:  "the same was told when it ended",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Shell \"npm test\" completed."},"_meta":{"source":"background_task_completed","backgroundTask":{"taskId":"b1","status":"completed","kind":"shell","toolUseId":"c9"}}}`),
	},

	// A foreground subagent.
	{
		Name:  "progress of a foreground subagent",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"Running tool: grep"}}],"_meta":{"subagentType":"explore","provenance":"subagent","subagentProgress":true}}`),
		Findings: spawn("", told(func(s *dialect.SubagentPatch) {
			s.AgentType = dialect.Set("explore")
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "a foreground subagent completed, with totals",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","_meta":{"toolName":"agent"},"rawOutput":{"type":"task_execution","subagentName":"explore","taskDescription":"Look around","taskPrompt":"Go.","status":"completed","executionMode":"foreground","terminateReason":"GOAL","result":"It is a demo.","executionSummary":{"totalToolCalls":3,"totalTokens":1200,"totalDurationMs":900}}}`),
		Findings: spawn("", told(func(s *dialect.SubagentPatch) {
			s.AgentType, s.Summary = dialect.Set("explore"), dialect.Set("It is a demo.")
			s.ToolCalls, s.Tokens = dialect.Set[int64](3), dialect.Set[int64](1200)
			s.Duration = dialect.Set(900 * time.Millisecond)
		})),
	},
	{
		Name:  "a foreground subagent failed in a call that completed",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","_meta":{"toolName":"agent"},"rawOutput":{"type":"task_execution","status":"failed","executionMode":"foreground","terminateReason":"MAX_TURNS","executionSummary":{"totalDurationMs":-1}}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("MAX_TURNS"),
		}),
	},
	{
		Name:  "a foreground subagent was cancelled",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","_meta":{"toolName":"agent"},"rawOutput":{"type":"task_execution","status":"cancelled","executionMode":"foreground"}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Outcome: dialect.Set(dialect.SubagentCancelled),
		}),
	},
	{
		Name:  "a background subagent could not be launched",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","_meta":{"toolName":"agent"},"rawOutput":{"type":"task_execution","status":"failed","executionMode":"background","terminateReason":"no worktree"}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Background: dialect.Set(true), Outcome: dialect.Set(dialect.SubagentFailed),
			Activity: dialect.Set(dialect.ActivityEnded), Error: dialect.Set("no worktree"),
		}),
	},
	{
		Name:  "a background subagent's call tells its end",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","_meta":{"toolName":"agent"},"rawOutput":{"type":"task_execution","status":"completed","executionMode":"background"}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Background: dialect.Set(true), Outcome: dialect.Set(dialect.SubagentCompleted), Activity: dialect.Set(dialect.ActivityEnded),
		}),
	},
	{
		Name:     "an output of another type says nothing",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","_meta":{"toolName":"agent"},"rawOutput":{"type":"text","status":"cancelled","taskPrompt":"x"}}`),
		Findings: spawn("", dialect.SubagentPatch{}),
	},
	{
		Name:     "a subagent's call",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c7","title":"grep","kind":"search","_meta":{"toolName":"grep_search","parentToolCallId":"c1","subagentType":"explore","provenance":"subagent"}}`),
		Findings: nested("c7"),
	},
	{
		Name:     "a subagent's text and usage",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},"_meta":{"parentToolCallId":"c1","subagentType":"explore","usage":{"inputTokens":1000,"outputTokens":20,"totalTokens":1020}}}`),
		Findings: nested(""),
	},
	{
		Name:     "a subagent's thought",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm."},"_meta":{"parentToolCallId":"c1"}}`),
		Findings: nested(""),
	},
	{
		Name:  "a call that is its own parent is not nested",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c7","_meta":{"toolName":"grep_search","parentToolCallId":"c7"}}`),
	},

	// What is not for us.
	{
		Name:  "an ordinary call",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"c7","status":"failed","_meta":{"toolName":"run_shell_command","provenance":"builtin"}}`),
	},
	{
		Name:  "a question in a permission request",
		Frame: dialecttest.Permission(`{"sessionId":"s1","options":[{"optionId":"proceed_once","name":"Submit","kind":"allow_once"}],"toolCall":{"toolCallId":"c8","status":"pending","kind":"think","_meta":{"toolName":"ask_user_question","qwenInteractionKind":"user_question","qwenQuestions":[]}}}`),
	},
	{
		Name:  "commands, with metadata inside",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"available_commands_update","availableCommands":[],"_meta":{"toolName":"agent","availableSkills":["x"]}}`),
	},
	{
		Name:  "text without metadata",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}`),
	},
	{
		Name:  "the result of a prompt",
		Frame: dialecttest.PromptResult("s1", `{"stopReason":"end_turn","_meta":{"qwen.branchPoint":{"checkpointUuid":"u"}}}`),
	},
}

// A recorded answer is shown as it was given.
func TestExplainGivesBackTheAnswer(t *testing.T) {
	for _, want := range []dialect.Answer{{}, {Result: Queued("also run tests")}, {Result: Drained{HasQueuedPrompt: new(true)}}} {
		r := Queued()
		if d, ok := want.Result.(Drained); ok {
			r = d
		}
		if diff := cmp.Diff(want, explainDrain(DrainMidTurnQueue{}, r)); diff != "" {
			t.Errorf("drained (-want +got):\n%s", diff)
		}
	}
	for _, want := range []dialect.Answer{{}, {Result: Claimed{Claimed: true}}, {Result: Claimed{HasQueuedPrompt: true}}} {
		r, _ := want.Result.(Claimed)
		if diff := cmp.Diff(want, explainClaim(ClaimContinuation{}, r)); diff != "" {
			t.Errorf("claimed (-want +got):\n%s", diff)
		}
	}
}
