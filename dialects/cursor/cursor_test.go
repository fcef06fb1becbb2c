package cursor_test

import (
	"testing"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/cursor"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, cursor.Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, cursor.Dialect(), cases) }

const cancelled = `{"outcome":{"outcome":"cancelled"}}`

// patch gives the one finding of a report about a task.
func patch(link dialect.Link, p dialect.Subagent) []dialect.Finding {
	return []dialect.Finding{{Link: link, Event: p}}
}

func taskOfType(agentType string) []dialect.Finding {
	return patch(dialect.Link{ToolCallID: "a"}, dialect.Subagent{
		Prompt:    dialect.Set("p"),
		AgentType: dialect.SetNonZero(agentType),
	})
}

var setup = dialect.Question{
	Kind:  dialect.Choice,
	Title: "Setup",
	Items: []dialect.Item{{ID: "q1", Text: "Which DB?", Options: []dialect.Option{
		{ID: "pg", Label: "Postgres"}, {ID: "lite", Label: "SQLite"},
	}}},
	Outcomes: []dialect.Outcome{dialect.Accepted, dialect.Skipped},
	Feedback: []dialect.Outcome{dialect.Skipped},
}

// planned gives a plan's question.
func planned(title, text string, todos ...dialect.Todo) dialect.Question {
	return dialect.Question{
		Kind: dialect.Plan, Title: title, Text: text, Todos: todos,
		Outcomes: []dialect.Outcome{dialect.Accepted, dialect.Rejected},
		Feedback: []dialect.Outcome{dialect.Rejected},
	}
}

func picks(item string, options ...string) map[string]dialect.Pick {
	return map[string]dialect.Pick{item: {Options: options}}
}

var cases = []dialecttest.Case{
	// cursor/task
	{
		Name:   "task",
		Method: "cursor/task",
		Params: `{"toolCallId":"tool_3c","description":"Count files","prompt":"Count *.go","subagentType":{"custom":{"unspecified":{}}},"model":"composer-2.5-fast","durationMs":4210}`,
		Findings: patch(dialect.Link{ToolCallID: "tool_3c"}, dialect.Subagent{
			Title:       dialect.Set("Count files"),
			Description: dialect.Set("Count files"),
			Prompt:      dialect.Set("Count *.go"),
			Model:       dialect.Set("composer-2.5-fast"),
			Duration:    dialect.Set(4210 * time.Millisecond),
		}),
	},
	{
		Name:   "task with an agent id, under the name an SDK gives it",
		Method: "_cursor/task",
		Params: `{"toolCallId":"t1","agentId":"ag-1","description":"Summarise JS","prompt":"Summarise src/*.js","model":"fast-1"}`,
		Findings: patch(dialect.Link{ToolCallID: "t1", AgentID: "ag-1"}, dialect.Subagent{
			Title:       dialect.Set("Summarise JS"),
			Description: dialect.Set("Summarise JS"),
			Prompt:      dialect.Set("Summarise src/*.js"),
			Model:       dialect.Set("fast-1"),
		}),
	},
	{
		Name:   "task whose tool call id has a line break",
		Method: "cursor/task",
		Params: `{"toolCallId":"call-0b1c-0\nfc_0b1c_1","description":"second","prompt":"p"}`,
		Findings: patch(dialect.Link{ToolCallID: "call-0b1c-0\nfc_0b1c_1"}, dialect.Subagent{
			Title: dialect.Set("second"), Description: dialect.Set("second"), Prompt: dialect.Set("p"),
		}),
	},
	{
		Name:     "task without texts",
		Method:   "cursor/task",
		Params:   `{"toolCallId":"a","description":"","prompt":"","subagentType":"unspecified"}`,
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.Subagent{}),
	},
	{Name: "type as a word", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":"explore"}`, Findings: taskOfType("explore")},
	{Name: "type as an object", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"explore":{}}}`, Findings: taskOfType("explore")},
	{Name: "type of the user", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"custom":"reviewer"}}`, Findings: taskOfType("reviewer")},
	{Name: "type of the user with a name", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"custom":{"name":"file-counter"}}}`, Findings: taskOfType("file-counter")},
	{Name: "type not specified", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":"unspecified"}`, Findings: taskOfType("")},
	{Name: "type not specified, as an object", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"unspecified":{}}}`, Findings: taskOfType("")},
	{Name: "type null", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":null}`, Findings: taskOfType("")},
	{Name: "type a number", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":17}`, Findings: taskOfType("")},
	{Name: "type nested past reading", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"custom":{"custom":{"custom":{"custom":{"custom":"x"}}}}}}`, Findings: taskOfType("")},
	{Name: "type with two keys", Method: "cursor/task", Params: `{"toolCallId":"a","prompt":"p","subagentType":{"explore":{},"shell":{}}}`, Findings: taskOfType("")},
	{
		Name:   "duration as a string of a float",
		Method: "cursor/task",
		Params: `{"toolCallId":"a","durationMs":"130.5"}`,
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.Subagent{
			Duration: dialect.Set(130 * time.Millisecond),
		}),
	},
	{Name: "duration that is none", Method: "cursor/task", Params: `{"toolCallId":"a","durationMs":-1}`, Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.Subagent{})},
	{
		Name:     "task with an odd prompt",
		Method:   "cursor/task",
		Params:   `{"prompt":{"text":"p"},"model":"m","toolCallId":"a"}`,
		Soft:     true,
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.Subagent{Model: dialect.Set("m")}),
	},
	{Name: "task without a tool call id", Method: "cursor/task", Params: `{"prompt":"p"}`, Refused: "toolCallId"},
	{Name: "task with a number for a tool call id", Method: "cursor/task", Params: `{"toolCallId":7,"prompt":"p"}`, Refused: "toolCallId"},
	{Name: "task without params", Method: "cursor/task", Refused: "toolCallId"},
	{Name: "task in a list", Method: "cursor/task", Params: `[]`, Refused: "params"},

	// cursor/update_todos
	{
		Name:   "todos merged",
		Method: "cursor/update_todos",
		Params: `{"toolCallId":"tool_2b","merge":true,"todos":[{"id":"t1","content":"write cache","status":"completed"}]}`,
		Findings: []dialect.Finding{{
			Link:  dialect.Link{ToolCallID: "tool_2b"},
			Event: dialect.Todos{Merge: true, Items: []dialect.Todo{{ID: "t1", Content: "write cache", Status: dialect.TodoCompleted}}},
		}},
	},
	{
		Name:   "todos replaced, one by its title, one null, one of nothing",
		Method: "cursor/update_todos",
		Params: `{"toolCallId":"a","todos":[{"id":"1","title":"one","status":"in_progress"},null,{},{"id":"2","status":"cancelled"}]}`,
		Findings: []dialect.Finding{{
			Link: dialect.Link{ToolCallID: "a"},
			Event: dialect.Todos{Items: []dialect.Todo{
				{ID: "1", Content: "one", Status: dialect.TodoInProgress},
				{ID: "2", Status: dialect.TodoCancelled},
			}},
		}},
	},
	{
		Name:     "todos cleared",
		Method:   "cursor/update_todos",
		Params:   `{"toolCallId":"a","merge":false,"todos":[]}`,
		Findings: []dialect.Finding{{Link: dialect.Link{ToolCallID: "a"}, Event: dialect.Todos{Items: []dialect.Todo{}}}},
	},
	{Name: "todos absent are not cleared", Method: "cursor/update_todos", Params: `{"toolCallId":"a","merge":false}`},
	{Name: "todos not understood are not cleared", Method: "cursor/update_todos", Params: `{"toolCallId":"a","todos":[null,7]}`, Soft: true},
	{Name: "todos in a list", Method: "cursor/update_todos", Params: `[]`, Refused: "params"},

	// cursor/generate_image
	{
		Name:   "image",
		Method: "cursor/generate_image",
		Params: `{"toolCallId":"tool_4d","description":"app icon","filePath":"/w/icon.png","referenceImagePaths":["/w/a.png"]}`,
		Findings: []dialect.Finding{{
			Link:  dialect.Link{ToolCallID: "tool_4d"},
			Event: dialect.Image{Description: "app icon", Path: "/w/icon.png", References: []string{"/w/a.png"}},
		}},
	},
	{
		Name:     "image under the path's older name",
		Method:   "cursor/generate_image",
		Params:   `{"toolCallId":"a","path":"/w/icon.png"}`,
		Findings: []dialect.Finding{{Link: dialect.Link{ToolCallID: "a"}, Event: dialect.Image{Path: "/w/icon.png"}}},
	},
	{Name: "image of nothing", Method: "cursor/generate_image", Params: `{"toolCallId":"a"}`},
	{Name: "image in a string", Method: "cursor/generate_image", Params: `"x"`, Refused: "params"},

	// cursor/ask_question
	{
		Name:     "question",
		Method:   "cursor/ask_question",
		Params:   `{"toolCallId":"tool_1a","title":"Setup","questions":[{"id":"q1","prompt":"Which DB?","options":[{"id":"pg","label":"Postgres"},{"id":"lite","label":"SQLite"}],"allowMultiple":false}]}`,
		Link:     dialect.Link{ToolCallID: "tool_1a"},
		Question: setup,
		Decline:  cancelled,
		Answers: []dialecttest.Answered{
			{
				Answer: dialect.Answer{Outcome: dialect.Accepted, Picks: picks("q1", "lite")},
				Result: `{"outcome":{"outcome":"answered","answers":[{"questionId":"q1","selectedOptionIds":["lite"]}]}}`,
			},
			{Answer: dialect.Answer{Outcome: dialect.Accepted}, Result: `{"outcome":{"outcome":"answered","answers":[]}}`},
			{Answer: dialect.Answer{Outcome: dialect.Skipped}, Result: `{"outcome":{"outcome":"skipped"}}`},
			{Answer: dialect.Answer{Outcome: dialect.Skipped, Feedback: "later"}, Result: `{"outcome":{"outcome":"skipped","reason":"later"}}`},
			{Answer: dialect.Answer{Result: cursor.QuestionResult{Outcome: cursor.QuestionOutcome{Outcome: "cancelled"}}}, Result: cancelled},
		},
		Refuses: []dialect.Answer{
			{Outcome: dialect.Rejected},
			{Outcome: dialect.Accepted, Picks: picks("q1", "mysql")},
			{Outcome: dialect.Accepted, Picks: picks("q1", "pg", "lite")},
			{Outcome: dialect.Accepted, Picks: map[string]dialect.Pick{"q1": {Text: "mysql"}}},
			{Outcome: dialect.Accepted, Feedback: "because"},
		},
	},
	{
		Name:   "questions under other field names, ids that repeat or lack, null elements",
		Method: "cursor/ask_question",
		Params: `{"toolCallId":"a","questions":[null,{"question":"Which?","allowMultiple":true,"options":[{"value":"x","label":"X"},null,{"id":"x"}]},{"id":"q","prompt":"A?","options":[{"id":"y","label":"Yes"}]},{"id":"q","prompt":"B?","options":[{"id":"n","label":"No"}]}]}`,
		Soft:   true,
		Link:   dialect.Link{ToolCallID: "a"},
		Question: dialect.Question{
			Kind: dialect.Choice,
			Items: []dialect.Item{
				{ID: "#1", Text: "Which?", Multiple: true, Options: []dialect.Option{{ID: "x", Label: "X"}, {ID: "x#2", Label: "x"}}},
				{ID: "q", Text: "A?", Options: []dialect.Option{{ID: "y", Label: "Yes"}}},
				{ID: "q#2", Text: "B?", Options: []dialect.Option{{ID: "n", Label: "No"}}},
			},
			Outcomes: []dialect.Outcome{dialect.Accepted, dialect.Skipped},
			Feedback: []dialect.Outcome{dialect.Skipped},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{{
			Answer: dialect.Answer{Outcome: dialect.Accepted, Picks: map[string]dialect.Pick{
				"#1": {Options: []string{"x#2"}}, "q#2": {Options: []string{"n"}},
			}},
			Result: `{"outcome":{"outcome":"answered","answers":[{"questionId":"","selectedOptionIds":["x"]},{"questionId":"q","selectedOptionIds":["n"]}]}}`,
		}},
	},
	{Name: "question without questions", Method: "cursor/ask_question", Params: `{"toolCallId":"q"}`, Refused: "questions", Decline: cancelled},
	{Name: "question with an empty list", Method: "cursor/ask_question", Params: `{"toolCallId":"q","questions":[]}`, Refused: "questions", Decline: cancelled},
	{Name: "question without options", Method: "cursor/ask_question", Params: `{"toolCallId":"q","questions":[{"id":"a","prompt":"?","options":null}]}`, Refused: "questions", Decline: cancelled},
	{Name: "questions that are none", Method: "cursor/ask_question", Params: `{"toolCallId":"q","questions":[null,7]}`, Refused: "questions", Decline: cancelled},
	{Name: "question in a list", Method: "cursor/ask_question", Params: `[]`, Refused: "params", Decline: cancelled},

	// cursor/create_plan
	{
		Name:     "plan",
		Method:   "cursor/create_plan",
		Params:   `{"toolCallId":"call_a\nfc_b","name":"Add cache","overview":"LRU","plan":"# Plan\n1. cache","todos":[{"id":"t1","content":"write cache","status":"pending"}],"isProject":false,"phases":[]}`,
		Link:     dialect.Link{ToolCallID: "call_a\nfc_b"},
		Question: planned("Add cache", "# Plan\n1. cache", dialect.Todo{ID: "t1", Content: "write cache", Status: dialect.TodoPending}),
		Decline:  cancelled,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Outcome: dialect.Accepted}, Result: `{"outcome":{"outcome":"accepted"}}`},
			{Answer: dialect.Answer{Outcome: dialect.Rejected}, Result: `{"outcome":{"outcome":"rejected"}}`},
			{Answer: dialect.Answer{Outcome: dialect.Rejected, Feedback: "keep it smaller"}, Result: `{"outcome":{"outcome":"rejected","reason":"keep it smaller"}}`},
			{
				Answer: dialect.Answer{Result: cursor.PlanResult{Outcome: cursor.PlanOutcome{Outcome: "accepted", PlanURI: "file:///w/plan.md"}}},
				Result: `{"outcome":{"outcome":"accepted","planUri":"file:///w/plan.md"}}`,
			},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.Skipped}, {Outcome: dialect.Accepted, Feedback: "fine"}, {Outcome: dialect.Accepted, Picks: picks("t1")}},
	},
	{
		Name:   "plan with phases",
		Method: "cursor/create_plan",
		Params: `{"toolCallId":"p","plan":"# Plan","todos":null,"isProject":true,"phases":[{"name":"one","todos":[{"id":"1","content":"a"}]},null,{"name":"two","todos":[{"id":"2","content":"b"}]}]}`,
		Link:   dialect.Link{ToolCallID: "p"},
		Question: planned("", "# Plan",
			dialect.Todo{ID: "1", Content: "a"}, dialect.Todo{ID: "2", Content: "b"}),
		Decline: cancelled,
	},
	{Name: "plan with an overview only", Method: "_cursor/create_plan", Params: `{"name":"Add cache","overview":"LRU","plan":""}`, Question: planned("Add cache", "LRU"), Decline: cancelled},
	{Name: "plan absent", Method: "cursor/create_plan", Params: `{"toolCallId":"p"}`, Link: dialect.Link{ToolCallID: "p"}, Question: planned("", ""), Decline: cancelled},
	{Name: "plan null", Method: "cursor/create_plan", Params: `{"toolCallId":"p","plan":null,"todos":null}`, Link: dialect.Link{ToolCallID: "p"}, Question: planned("", ""), Decline: cancelled},
	{Name: "plan in a list", Method: "cursor/create_plan", Params: `[{"plan":"x"}]`, Refused: "params", Decline: cancelled},

	// What Cursor puts into the standard's frames.
	{
		Name:  "task's call of an older build",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Task: helper","kind":"other","status":"in_progress","rawInput":{"_toolName":"task"}}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t1"}, dialect.Subagent{
			Activity: dialect.Set(dialect.Running),
		}),
	},
	{
		Name:  "task's call",
		Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t\n1","title":"Task: Count files","kind":"other","status":"pending","rawInput":{"_toolName":"task","prompt":"Count *.go","description":"Count files","subagentType":{"custom":{"name":"file-counter"}}}}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t\n1"}, dialect.Subagent{
			Title:       dialect.Set("Count files"),
			Description: dialect.Set("Count files"),
			Prompt:      dialect.Set("Count *.go"),
			AgentType:   dialect.Set("file-counter"),
			Activity:    dialect.Set(dialect.Running),
		}),
	},
	{
		Name:     "task's call at its end",
		Frame:    task(`"status":"completed","rawOutput":{"durationMs":4210,"isBackground":false}`),
		Findings: patch(called, dialect.Subagent{Background: dialect.Set(false)}),
	},
	{
		Name:  "task's call at a launch in the background",
		Frame: task(`"status":"completed","rawOutput":{"durationMs":142,"isBackground":true}`),
		Findings: patch(called, dialect.Subagent{
			Background: dialect.Set(true),
			Outcome:    dialect.Set(dialect.Launched),
			Activity:   dialect.Set(dialect.Running),
		}),
	},
	{
		Name:     "task's call, failed",
		Frame:    task(`"status":"completed","rawOutput":{"error":"no such model"}`),
		Findings: patch(called, dialect.Subagent{Outcome: dialect.Set(dialect.Failed), Error: dialect.Set("no such model")}),
	},
	{
		Name:     "task's call, failed with an object",
		Frame:    task(`"status":"completed","rawOutput":{"error":{"message":"no such model"},"isBackground":true}`),
		Findings: patch(called, dialect.Subagent{Background: dialect.Set(true), Outcome: dialect.Set(dialect.Failed), Error: dialect.Set("no such model")}),
	},
	{Name: "task's call, rejected", Frame: task(`"status":"completed","rawOutput":{"rejected":{"reason":"not now"}}`), Findings: patch(called, dialect.Subagent{Outcome: dialect.Set(dialect.Failed), Error: dialect.Set("not now")})},
	{Name: "task's call, without permission", Frame: task(`"status":"completed","rawOutput":{"permissionDenied":true,"exitCode":0}`), Findings: patch(called, dialect.Subagent{Outcome: dialect.Set(dialect.Failed)})},
	{Name: "task's call with an exit code", Frame: task(`"status":"completed","rawOutput":{"exitCode":1}`), Findings: patch(called, dialect.Subagent{Outcome: dialect.Set(dialect.Failed)})},
	{Name: "task's call with no failure in any member", Frame: task(`"status":"completed","rawOutput":{"exitCode":0,"error":null,"rejected":false,"permissionDenied":false}`), Findings: patch(called, dialect.Subagent{})},
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
			dialect.Subagent{}),
	},
	{
		Name:  "child ended",
		Frame: dialecttest.Update("P", `{"sessionUpdate":"subagent_state_update","subagentSessionId":"C","state":"disconnected","_meta":{"cursor":{"toolCallId":"tool_3c"}}}`),
		Findings: patch(dialect.Link{SessionID: "P", ToolCallID: "tool_3c", ChildSessionID: "C"},
			dialect.Subagent{}),
	},
	{Name: "child of another agent", Frame: dialecttest.Update("P", `{"sessionUpdate":"subagent_spawned","subagentSessionId":"C","name":"explore"}`)},
	{
		Name:  "permission for a task",
		Frame: dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"t1","rawInput":{"_toolName":"task","prompt":"p"}},"options":[]}`),
		Findings: patch(dialect.Link{SessionID: "s1", ToolCallID: "t1"}, dialect.Subagent{
			Prompt:   dialect.Set("p"),
			Activity: dialect.Set(dialect.Running),
		}),
	},
}

// called is where the frames of task belong.
var called = dialect.Link{SessionID: "s1", ToolCallID: "t1"}

// task gives a later frame of a task's call: what an earlier one said is in the
// record alone.
func task(members string) *dialect.Frame {
	f := dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"t1",`+members+`}`)
	f.Call.RawInput = []byte(`{"_toolName":"task"}`)
	return f
}
