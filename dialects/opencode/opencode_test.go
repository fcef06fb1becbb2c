package opencode

import (
	"encoding/json"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

// task is what is found of the call, and of its child's session once it is told.
func task(child string, s dialect.SubagentPatch) []dialect.Finding {
	link := dialect.Link{SessionID: "ses_p", ToolCallID: "call_00"}
	found := []dialect.Finding{{Link: link, Event: s}}
	if child != "" {
		link.ChildSessionID = child
		found = append(found, dialect.Finding{Link: link, Event: dialect.SubagentPatch{}})
	}
	return found
}

// told is what the input alone says.
func told(change func(*dialect.SubagentPatch)) dialect.SubagentPatch {
	s := dialect.SubagentPatch{
		Title: dialect.Set("Report workspace"), Description: dialect.Set("Report workspace"),
		Prompt: dialect.Set("Explore"), AgentType: dialect.Set("explore"),
	}
	change(&s)
	return s
}

// after gives a frame that comes when the call's input is known.
func after(update string) *dialect.Frame {
	f := dialecttest.Update("ses_p", update)
	f.Call = dialect.ToolCall{
		ID: "call_00", Title: "Report workspace", Kind: "think",
		RawInput: json.RawMessage(`{"description":"Report workspace","prompt":"Explore","subagent_type":"explore"}`),
	}
	return f
}

var cases = []dialecttest.Case{
	{
		Name:  "the first frame of a task does not say that it is one",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call","toolCallId":"call_00","title":"task","kind":"think","status":"pending","locations":[],"rawInput":{}}`),
	},
	{
		Name:  "the second frame does",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"in_progress","title":"Report workspace","kind":"think","rawInput":{"description":"Report workspace","prompt":"Explore","subagent_type":"explore"}}`),
		Findings: task("", told(func(s *dialect.SubagentPatch) {
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:     "the third frame has no input and blanks nothing",
		Frame:    after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"completed","rawOutput":{"output":"done"}}`),
		Findings: task("", told(func(*dialect.SubagentPatch) {})),
	},
	{
		Name:  "the end of a task, as recorded",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"completed","title":"Report workspace","content":[],"rawOutput":{"output":"<task id=\"ses_c\" state=\"completed\">\n<task_result>\nIt is a demo.\n</task_result>\n</task>","metadata":{"parentSessionId":"ses_p","sessionId":"ses_c","model":{"modelID":"fake-model","providerID":"fake"},"truncated":false}}}`),
		Findings: task("ses_c", told(func(s *dialect.SubagentPatch) {
			s.Model, s.Summary = dialect.Set("fake/fake-model"), dialect.Set("It is a demo.")
		})),
	},
	{
		Name:  "the end of a task whose input was never seen",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"completed","rawOutput":{"output":"done","metadata":{"parentSessionId":"ses_p","sessionId":"ses_c","model":{"providerID":"x","modelID":"y"}}}}`),
		Findings: task("ses_c", dialect.SubagentPatch{
			Model: dialect.Set("x/y"),
		}),
	},
	{
		Name:  "a task failed, and knows its session",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"failed","rawOutput":{"error":"no model","metadata":{"parentSessionId":"ses_p","sessionId":"ses_c","model":{"modelID":"y"}}}}`),
		Findings: task("ses_c", told(func(s *dialect.SubagentPatch) {
			s.Model, s.Error = dialect.Set("y"), dialect.Set("no model")
		})),
	},
	{
		Name:  "a launch failed",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"failed","rawOutput":{"error":"no model","metadata":{"parentSessionId":"ses_p","sessionId":"ses_c","background":true}}}`),
		Findings: task("ses_c", told(func(s *dialect.SubagentPatch) {
			s.Error = dialect.Set("no model")
		})),
	},
	{
		Name:  "a task was launched in the background",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"completed","rawOutput":{"output":"<task_result>launched</task_result>","metadata":{"parentSessionId":"ses_p","sessionId":"ses_c","background":true}}}`),
		Findings: task("ses_c", told(func(s *dialect.SubagentPatch) {
			s.Background, s.Outcome = dialect.Set(true), dialect.Set(dialect.SubagentLaunched)
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "a fork replays its original's task, whose child is not the fork's",
		Frame: after(`{"sessionUpdate":"tool_call_update","toolCallId":"call_00","status":"completed","rawOutput":{"output":"done","metadata":{"parentSessionId":"ses_original","sessionId":"ses_c","model":{"providerID":"x","modelID":"y"}}}}`),
		Findings: task("", told(func(s *dialect.SubagentPatch) {
			s.Model = dialect.Set("x/y")
		})),
	},
	{
		Name:  "a task asks for permission",
		Frame: dialecttest.Permission(`{"sessionId":"ses_p","toolCall":{"toolCallId":"call_00","title":"task","kind":"other","status":"pending","rawInput":{"description":"Report workspace","prompt":"Explore","subagent_type":"explore"}},"options":[]}`),
		Findings: task("", told(func(s *dialect.SubagentPatch) {
			s.Activity = dialect.Set(dialect.ActivityRunning)
		})),
	},
	{
		Name:  "the todo list, as recorded",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_02","status":"in_progress","kind":"other","title":"todowrite","locations":[],"rawInput":{"todos":[{"content":"First thing","status":"in_progress","priority":"high"},{"content":"Second thing","status":"pending","priority":"low"},null]}}`),
		Findings: []dialect.Finding{{Link: dialect.Link{SessionID: "ses_p", ToolCallID: "call_02"}, Event: dialect.Todos{Items: []dialect.Todo{
			{Content: "First thing", Status: dialect.TodoInProgress, Priority: "high"},
			{Content: "Second thing", Status: dialect.TodoPending, Priority: "low"},
		}}}},
	},
	{
		Name:     "an empty todo list",
		Frame:    dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_02","rawInput":{"todos":[]}}`),
		Findings: []dialect.Finding{{Link: dialect.Link{SessionID: "ses_p", ToolCallID: "call_02"}, Event: dialect.Todos{Items: []dialect.Todo{}}}},
	},
	{
		Name:  "todos of which nothing is understood",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_02","rawInput":{"todos":[7,{"content":{}}]}}`),
	},
	{
		Name:  "a tool that has a type and no prompt",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call","toolCallId":"call_01","title":"x","rawInput":{"subagent_type":"explore"}}`),
	},
	{
		Name:  "an ordinary tool",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"tool_call_update","toolCallId":"call_01","status":"completed","kind":"execute","title":"ls","rawInput":{"command":"ls","description":"Lists"},"rawOutput":{"output":"x","metadata":{"exit":0}}}`),
	},
	{
		Name:  "any other update",
		Frame: dialecttest.Update("ses_p", `{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"hi"}}`),
	},
}
