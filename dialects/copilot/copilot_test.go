package copilot

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

const method = "github.com/copilot/sessionEvent"

func finding(l dialect.Link, e dialect.Event) []dialect.Finding {
	l.SessionID = "s1"
	return []dialect.Finding{{Link: l, Event: e}}
}

func spawn(s dialect.SubagentPatch) []dialect.Finding {
	return finding(dialect.Link{ToolCallID: "call_9", AgentID: "ag-2"}, s)
}

func nested(call string) []dialect.Finding {
	return finding(dialect.Link{ToolCallID: call}, dialect.Inside{Parent: dialect.Link{SessionID: "s1", AgentID: "ag-2"}})
}

func known(frame *dialect.Frame, meta string) *dialect.Frame {
	frame.Call = dialect.ToolCall{ID: "call_12", Title: "view", Meta: json.RawMessage(meta)}
	return frame
}

var cases = []dialecttest.Case{
	{
		Name:   "a subagent started",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.started","timestamp":"2026-11-01T00:00:00Z","agentId":"ag-2","data":{"toolCallId":"call_9","agentName":"explore","agentDisplayName":"Explore","agentDescription":"Read-only search","model":"m"}}`,
		Want: Event{
			SessionID: "s1", Type: "subagent.started", Timestamp: "2026-11-01T00:00:00Z", AgentID: "ag-2",
			Data: json.RawMessage(`{"toolCallId":"call_9","agentName":"explore","agentDisplayName":"Explore","agentDescription":"Read-only search","model":"m"}`),
			Payload: SubagentData{
				ToolCallID: "call_9", AgentName: "explore", AgentDisplayName: "Explore", AgentDescription: "Read-only search", Model: "m",
			},
		},
		Findings: spawn(dialect.SubagentPatch{
			AgentType: dialect.Set("explore"), Description: dialect.Set("Read-only search"), Model: dialect.Set("m"),
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:   "a subagent started in the background",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.started","agentId":"ag-2","data":{"toolCallId":"call_9","agentName":"task","executionMode":"background","parentId":"x","resumable":true}}`,
		Findings: spawn(dialect.SubagentPatch{
			AgentType: dialect.Set("task"), Background: dialect.Set(true),
			Outcome: dialect.Set(dialect.SubagentLaunched), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:   "a subagent was configured, and the event has its id alone",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.configured","agentId":"ag-2","data":{"model":"m2","multiTurn":false,"reasoningEffort":"low"}}`,
		Findings: finding(dialect.Link{AgentID: "ag-2"}, dialect.SubagentPatch{
			Model: dialect.Set("m2"),
		}),
	},
	{
		Name:   "a subagent was configured, and nothing says which",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.configured","data":{"model":"m2"}}`,
		Findings: finding(dialect.Link{}, dialect.Other{Value: Event{
			SessionID: "s1", Type: "subagent.configured", Data: json.RawMessage(`{"model":"m2"}`),
			Payload: SubagentData{Model: "m2"},
		}}),
	},
	{
		Name:   "a subagent completed",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.completed","agentId":"ag-2","data":{"toolCallId":"call_9","agentName":"explore","agentDisplayName":"Explore","model":"m","totalToolCalls":3,"totalTokens":"1200","durationMs":900.0}}`,
		Findings: spawn(dialect.SubagentPatch{
			AgentType: dialect.Set("explore"), Model: dialect.Set("m"),
			ToolCalls: dialect.Set[int64](3), Tokens: dialect.Set[int64](1200), Duration: dialect.Set(900 * time.Millisecond),
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCompleted),
		}),
	},
	{
		Name:   "a subagent was cancelled",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.completed","agentId":"ag-2","data":{"toolCallId":"call_9","cancelled":true,"durationMs":-5}}`,
		Findings: spawn(dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled),
		}),
	},
	{
		Name:   "a subagent failed",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.failed","agentId":"ag-2","data":{"toolCallId":"call_9","error":"no model"}}`,
		Findings: spawn(dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("no model"),
		}),
	},
	{
		Name:   "a subagent failed for being cancelled",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.failed","agentId":"ag-2","data":{"toolCallId":"call_9","cancelled":true}}`,
		Findings: spawn(dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled),
		}),
	},
	{
		Name:   "data too large to send, with the subagent's id",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.started","agentId":"ag-2","dataOmitted":true}`,
		Findings: finding(dialect.Link{AgentID: "ag-2"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:   "data too large to send, with no id at all",
		Method: method,
		Params: `{"sessionId":"s1","type":"subagent.completed","dataOmitted":true}`,
		Findings: finding(dialect.Link{}, dialect.Other{Value: Event{
			SessionID: "s1", Type: "subagent.completed", DataOmitted: true, Payload: SubagentData{},
		}}),
	},
	{
		Name:   "oddly typed data keep what is beside them",
		Method: "_github.com/copilot/sessionEvent",
		Params: `{"sessionId":"s1","type":"subagent.started","agentId":"ag-2","data":{"toolCallId":"call_9","model":7,"agentName":"explore"}}`,
		Soft:   true,
		Findings: spawn(dialect.SubagentPatch{
			AgentType: dialect.Set("explore"), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:    "a subagent without an id",
		Method:  method,
		Params:  `{"sessionId":"s1","type":"subagent.started","data":{"agentName":"explore"}}`,
		Refused: "data.toolCallId",
	},
	{
		Name:    "an event of no type",
		Method:  method,
		Params:  `{"sessionId":"s1","data":{}}`,
		Refused: "type",
	},
	{
		Name:    "an event that is a list",
		Method:  method,
		Params:  `[]`,
		Refused: "params",
	},
	{
		Name:   "an error",
		Method: method,
		Params: `{"sessionId":"s1","type":"session.error","data":{"errorType":"query","message":"It broke.\nBadly.","statusCode":500}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{
			Kind: dialect.NoticeError, Message: "It broke.", Detail: "It broke.\nBadly.",
		}),
	},
	{
		Name:   "an error of the account",
		Method: method,
		Params: `{"sessionId":"s1","type":"session.error","data":{"errorType":"authentication","message":"Sign in","url":"https://example/login"}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{
			Kind: dialect.NoticeSignIn, Message: "Sign in", URL: "https://example/login",
		}),
	},
	{
		Name:     "a rate limit without a message",
		Method:   method,
		Params:   `{"sessionId":"s1","type":"session.error","data":{"errorType":"rate_limit"}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeRateLimit, Message: "Copilot reports an error rate_limit"}),
	},
	{
		Name:     "an error whose data are no object",
		Method:   method,
		Params:   `{"sessionId":"s1","type":"session.error","data":"It broke."}`,
		Soft:     true,
		Findings: finding(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeError, Message: "Copilot reports an error"}),
	},
	{
		Name:     "compaction begins",
		Method:   method,
		Params:   `{"sessionId":"s1","type":"session.compaction_start","data":{"conversationTokens":5}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation is being compacted"}),
	},
	{
		Name:     "compaction is done",
		Method:   method,
		Params:   `{"sessionId":"s1","type":"session.compaction_complete","data":{"success":true,"preCompactionTokens":9,"postCompactionTokens":3}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation was compacted"}),
	},
	{
		Name:     "compaction is done, its success is not understood",
		Method:   method,
		Params:   `{"sessionId":"s1","type":"session.compaction_complete","data":{"success":"true"}}`,
		Soft:     true,
		Findings: finding(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation was compacted"}),
	},
	{
		Name:   "compaction failed",
		Method: method,
		Params: `{"sessionId":"s1","type":"session.compaction_complete","data":{"success":false,"error":"too long"}}`,
		Findings: finding(dialect.Link{}, dialect.Notice{
			Kind: dialect.NoticeCompaction, Message: "The conversation could not be compacted", Detail: "too long",
		}),
	},
	{
		Name:   "what a subagent's call to the model used",
		Method: method,
		Params: `{"sessionId":"s1","type":"assistant.usage","agentId":"ag-2","data":{"model":"m","inputTokens":1000,"outputTokens":20,"cacheReadTokens":5,"cacheWriteTokens":6,"cost":0.33,"duration":300}}`,
		Findings: finding(dialect.Link{AgentID: "ag-2"}, dialect.Usage{
			InputTokens: 1000, OutputTokens: 20, CachedReadTokens: 5, CachedWriteTokens: 6,
			Costs: []dialect.Cost{{Amount: 0.33, Unit: "premium requests"}},
		}),
	},
	{
		Name:   "what the session has used",
		Method: method,
		Params: `{"sessionId":"s1","type":"session.usage_checkpoint","data":{"totalNanoAiu":1500000000}}`,
		Findings: finding(dialect.Link{}, dialect.Usage{
			Costs: []dialect.Cost{{Amount: 1.5, Unit: "AI units"}},
		}),
	},
	{
		Name:   "usage that tells nothing is told as it came",
		Method: method,
		Params: `{"sessionId":"s1","type":"assistant.usage","data":{"model":"m"}}`,
		Findings: finding(dialect.Link{}, dialect.Other{Value: Event{
			SessionID: "s1", Type: "assistant.usage", Data: json.RawMessage(`{"model":"m"}`), Payload: UsageData{Model: "m"},
		}}),
	},
	{
		Name:   "an event the host asked for itself",
		Method: method,
		Params: `{"sessionId":"s1","type":"session.idle","timestamp":"2026-11-01T00:00:00Z","data":{"aborted":true}}`,
		Findings: finding(dialect.Link{}, dialect.Other{Value: Event{
			SessionID: "s1", Type: "session.idle", Timestamp: "2026-11-01T00:00:00Z", Data: json.RawMessage(`{"aborted":true}`),
		}}),
	},

	// The calls.
	{
		Name:  "the call that spawns a subagent",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"call_9","title":"Look around","kind":"other","status":"pending","rawInput":{"description":"Look around","prompt":"Go.","agent_type":"explore","name":"Look around"}}`),
		Findings: finding(dialect.Link{ToolCallID: "call_9"}, dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Prompt: dialect.Set("Go."), AgentType: dialect.Set("explore"),
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "a subagent asks for another",
		Frame: dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"call_12","title":"Look","kind":"other","status":"pending","rawInput":{"prompt":"Go.","agent_type":"explore"},"_meta":{"github.com/copilot":{"agentId":"ag-2"}}},"options":[]}`),
		Findings: append(nested("call_12"), finding(dialect.Link{ToolCallID: "call_12"}, dialect.SubagentPatch{
			Prompt: dialect.Set("Go."), AgentType: dialect.Set("explore"), Activity: dialect.Set(dialect.ActivityRunning),
		})...),
	},
	{
		Name:  "the spawning call completes",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"call_9","status":"completed","rawInput":{"prompt":"Go.","agent_type":"explore"},"rawOutput":{"content":"It is a demo."}}`),
		Findings: finding(dialect.Link{ToolCallID: "call_9"}, dialect.SubagentPatch{
			Prompt: dialect.Set("Go."), AgentType: dialect.Set("explore"),
		}),
	},
	{
		Name:     "a subagent's call",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"call_12","title":"view","kind":"read","rawInput":{"path":"/w/README.md"},"_meta":{"github.com/copilot":{"agentId":"ag-2"}}}`),
		Findings: nested("call_12"),
	},
	{
		Name:     "a subagent's call asks for permission, which does not say whose it is",
		Frame:    known(dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"call_12","title":"fake","kind":"execute","status":"pending","rawInput":{"command":"ls"}},"options":[]}`), `{"github.com/copilot":{"agentId":"ag-2"}}`),
		Findings: nested("call_12"),
	},
	{
		Name:     "a subagent's text, should it ever say so",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Here."},"_meta":{"github.com/copilot":{"agentId":"ag-2"}}}`),
		Findings: nested(""),
	},
	{
		Name:  "the main agent's call",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"call_1","title":"fake","kind":"execute","status":"pending","rawInput":{"command":"ls","description":"fake"},"_meta":{"github.com/copilot":{}}}`),
	},
	{
		Name:  "a call with an agent type and nothing to do",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"call_1","rawInput":{"agent_type":"explore"}}`),
	},
	{
		Name:  "any other update",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"usage_update","used":1,"size":2}`),
	},
}

// The agent takes at most 128 types, and says nothing of those it does not know.
func TestAdvertiseAsksForTheTypesThatAreRead(t *testing.T) {
	want := dialect.Capabilities{"_meta": map[string]any{"github.com/copilot": map[string]any{"events": []any{
		"subagent.started", "subagent.configured", "subagent.completed", "subagent.failed",
		"session.error", "session.compaction_start", "session.compaction_complete",
		"session.usage_checkpoint", "assistant.usage",
	}}}}
	for _, asks := range []bool{false, true} {
		if diff := cmp.Diff(want, Dialect().Advertise(asks)); diff != "" {
			t.Errorf("Advertise(%v) (-want +got):\n%s", asks, diff)
		}
	}
}
