package cursor_test

import (
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func taskOfType(agentType string) []dialect.Finding {
	return patch(dialect.Link{ToolCallID: "a"}, dialect.SubagentPatch{
		Prompt:    dialect.Set("p"),
		AgentType: dialect.SetNonZero(agentType),
	})
}

var reports = []dialecttest.Case{
	// cursor/task
	{
		Name:   "task",
		Method: "cursor/task",
		Params: `{"toolCallId":"tool_3c","description":"Count files","prompt":"Count *.go","subagentType":{"custom":{"unspecified":{}}},"model":"composer-2.5-fast","durationMs":4210}`,
		Findings: patch(dialect.Link{ToolCallID: "tool_3c"}, dialect.SubagentPatch{
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
		Findings: patch(dialect.Link{ToolCallID: "t1", AgentID: "ag-1"}, dialect.SubagentPatch{
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
		Findings: patch(dialect.Link{ToolCallID: "call-0b1c-0\nfc_0b1c_1"}, dialect.SubagentPatch{
			Title: dialect.Set("second"), Description: dialect.Set("second"), Prompt: dialect.Set("p"),
		}),
	},
	{
		Name:     "task without texts",
		Method:   "cursor/task",
		Params:   `{"toolCallId":"a","description":"","prompt":"","subagentType":"unspecified"}`,
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.SubagentPatch{}),
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
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.SubagentPatch{
			Duration: dialect.Set(130 * time.Millisecond),
		}),
	},
	{Name: "duration that is none", Method: "cursor/task", Params: `{"toolCallId":"a","durationMs":-1}`, Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.SubagentPatch{})},
	{
		Name:     "task with an odd prompt",
		Method:   "cursor/task",
		Params:   `{"prompt":{"text":"p"},"model":"m","toolCallId":"a"}`,
		Soft:     true,
		Findings: patch(dialect.Link{ToolCallID: "a"}, dialect.SubagentPatch{Model: dialect.Set("m")}),
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
}
