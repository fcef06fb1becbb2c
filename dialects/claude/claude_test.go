package claude

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

func spawn(agent string, s dialect.SubagentPatch) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{SessionID: "s1", ToolCallID: "toolu_p", AgentID: agent}, Event: s}}
}

func nested(call string) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: "s1", ToolCallID: call},
		Event: dialect.Inside{Parent: dialect.Link{SessionID: "s1", ToolCallID: "toolu_p"}},
	}}
}

func inChild(call string) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{SessionID: child, ToolCallID: call},
		Event: dialect.Inside{Parent: dialect.Link{ChildSessionID: child}},
	}}
}

func notice(n dialect.Notice) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{SessionID: "s1"}, Event: n}}
}

// child is the session id of a subagent.
const child = "ab955283fc75ca196"

// known is the record of a spawning call whose input is known.
func known(status string) dialect.ToolCall {
	return dialect.ToolCall{
		SessionID: "s1", ID: "toolu_p", Title: "Look around", Name: "Agent", Kind: "think", Status: status,
		RawInput: json.RawMessage(`{"description":"Look around","prompt":"Go."}`),
	}
}

func after(frame *dialect.Frame, call dialect.ToolCall) *dialect.Frame {
	frame.Call = call
	return frame
}

var cases = []dialecttest.Case{
	{
		Name:   "a raw message is told as it came",
		Method: "_claude/sdkMessage",
		Params: `{"sessionId":"s1","message":{"type":"system","subtype":"init"}}`,
		Findings: []dialect.Finding{{
			Link:  dialect.Link{SessionID: "s1"},
			Event: dialect.Other{Value: Message{Type: "system", Subtype: "init", Raw: json.RawMessage(`{"type":"system","subtype":"init"}`)}},
		}},
	},
	{
		Name:   "a raw message of no known form",
		Method: "claude/sdkMessage",
		Params: `{"message":[7]}`,
		Findings: []dialect.Finding{{
			Event: dialect.Other{Value: Message{Raw: json.RawMessage(`[7]`)}},
		}},
	},
	{
		Name:    "a raw message without the message",
		Method:  "_claude/sdkMessage",
		Params:  `{"sessionId":"s1"}`,
		Refused: "message",
	},
	{
		Name:    "a raw message that is a list",
		Method:  "_claude/sdkMessage",
		Params:  `[]`,
		Refused: "params",
	},

	// A background agent, as recorded.
	{
		Name:     "a spawning call, before its input is known",
		Frame:    dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent"}},"toolCallId":"toolu_p","sessionUpdate":"tool_call","name":"Agent","rawInput":{},"status":"pending","title":"Task","kind":"think","content":[]}`),
		Findings: spawn("", dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}),
	},
	{
		Name:  "a part of the input",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent"}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update","rawInput":{"description":"Look around"},"title":"Look around"}`),
		Findings: spawn("", dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Description: dialect.Set("Look around"),
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "all of the input, in the tool's older name",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Task"}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update","rawInput":{"description":"Look around","prompt":"Go.","subagent_type":"Explore","model":"sonnet","run_in_background":true}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Description: dialect.Set("Look around"),
			Prompt: dialect.Set("Go."), AgentType: dialect.Set("Explore"), Model: dialect.Set("sonnet"),
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name: "launched in the background",
		Frame: after(dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolResponse":{"isAsync":true,"status":"async_launched","agentId":"af8fc1fd07993f709","description":"Look around","resolvedModel":"claude-opus-5-5","prompt":"Go.","outputFile":"/run/x.output","canReadOutputFile":true},"toolName":"Agent"}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update"}`),
			known("pending")),
		Findings: spawn("af8fc1fd07993f709", dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Description: dialect.Set("Look around"),
			Prompt: dialect.Set("Go."), Model: dialect.Set("claude-opus-5-5"),
			Background: dialect.Set(true), Outcome: dialect.Set(dialect.SubagentLaunched), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name: "the launching call completes, and says nothing new",
		Frame: after(dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent"}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update","status":"completed","rawOutput":[{"type":"text","text":"Async agent launched"}]}`),
			known("completed")),
		Findings: spawn("", dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Description: dialect.Set("Look around"), Prompt: dialect.Set("Go."),
		}),
	},
	{
		Name: "launched elsewhere",
		Frame: after(dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent","toolResponse":{"status":"remote_launched","taskId":"r1","sessionUrl":"https://example/r1","description":"Look around","prompt":"Go.","outputFile":"/run/r1"}}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update"}`),
			known("pending")),
		Findings: spawn("r1", dialect.SubagentPatch{
			Title: dialect.Set("Look around"), Description: dialect.Set("Look around"), Prompt: dialect.Set("Go."),
			Background: dialect.Set(true), Outcome: dialect.Set(dialect.SubagentLaunched), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},

	// A foreground agent.
	{
		Name:  "a heartbeat knows the type",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent","toolResponse":{"elapsedTimeSeconds":30,"subagentType":"Explore"}}},"toolCallId":"toolu_p","sessionUpdate":"tool_call_update"}`),
		Findings: spawn("", dialect.SubagentPatch{
			AgentType: dialect.Set("Explore"), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "completed, with totals",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"toolu_p","_meta":{"claudeCode":{"toolName":"Agent","toolResponse":{"status":"completed","agentId":"a1","agentType":"Explore","resolvedModel":"claude-x","totalToolUseCount":3,"totalDurationMs":900,"totalTokens":1200,"prompt":"Go.","content":[{"type":"text","text":"It is"},{"type":"image"},{"type":"text","text":"a demo."}]}}}}`),
		Findings: spawn("a1", dialect.SubagentPatch{
			Prompt: dialect.Set("Go."), AgentType: dialect.Set("Explore"), Model: dialect.Set("claude-x"),
			ToolCalls: dialect.Set[int64](3), Tokens: dialect.Set[int64](1200), Duration: dialect.Set(900 * time.Millisecond),
			Summary: dialect.Set("It is\na demo."), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "asked for in the background and run in the foreground, for an impossible time",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"toolu_p","rawInput":{"prompt":"Go.","run_in_background":true},"_meta":{"claudeCode":{"toolName":"Agent","toolResponse":{"status":"completed","totalDurationMs":-1}}}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Prompt: dialect.Set("Go."), Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "completed is left to the call's status",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"toolu_p","status":"completed","rawInput":{"prompt":"Go."},"_meta":{"claudeCode":{"toolName":"Agent"}}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Prompt: dialect.Set("Go."),
		}),
	},
	{
		Name:  "interrupted by the user",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"toolu_p","status":"failed","rawOutput":"stopped","_meta":{"claudeCode":{"toolName":"Agent","nonExecutionKind":"interrupted"}}}`),
		Findings: spawn("", dialect.SubagentPatch{
			Outcome: dialect.Set(dialect.SubagentCancelled),
		}),
	},
	{
		Name:     "denied by a rule is a failure like another",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"toolu_p","status":"failed","_meta":{"claudeCode":{"toolName":"Agent","nonExecutionKind":"permission-rule"}}}`),
		Findings: spawn("", dialect.SubagentPatch{}),
	},

	// What a subagent does, in its parent's session.
	{
		Name:     "a subagent's call",
		Frame:    dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Read","parentToolUseId":"toolu_p"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call","name":"Read","rawInput":{"file_path":"/w/README.md"},"status":"pending","title":"Read README.md","kind":"read"}`),
		Findings: nested("toolu_c"),
	},
	{
		Name:     "a subagent's call, whose response is no agent's",
		Frame:    dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolResponse":{"type":"text","status":"completed","file":{"content":"x"}},"toolName":"Read","parentToolUseId":"toolu_p"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call_update"}`),
		Findings: nested("toolu_c"),
	},
	{
		Name:     "a subagent's call beside other metadata",
		Frame:    dialecttest.Update("s1", `{"_meta":{"terminal_output":{"terminal_id":"toolu_c","data":"x"},"claudeCode":{"parentToolUseId":"toolu_p"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call_update"}`),
		Findings: nested("toolu_c"),
	},
	{
		Name:     "a subagent asks for permission",
		Frame:    dialecttest.Permission(`{"toolCall":{"toolCallId":"toolu_c","name":"Bash","status":"pending","rawInput":{"command":"ls"},"title":"ls","kind":"execute","_meta":{"claudeCode":{"toolName":"Bash","parentToolUseId":"toolu_p"}}},"options":[{"optionId":"allow-once","name":"Yes","kind":"allow_once"}],"sessionId":"s1"}`),
		Findings: nested("toolu_c"),
	},
	{
		Name:     "a subagent's text",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Here."},"_meta":{"claudeCode":{"parentToolUseId":"toolu_p"}}}`),
		Findings: nested(""),
	},
	{
		Name:  "a subagent's subagent",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Agent","parentToolUseId":"toolu_p"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call","rawInput":{"prompt":"Deeper."},"status":"pending"}`),
		Findings: append(nested("toolu_c"), dialect.Finding{
			Link:  dialect.Link{SessionID: "s1", ToolCallID: "toolu_c"},
			Event: dialect.SubagentPatch{Prompt: dialect.Set("Deeper."), Activity: dialect.Set(dialect.ActivityRunning)},
		}),
	},
	{
		Name:  "a call that is its own parent is not nested",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Read","parentToolUseId":"toolu_c"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call"}`),
	},

	// What a subagent does, in a session of its own.
	{
		Name:     "a call in a child's session belongs to the child",
		Frame:    dialecttest.Update(child, `{"_meta":{"claudeCode":{"toolName":"Read","parentToolUseId":"toolu_p"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call","name":"Read","status":"pending"}`),
		Findings: inChild("toolu_c"),
	},
	{
		Name:     "text in a child's session",
		Frame:    dialecttest.Update(child, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Here."},"_meta":{"claudeCode":{"parentToolUseId":"toolu_p"}}}`),
		Findings: inChild(""),
	},
	{
		Name:     "a configuration in a child's session",
		Frame:    dialecttest.Update(child, `{"sessionUpdate":"config_option_update","configOptions":[],"_meta":{"claudeCode":{"parentToolUseId":"toolu_p"}}}`),
		Findings: inChild(""),
	},

	// Notices.
	{
		Name:  "a warning among the text",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"**Warning:** auto mode is\n changing."},"_meta":{"claudeCode":{"kind":"informational","level":"warning"}}}`),
		Findings: notice(dialect.Notice{
			Kind: dialect.NoticeWarning, Message: "auto mode is", Detail: "auto mode is\n changing.",
		}),
	},
	{
		Name:     "an error among the text",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"No ** label"},"_meta":{"claudeCode":{"kind":"informational","level":"error"}}}`),
		Findings: notice(dialect.Notice{Kind: dialect.NoticeError, Message: "No ** label"}),
	},
	{
		Name:  "an informational chunk without text",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" \n"},"_meta":{"claudeCode":{"kind":"informational","level":"info"}}}`),
	},
	{
		Name:     "an MCP server that failed",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"**MCP server \"demo\" failed to start:** Its tools are unavailable."},"_meta":{"claudeCode":{"kind":"mcpServerStatus","server":"demo","status":"failed"}}}`),
		Findings: notice(dialect.Notice{Kind: dialect.NoticeMCP, Message: "MCP server demo: failed"}),
	},
	{
		Name:  "a rate limit is reached",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"usage_update","used":1,"size":2,"_meta":{"_claude/rateLimit":{"status":"rejected","rateLimitType":"five_hour","resetsAt":1796021172},"_claude/model":"m"}}`),
		Findings: notice(dialect.Notice{
			Kind: dialect.NoticeRateLimit, Message: "The rate limit is reached (five_hour)", Detail: "resets at 2026-11-30T06:46:12Z",
		}),
	},
	{
		Name:     "a rate limit is near, and nobody says which",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"usage_update","used":1,"size":2,"_meta":{"_claude/rateLimit":{"status":"allowed_warning","resetsAt":1e300}}}`),
		Findings: notice(dialect.Notice{Kind: dialect.NoticeRateLimit, Message: "The rate limit is near"}),
	},
	{
		Name:  "a rate limit that allows is no news",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"usage_update","used":1,"size":2,"_meta":{"_claude/rateLimit":{"status":"allowed"}}}`),
	},
	{
		Name:  "usage with the model and the origin",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"usage_update","used":1020,"size":1000000,"cost":{"amount":0.1,"currency":"USD"},"_meta":{"_claude/origin":{"kind":"human"},"_claude/model":"claude-opus-5-5"}}`),
	},

	// What is not for us.
	{
		Name:  "an ordinary call",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":{"toolName":"Bash"}},"toolCallId":"toolu_c","sessionUpdate":"tool_call","name":"Bash","rawInput":{"command":"ls"}}`),
	},
	{
		Name:  "an MCP call that asks for permission",
		Frame: dialecttest.Permission(`{"toolCall":{"toolCallId":"toolu_c","name":"mcp__demo__echo","status":"pending","_meta":{"claudeCode":{"toolName":"mcp__demo__echo","mcpServer":{"name":"demo","source":"dynamic"}}}},"options":[],"sessionId":"s1"}`),
	},
	{
		Name:  "another agent's tool named Agent",
		Frame: dialecttest.Update("s1", `{"_meta":{"toolName":"Agent"},"toolCallId":"c","sessionUpdate":"tool_call","name":"Agent","rawInput":{"prompt":"Go."}}`),
	},
	{
		Name:  "metadata of no known form",
		Frame: dialecttest.Update("s1", `{"_meta":{"claudeCode":"x"},"toolCallId":"c","sessionUpdate":"tool_call"}`),
	},
}
