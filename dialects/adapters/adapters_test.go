package adapters

import (
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

func notice(kind dialect.NoticeKind, message string) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{Connection: true},
		Event: dialect.Notice{Kind: kind, Message: message},
	}}
}

func inBackground(call, message, detail string) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: "s1", ToolCallID: call},
		Event: dialect.Notice{Kind: dialect.NoticeBackground, Message: message, Detail: detail},
	}}
}

var cases = []dialecttest.Case{
	{
		Name:   "a subscription, told without its email",
		Method: "_auth/status_update",
		Params: `{"authStatus":{"kind":"account","label":"Claude Max","account":{"email":"a@b.c","organization":"o","plan":"max"}}}`,
		Want: AuthStatusUpdate{AuthStatus{
			Kind: "account", Label: "Claude Max", Account: Account{Organization: "o", Plan: "max"},
		}},
		Findings: notice(dialect.NoticeInfo, "The agent uses Claude Max"),
	},
	{
		Name:     "a key from the environment",
		Method:   "_auth/status_update",
		Params:   `{"authStatus":{"kind":"api_key","label":"Anthropic API key","detail":"ANTHROPIC_API_KEY"}}`,
		Findings: notice(dialect.NoticeInfo, "The agent uses Anthropic API key (ANTHROPIC_API_KEY)"),
	},
	{
		Name:     "a gateway and its host",
		Method:   "_auth/status_update",
		Params:   `{"authStatus":{"kind":"gateway","label":"Custom model gateway","detail":"127.0.0.1:9999"}}`,
		Findings: notice(dialect.NoticeInfo, "The agent uses Custom model gateway (127.0.0.1:9999)"),
	},
	{
		Name:     "nobody is signed in",
		Method:   "_auth/status_update",
		Params:   `{"authStatus":{"kind":"none","label":"Not logged in"}}`,
		Findings: notice(dialect.NoticeSignIn, "The agent is not signed in"),
	},
	{
		Name:     "an email where a label or a detail should be is not told",
		Method:   "_auth/status_update",
		Params:   `{"authStatus":{"kind":"account","label":"a@b.c","detail":"a@b.c"}}`,
		Findings: notice(dialect.NoticeInfo, "The agent uses a subscription"),
	},
	{
		Name:     "a kind from next year, an odd label, another number of underscores",
		Method:   "__auth/status_update",
		Params:   `{"authStatus":{"kind":"passkey","label":7,"vendor":{"x":1}}}`,
		Soft:     true,
		Findings: notice(dialect.NoticeInfo, "The agent uses an account of its own"),
	},
	{
		Name:    "an account update without an account",
		Method:  "_auth/status_update",
		Params:  `{}`,
		Refused: "authStatus",
	},
	{
		Name:    "an account update that is a list",
		Method:  "_auth/status_update",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:   "a session came and one went",
		Method: "_session/list/changes",
		Params: `{"subscriptionId":"sub1","sessions":[{"sessionId":"s9","cwd":"/w","title":"t","updatedAt":"2026-11-30T06:46:51Z"}],"removed":["s8"]}`,
		Findings: []dialect.Finding{{
			Link: dialect.Link{Connection: true},
			Event: dialect.Other{Value: ListChanges{
				SubscriptionID: "sub1",
				Sessions:       []SessionInfo{{SessionID: "s9", Cwd: "/w", Title: "t", UpdatedAt: "2026-11-30T06:46:51Z"}},
				Removed:        []string{"s8"},
			}},
		}},
	},
	{
		Name:    "list changes that are a list",
		Method:  "_session/list/changes",
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:     "a shell went to the background",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"async_task_spawned","asyncTaskId":"b1","name":"npm run\n dev","taskType":"shell","description":"Dev server","showInTranscript":true,"canStop":true,"toolCallId":"c1"}`),
		Findings: inBackground("c1", "Started in the background: npm run dev", ""),
	},
	{
		Name:     "the same on version 2 of the protocol, without a name",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"_async_task_spawned","asyncTaskId":"b1","taskType":"shell"}`),
		Findings: inBackground("", "Started in the background: shell", ""),
	},
	{
		Name:     "background work nobody named",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"async_task_spawned","asyncTaskId":"b1"}`),
		Findings: inBackground("", "Work was started in the background", ""),
	},
	{
		Name:  "progress in the background",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"async_task_progress","asyncTaskId":"b1","summary":"half","lastToolName":"Bash","usage":{"totalTokens":10,"toolUses":2,"durationMs":"300"},"toolCallId":"c1"}`),
		Findings: []dialect.Finding{{
			Link: dialect.Link{SessionID: "s1", ToolCallID: "c1"},
			Event: dialect.Other{Value: AsyncTask{
				ID: "b1", Summary: "half", LastToolName: "Bash", ToolCallID: "c1",
				Usage: AsyncTaskUsage{
					TotalTokens: dialect.Number{Value: 10, Valid: true},
					ToolUses:    dialect.Number{Value: 2, Valid: true},
					DurationMS:  dialect.Number{Value: 300, Valid: true},
				},
			}},
		}},
	},
	{
		Name:     "background work failed",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"async_task_state_update","asyncTaskId":"b1","state":"failed","summary":"exit 1","toolCallId":"c1"}`),
		Findings: inBackground("c1", "Background work: failed", "exit 1"),
	},
	{
		Name:  "background work in no state",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"async_task_state_update","asyncTaskId":"b1"}`),
	},
	{
		Name:  "the prompt of a Claude child with a session, in the parent's view",
		Frame: dialecttest.Update("0829c19d-0f80-48cf-b200-e9d0f97f83d9", `{"sessionUpdate":"session_message","messageId":"toolu_1","senderSessionId":"0829c19d-0f80-48cf-b200-e9d0f97f83d9","recipientSessionId":"ab955283fc75ca196","content":[{"type":"text","text":"Look around"},{"type":"image"}],"recipientMessageId":"toolu_1"}`),
		Findings: []dialect.Finding{{
			Link:  dialect.Link{SessionID: "0829c19d-0f80-48cf-b200-e9d0f97f83d9", ChildSessionID: "ab955283fc75ca196"},
			Event: dialect.SubagentPatch{Prompt: dialect.Set("Look around")},
		}},
	},
	{
		Name:  "the child's view of the same message",
		Frame: dialecttest.Update("ab955283fc75ca196", `{"sessionUpdate":"session_message","messageId":"toolu_1","senderSessionId":"0829c19d-0f80-48cf-b200-e9d0f97f83d9","recipientSessionId":"ab955283fc75ca196","content":[{"type":"text","text":"Look around"}],"senderMessageId":"toolu_1"}`),
	},
	{
		Name:  "a child's report to its parent is no prompt",
		Frame: dialecttest.Update("ab955283fc75ca196", `{"sessionUpdate":"session_message","messageId":"toolu_2","senderSessionId":"ab955283fc75ca196","recipientSessionId":"af8fc1fd07993f709","content":[{"type":"text","text":"Done"}]}`),
	},
	{
		Name:  "a message without text",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"session_message","senderSessionId":"s1","recipientSessionId":"ab955283fc75ca196:generation:2","content":[{"type":"text","text":""}]}`),
	},
	{
		Name:  "a quota beside the standard usage adds nothing",
		Frame: dialecttest.PromptResult("s1", `{"stopReason":"end_turn","usage":{"inputTokens":1000,"outputTokens":20,"totalTokens":1020},"_meta":{"quota":{"token_count":{"totalTokens":1020,"inputTokens":1000,"outputTokens":20}}}}`),
	},
	{
		Name:  "a quota alone, in Claude's words",
		Frame: dialecttest.PromptResult("s1", `{"stopReason":"end_turn","_meta":{"quota":{"token_count":{"totalTokens":1040,"inputTokens":1000,"cachedInputTokens":4,"cachedWriteTokens":6,"outputTokens":20,"reasoningOutputTokens":10},"model_usage":[]}}}`),
		Findings: []dialect.Finding{{
			Link: dialect.Link{SessionID: "s1"},
			Event: dialect.Usage{
				InputTokens: 1000, OutputTokens: 20, CachedReadTokens: 4, CachedWriteTokens: 6,
				ReasoningTokens: 10, TotalTokens: 1040,
			},
		}},
	},
	{
		Name:  "a quota alone, in Codex's words",
		Frame: dialecttest.PromptResult("s1", `{"stopReason":"end_turn","usage":null,"_meta":{"quota":{"token_count":{"totalTokens":1020,"inputTokens":1000,"cacheWriteInputTokens":3,"outputTokens":20}}}}`),
		Findings: []dialect.Finding{{
			Link:  dialect.Link{SessionID: "s1"},
			Event: dialect.Usage{InputTokens: 1000, OutputTokens: 20, CachedWriteTokens: 3, TotalTokens: 1020},
		}},
	},
	{
		Name:  "a turn that used nothing",
		Frame: dialecttest.PromptResult("s1", `{"stopReason":"cancelled","_meta":{"quota":{"token_count":null,"model_usage":[]}}}`),
	},
	{
		Name:  "any other update",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}`),
	},
}

// Session ids as they were seen, or are made by the package's source.
func TestClaudeChildKnowsASubagentsSession(t *testing.T) {
	for id, want := range map[string]bool{
		"ab955283fc75ca196":                               true,
		"af8fc1fd07993f709:generation:2":                  true,
		"0829c19d-0f80-48cf-b200-e9d0f97f83d9":            false,
		"0829c19d:replay-subagent:toolu_1":                true,
		"01a22b34-e241-7433-aee6-e991064378aa:subagent:t": false,
		"ab955283fc75ca19g":                               false,
		"s1":                                              false,
		"":                                                false,
	} {
		if got := ClaudeChild(id); got != want {
			t.Errorf("ClaudeChild(%q) = %v, want %v", id, got, want)
		}
	}
}
