package codex

import (
	"encoding/json"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

// Ids as they were seen: the root session is named as its thread is, and a
// child's session as both.
const (
	root   = "01a22b34-e241-7433-aee6-e991064378aa"
	thread = "01a22b34-e897-7af0-a0b0-a914827e1908"
	inner  = root + ":subagent:" + thread
)

func finding(l dialect.Link, e dialect.Event) []dialect.Finding {
	return []dialect.Finding{{Link: l, Event: e}}
}

func spawn(s dialect.SubagentPatch, agent string) []dialect.Finding {
	s.Background = dialect.Set(true)
	return finding(dialect.Link{SessionID: "s1", ToolCallID: "i3", AgentID: agent}, s)
}

func state(agent string, s dialect.SubagentPatch) dialect.Finding {
	return dialect.Finding{Link: dialect.Link{SessionID: "s1", AgentID: agent}, Event: s}
}

var (
	launched  = dialect.SubagentPatch{Outcome: dialect.Set(dialect.SubagentLaunched), Activity: dialect.Set(dialect.ActivityRunning)}
	running   = dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}
	completed = dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCompleted)}
	cancelled = dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled)}
	failed    = dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentFailed)}
	ended     = dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded)}
)

func with(s dialect.SubagentPatch, change func(*dialect.SubagentPatch)) dialect.SubagentPatch {
	change(&s)
	return s
}

func known(frame *dialect.Frame, title, rawInput string) *dialect.Frame {
	frame.Call = dialect.ToolCall{ID: "i3", Title: title, Kind: "other", RawInput: json.RawMessage(rawInput)}
	return frame
}

var cases = []dialecttest.Case{
	// Version 2: rawInput.
	{
		Name:  "a thread is spawned",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","title":"spawnAgent","kind":"other","rawInput":{"prompt":"check tests","senderThreadId":"th1","receiverThreadIds":["th2"],"agentsStates":{"th2":{"status":"running","message":null}},"model":"m","status":"inProgress"}}`),
		Findings: append(spawn(with(launched, func(s *dialect.SubagentPatch) {
			s.Prompt, s.Model = dialect.Set("check tests"), dialect.Set("m")
		}), "th2"), state("th2", running)),
	},
	{
		Name:  "a thread is being spawned and has no id yet",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","title":"spawnAgent","kind":"other","status":"in_progress","rawInput":{"prompt":"check tests","senderThreadId":"th1","receiverThreadIds":[],"agentsStates":{},"model":null,"reasoningEffort":null,"status":"inProgress"}}`),
		Findings: spawn(with(launched, func(s *dialect.SubagentPatch) {
			s.Prompt = dialect.Set("check tests")
		}), ""),
	},
	{
		Name: "the spawning call completes, which is no end",
		Frame: known(dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"i3","status":"completed","rawInput":{"prompt":"check tests","senderThreadId":"th1","receiverThreadIds":["th2"],"agentsStates":{"th2":{"status":"pendingInit"}},"status":"completed"}}`),
			"spawnAgent", `{"prompt":"check tests","senderThreadId":"th1","receiverThreadIds":["th2"],"agentsStates":{"th2":{"status":"pendingInit"}},"status":"completed"}`),
		Findings: append(spawn(with(launched, func(s *dialect.SubagentPatch) {
			s.Prompt = dialect.Set("check tests")
		}), "th2"), state("th2", running)),
	},
	{
		Name: "a thread could not be spawned",
		Frame: known(dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"i3","status":"failed"}`),
			"spawnAgent", `{"prompt":"check tests","senderThreadId":"th1","receiverThreadIds":[],"agentsStates":{}}`),
		Findings: spawn(with(failed, func(s *dialect.SubagentPatch) {
			s.Prompt = dialect.Set("check tests")
		}), ""),
	},
	{
		Name:  "two threads by one call",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","title":"spawnAgent","rawInput":{"receiverThreadIds":["th2","th3",""]}}`),
		Findings: append(spawn(launched, "th2"), state("th3", with(launched, func(s *dialect.SubagentPatch) {
			s.Background = dialect.Set(true)
		}))),
	},
	{
		Name:  "waiting for a thread says nothing of it",
		Frame: dialecttest.Update(root, `{"sessionUpdate":"tool_call","toolCallId":"w1","kind":"other","title":"wait","status":"in_progress","rawInput":{"prompt":null,"senderThreadId":"`+root+`","receiverThreadIds":["`+thread+`"],"agentsStates":{},"model":null,"reasoningEffort":null,"status":"inProgress"}}`),
	},
	{
		Name:  "what the wait came to",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"w1","status":"completed","rawInput":{"prompt":null,"senderThreadId":"th1","receiverThreadIds":["th2"],"agentsStates":{"th7":{"status":"asleep"},"th6":{"status":"notFound"},"th5":{"status":"shutdown"},"th4":{"status":"interrupted"},"th3":{"status":"errored","message":"no tokens"},"th2":{"status":"completed","message":"It is a demo."},"":{"status":"completed"}},"model":null,"status":"completed"}}`),
		Findings: []dialect.Finding{
			state("th2", with(completed, func(s *dialect.SubagentPatch) { s.Summary = dialect.Set("It is a demo.") })),
			state("th3", with(failed, func(s *dialect.SubagentPatch) { s.Error = dialect.Set("no tokens") })),
			state("th4", cancelled),
			state("th5", ended),
			state("th6", ended),
		},
	},
	{
		Name:  "a newer model starts a thread",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","kind":"other","title":"Start subagent tests","status":"in_progress","rawInput":{"agentThreadId":"th2","agentPath":"/root/tests","activityKind":"started"}}`),
		Findings: spawn(with(launched, func(s *dialect.SubagentPatch) {
			s.Title = dialect.Set("tests")
		}), "th2"),
	},
	{
		Name:     "a newer model talks to a thread",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i4","kind":"other","rawInput":{"agentThreadId":"th2","agentPath":"/root/tests","activityKind":"interacted"}}`),
		Findings: []dialect.Finding{state("th2", dialect.SubagentPatch{Title: dialect.Set("tests")})},
	},
	{
		Name:     "a newer model interrupts a thread",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i4","rawInput":{"agentThreadId":"th2","agentPath":"","activityKind":"interrupted"}}`),
		Findings: []dialect.Finding{state("th2", cancelled)},
	},
	{
		Name:  "a newer model's thread completed",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i4","rawInput":{"agentThreadId":"th2","agentPath":"/root/a/b/","activityKind":"completed"}}`),
		Findings: []dialect.Finding{state("th2", with(completed, func(s *dialect.SubagentPatch) {
			s.Title = dialect.Set("b")
		}))},
	},
	{
		Name:  "the main thread is no subagent",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i4","rawInput":{"agentThreadId":"th1","agentPath":"/root","activityKind":"started"}}`),
	},

	// Version 1: _meta.
	{
		Name:     "version 1 spawns",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","title":"Spawn agent","kind":"other","_meta":{"codex":{"collaboration":{"tool":"spawnAgent","senderThreadId":"th1","receiverThreadIds":["th2"]}}}}`),
		Findings: spawn(launched, "th2"),
	},
	{
		Name:  "version 1 waits",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","_meta":{"codex":{"collaboration":{"tool":"wait","senderThreadId":"th1","receiverThreadIds":["th2"]}}}}`),
	},
	{
		Name:  "version 1 tells of a thread",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"i3","_meta":{"codex":{"subagent":{"threadId":"th2","path":"root/tests","activity":"started"}}}}`),
		Findings: spawn(with(launched, func(s *dialect.SubagentPatch) {
			s.Title = dialect.Set("tests")
		}), "th2"),
	},

	// Sessions for the children.
	{
		Name:  "a child's session and its thread",
		Frame: dialecttest.Update(root, `{"sessionUpdate":"subagent_update","sessionId":"`+inner+`","capabilities":{},"description":"Look around."}`),
		Findings: finding(dialect.Link{SessionID: root, ChildSessionID: inner, AgentID: thread},
			dialect.SubagentPatch{Prompt: dialect.Set("Look around.")}),
	},
	{
		Name:  "a child's session in a percent-encoded form",
		Frame: dialecttest.Update("a/b", `{"sessionUpdate":"subagent_update","sessionId":"a%2Fb:subagent:t%2F1","state":{"state":"idle","stopReason":"end_turn"}}`),
		Findings: finding(dialect.Link{SessionID: "a/b", ChildSessionID: "a%2Fb:subagent:t%2F1", AgentID: "t/1"},
			dialect.SubagentPatch{}),
	},
	{
		Name:  "a child's session of no known form",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"subagent_update","sessionId":"child-1","state":{"state":"running"}}`),
	},
	{
		Name:  "a child's session that cannot be decoded",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"subagent_update","sessionId":"s1:subagent:%zz"}`),
	},
	{
		Name:  "version 2 of the protocol: a child was spawned",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"_subagent_update","subagentSessionId":"th2","name":"tests","task":"Run them.","capabilities":{}}`),
		Findings: finding(dialect.Link{SessionID: "s1", ChildSessionID: "th2"}, with(running, func(s *dialect.SubagentPatch) {
			s.Title, s.Prompt = dialect.Set("tests"), dialect.Set("Run them.")
		})),
	},
	{
		Name:     "version 2 of the protocol: a child failed",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"_subagent_update","subagentSessionId":"th2","state":"failed"}`),
		Findings: finding(dialect.Link{SessionID: "s1", ChildSessionID: "th2"}, failed),
	},
	{
		Name:     "version 2 of the protocol: a child was lost",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"_subagent_update","subagentSessionId":"th2","state":"disconnected"}`),
		Findings: finding(dialect.Link{SessionID: "s1", ChildSessionID: "th2"}, ended),
	},
	{
		Name:     "version 2 of the protocol: a child in a state nobody knows",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"_subagent_update","subagentSessionId":"th2","state":"asleep"}`),
		Findings: finding(dialect.Link{SessionID: "s1", ChildSessionID: "th2"}, dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityUnknown)}),
	},
	{
		Name:  "version 2 of the protocol: a child without an id",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"_subagent_update","name":"tests"}`),
	},

	// The session's thread.
	{
		Name:  "the thread waits for an approval",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"active","activeFlags":["waitingOnApproval"]}}}}`),
		Findings: finding(dialect.Link{SessionID: "s1"}, dialect.Other{Value: SessionInfo{
			ThreadStatus: ThreadStatus{Type: "active", ActiveFlags: []string{"waitingOnApproval"}},
		}}),
	},
	{
		Name:  "the thread is broken",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}}`),
		Findings: append(
			finding(dialect.Link{SessionID: "s1"}, dialect.Other{Value: SessionInfo{ThreadStatus: ThreadStatus{Type: "systemError"}}}),
			finding(dialect.Link{SessionID: "s1"}, dialect.Notice{Kind: dialect.NoticeError, Message: "Codex reports a system error in the thread"})...),
	},
	{
		Name:     "the session was archived",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"session_info_update","_meta":{"codex":{"archived":true}}}`),
		Findings: finding(dialect.Link{SessionID: "s1"}, dialect.Other{Value: SessionInfo{Archived: new(true)}}),
	},
	{
		Name:  "a title alone",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"session_info_update","title":"codex"}`),
	},

	// MCP.
	{
		Name:     "an MCP call",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"m1","kind":"execute","title":"mcp.demo.echo","status":"in_progress","rawInput":{"server":"demo","tool":"echo","arguments":{"text":"hi"}},"_meta":{"is_mcp_tool_call":true}}`),
		Findings: finding(dialect.Link{SessionID: "s1", ToolCallID: "m1"}, dialect.Other{Value: MCPCall{Server: "demo", Tool: "echo"}}),
	},
	{
		Name:     "an MCP call prints",
		Frame:    dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"m1","_meta":{"mcp_output_delta":{"data":"half\n"}}}`),
		Findings: finding(dialect.Link{SessionID: "s1", ToolCallID: "m1"}, dialect.Other{Value: MCPOutput{Data: "half\n"}}),
	},
	{
		Name:  "an MCP call of the older adapter has no envelope",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"m1","title":"Tool: demo/echo","status":"in_progress","rawInput":{"server":"demo","tool":"echo","arguments":{"text":"hi"}}}`),
	},

	// What is not for us.
	{
		Name:  "a command and its terminal",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"e1","name":"exec_command","kind":"execute","title":"echo","status":"in_progress","rawInput":{"command":"echo","cwd":"/w"},"_meta":{"terminal_info":{"cwd":"/w","terminal_id":"e1"}}}`),
	},
	{
		Name:  "a permission request",
		Frame: dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"e1","title":"Edit files","kind":"edit","status":"pending"},"options":[]}`),
	},
	{
		Name:  "a tool that is only called like it",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"e1","title":"spawnAgent","rawInput":{"prompt":"x"}}`),
	},
}
