package cursor_test

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

// called is where the frames of task belong.
var called = dialect.Link{SessionID: "s1", ToolCallID: "t1"}

// task gives a later frame of a task's call: what an earlier one said is in the
// record alone.
func task(members string) *dialect.Frame {
	f := dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"t1",`+members+`}`)
	f.Call.RawInput = []byte(`{"_toolName":"task"}`)
	return f
}

// frames are what Cursor puts into the standard's own.
var frames = []dialecttest.Case{
	{
		Name:  "task's call of an older build",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task: helper","kind":"other","status":"in_progress","rawInput":{"_toolName":"task"}}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t1"}, dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:  "task's call",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t\n1","title":"Task: Count files","kind":"other","status":"pending","rawInput":{"_toolName":"task","prompt":"Count *.go","description":"Count files","subagentType":{"custom":{"name":"file-counter"}}}}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t\n1"}, dialect.SubagentPatch{
			Title:       dialect.Set("Count files"),
			Description: dialect.Set("Count files"),
			Prompt:      dialect.Set("Count *.go"),
			AgentType:   dialect.Set("file-counter"),
			Activity:    dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:     "task's call at its end",
		Frame:    task(`"status":"completed","rawOutput":{"durationMs":4210,"isBackground":false}`),
		Findings: patch(called, dialect.SubagentPatch{Background: dialect.Set(false)}),
	},
	{
		Name:  "task's call at a launch in the background",
		Frame: task(`"status":"completed","rawOutput":{"durationMs":142,"isBackground":true}`),
		Findings: patch(called, dialect.SubagentPatch{
			Background: dialect.Set(true),
			Outcome:    dialect.Set(dialect.SubagentLaunched),
			Activity:   dialect.Set(dialect.ActivityRunning),
		}),
	},
	{
		Name:     "task's call, failed",
		Frame:    task(`"status":"completed","rawOutput":{"error":"no such model"}`),
		Findings: patch(called, dialect.SubagentPatch{Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("no such model")}),
	},
	{
		Name:     "task's call, failed with an object",
		Frame:    task(`"status":"completed","rawOutput":{"error":{"message":"no such model"},"isBackground":true}`),
		Findings: patch(called, dialect.SubagentPatch{Background: dialect.Set(true), Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("no such model")}),
	},
	{Name: "task's call, rejected", Frame: task(`"status":"completed","rawOutput":{"rejected":{"reason":"not now"}}`), Findings: patch(called, dialect.SubagentPatch{Outcome: dialect.Set(dialect.SubagentFailed), Error: dialect.Set("not now")})},
	{Name: "task's call, without permission", Frame: task(`"status":"completed","rawOutput":{"permissionDenied":true,"exitCode":0}`), Findings: patch(called, dialect.SubagentPatch{Outcome: dialect.Set(dialect.SubagentFailed)})},
	{Name: "task's call with an exit code", Frame: task(`"status":"completed","rawOutput":{"exitCode":1}`), Findings: patch(called, dialect.SubagentPatch{Outcome: dialect.Set(dialect.SubagentFailed)})},
	{Name: "task's call with no failure in any member", Frame: task(`"status":"completed","rawOutput":{"exitCode":0,"error":null,"rejected":false,"permissionDenied":false}`), Findings: patch(called, dialect.SubagentPatch{})},
	{
		Name:  "todos of builds that send no update_todos",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t2","title":"Update TODOs","kind":"other","status":"pending","rawInput":{"_toolName":"updateTodos","todos":[{"content":"write cache","status":"TODO_STATUS_IN_PROGRESS"},{"content":"test","status":"TODO_STATUS_PENDING"},{"content":"x","status":"TODO_STATUS_COMPLETED"},{"content":"y","status":"TODO_STATUS_CANCELLED"},{"content":"z","status":"TODO_STATUS_UNSPECIFIED"}]}}`),
		Findings: []dialect.Finding{{
			Link: dialect.Link{SessionID: "s1", ToolCallID: "t2"},
			Event: dialect.Todos{Items: []dialect.Todo{
				{Content: "write cache", Status: dialect.TodoInProgress},
				{Content: "test", Status: dialect.TodoPending},
				{Content: "x", Status: dialect.TodoCompleted},
				{Content: "y", Status: dialect.TodoCancelled},
				{Content: "z"},
			}},
		}},
	},
	{
		Name: "todos are found once, not in each frame of their call",
		Frame: &dialect.Frame{
			SessionID: "s1", Kind: "tool_call_update",
			Raw:  []byte(`{"sessionUpdate":"tool_call_update","toolCallId":"t2","status":"completed"}`),
			Call: dialect.ToolCall{ID: "t2", RawInput: []byte(`{"_toolName":"updateTodos","todos":[{"content":"a","status":"TODO_STATUS_PENDING"}]}`)},
		},
	},
	{Name: "another tool's call", Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t3","status":"pending","rawInput":{"_toolName":"shell","command":"ls"}}`)},
	{Name: "another agent's task", Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t3","title":"Task","status":"pending","rawInput":{"prompt":"p"}}`)},
	{
		Name:  "child spawned",
		Frame: dialecttest.Update("P", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"C","name":"explore","task":"Count *.go","capabilities":{},"_meta":{"cursor":{"toolCallId":"tool_3c","agentId":"ag1","model":"wrong"}}}`),
		Findings: patch(dialect.Link{SessionID: "P", ToolCallID: "tool_3c", ChildSessionID: "C", AgentID: "ag1"},
			dialect.SubagentPatch{}),
	},
	{
		Name:  "child ended",
		Frame: dialecttest.Update("P", `{"sessionUpdate":"subagent_state_update","subagentSessionId":"C","state":"disconnected","_meta":{"cursor":{"toolCallId":"tool_3c"}}}`),
		Findings: patch(dialect.Link{SessionID: "P", ToolCallID: "tool_3c", ChildSessionID: "C"},
			dialect.SubagentPatch{}),
	},
	{Name: "child of another agent", Frame: dialecttest.Update("P", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"C","name":"explore"}`)},
	{
		Name:  "permission for a task",
		Frame: dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"t1","rawInput":{"_toolName":"task","prompt":"p"}},"options":[]}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t1"}, dialect.SubagentPatch{
			Prompt:   dialect.Set("p"),
			Activity: dialect.Set(dialect.ActivityRunning),
		}),
	},
}
