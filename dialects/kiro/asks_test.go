package kiro_test

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/kiro"
)

func request(title, text string) dialect.Question {
	return dialect.Question{Kind: dialect.KindRequest, Title: title, Text: text}
}

func accept(pick dialect.Pick) dialect.Answer {
	return dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"answer": pick}}
}

func result(r any) dialect.Answer { return dialect.Answer{Result: r} }

const (
	notImplemented = -32601
	noFiles        = `{"message":"this client serves no files"}`
)

var askCases = []dialecttest.Case{
	{
		Name:   "user input",
		Method: "_kiro/userInput",
		Params: `{"sessionId":"S","toolCallId":"tooluse_2","question":"Which DB?","options":[{"title":"SQLite","description":"file","recommended":true}]}`,
		Link:   dialect.Link{SessionID: "S", ToolCallID: "tooluse_2"},
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{{
				ID: "answer", Text: "Which DB?", FreeText: true, Required: true,
				Options: []dialect.Option{{ID: "SQLite", Label: "SQLite", Description: "file", Recommended: true}},
			}},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
		},
		Decline: `{"action":"dismissed"}`,
		Answers: []dialecttest.Answered{
			{Answer: accept(dialect.Pick{Options: []string{"SQLite"}}), Result: `{"action":"answered","answer":"SQLite"}`},
			{Answer: accept(dialect.Pick{Text: "MariaDB"}), Result: `{"action":"answered","answer":"MariaDB"}`},
			{Answer: accept(dialect.Pick{Options: []string{"SQLite"}, Text: "for now"}), Result: `{"action":"answered","answer":"SQLite: for now"}`},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeRejected}, {Outcome: dialect.OutcomeAccepted}, accept(dialect.Pick{Options: []string{"Oracle"}})},
	},
	{
		Name:   "user input with details, titles that repeat and one that is empty",
		Method: "kiro/userInput",
		Params: `{"sessionId":"S","toolCallId":"t","question":"Scope?","options":[{"title":"Full","subOptionsLabel":"Parts","subOptions":[{"title":"API","description":"REST"},{"title":"UI"}]},{"title":"Full"},{"title":""}]}`,
		Link:   dialect.Link{SessionID: "S", ToolCallID: "t"},
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{{
				ID: "answer", Text: "Scope?", FreeText: true, Required: true, Multiple: true,
				Options: []dialect.Option{
					{ID: "Full", Label: "Full", Options: []dialect.Option{{ID: "Full/API", Label: "API", Description: "REST"}, {ID: "Full/UI", Label: "UI"}}},
					{ID: "Full#2", Label: "Full"},
				},
			}},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
		},
		Decline: `{"action":"dismissed"}`,
		Answers: []dialecttest.Answered{
			{Answer: accept(dialect.Pick{Options: []string{"Full", "Full/API", "Full/UI"}}), Result: `{"action":"answered","answer":"Full [API, UI]"}`},
			{Answer: accept(dialect.Pick{Options: []string{"Full/UI"}}), Result: `{"action":"answered","answer":"Full [UI]"}`},
			{Answer: accept(dialect.Pick{Options: []string{"Full#2"}}), Result: `{"action":"answered","answer":"Full"}`},
			{Answer: accept(dialect.Pick{Options: []string{"Full/API", "Full#2"}}), Result: `{"action":"answered","answer":"Full [API], Full"}`},
		},
	},
	{
		Name:   "user input without options",
		Method: "_kiro/userInput",
		Params: `{"question":"Name?"}`,
		Question: dialect.Question{
			Kind:     dialect.KindChoice,
			Items:    []dialect.Item{{ID: "answer", Text: "Name?", FreeText: true, Required: true}},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
		},
		Decline: `{"action":"dismissed"}`,
	},
	{Name: "user input without a question", Method: "_kiro/userInput", Params: `{"sessionId":"S","options":[{"title":"A"}]}`, Refused: "question", Decline: `{"action":"dismissed"}`},

	{
		Name:     "access token",
		Method:   "_kiro/auth/getAccessToken",
		Params:   `{}`,
		Link:     connected,
		Question: request("Access token", ""),
		NoAnswer: notImplemented,
		Answers: []dialecttest.Answered{
			{Answer: result(kiro.AccessToken{AccessToken: "<token>", ExpiresAt: "2030-01-01T00:00:00Z"}), Result: `{"accessToken":"<token>","expiresAt":"2030-01-01T00:00:00Z"}`},
			{Answer: result(&kiro.AccessToken{AccessToken: "t", ExpiresAt: "e", ProfileARN: "p", AuthMethod: "m", Provider: "v"}), Result: `{"accessToken":"t","expiresAt":"e","profileArn":"p","authMethod":"m","provider":"v"}`},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeAccepted}},
	},
	{
		Name:     "access token without params",
		Method:   "_kiro/auth/getAccessToken",
		Link:     connected,
		Question: request("Access token", ""),
		NoAnswer: notImplemented,
	},
	{
		Name:     "shell type",
		Method:   "_kiro/terminal/shell_type",
		Params:   `{"sessionId":"S"}`,
		Link:     s1,
		Question: request("Shell type", ""),
		NoAnswer: notImplemented,
		Answers:  []dialecttest.Answered{{Answer: result(kiro.ShellType{ShellType: "bash"}), Result: `{"shellType":"bash"}`}},
	},
	{
		Name:     "elicitation",
		Method:   "_kiro/mcp/elicitation",
		Params:   `{"sessionId":"S","toolCallId":"t","elicitation":{"message":"Which project?","requestedSchema":{"type":"object"}}}`,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "t"},
		Question: request("An MCP server asks for input", "Which project?"),
		Decline:  `{"action":"cancel"}`,
		Answers: []dialecttest.Answered{
			{Answer: result(kiro.ElicitationResult{Action: "accept", Content: text(`{"project":"p"}`)}), Result: `{"action":"accept","content":{"project":"p"}}`},
			{Answer: result(kiro.ElicitationResult{Action: "decline"}), Result: `{"action":"decline"}`},
		},
	},
	{
		Name:     "hooks",
		Method:   "_kiro/hooks/list",
		Params:   `{"trigger":"preToolUse","sessionId":"S","toolId":"shell","toolTags":["shell"]}`,
		Link:     s1,
		Question: request("List hooks", "preToolUse"),
		Decline:  `{"hooks":[]}`,
	},
	{
		Name:     "hook",
		Method:   "_kiro/hooks/executeHook",
		Params:   `{"hookId":"h1","hookName":"lint","command":"make lint","sessionId":"S","userPrompt":"","timeout":30}`,
		Link:     s1,
		Question: request("Run a hook", "make lint"),
		Decline:  `{"exitCode":1,"cancelled":true}`,
		Answers: []dialecttest.Answered{
			{Answer: result(kiro.HookResult{Output: "no", ExitCode: 2}), Result: `{"output":"no","exitCode":2,"cancelled":false}`},
		},
	},
	{Name: "hook without an id", Method: "_kiro/hooks/executeHook", Params: `{"command":"x"}`, Refused: "hookId", Decline: `{"exitCode":1,"cancelled":true}`},
	{
		Name:     "hooks at the start",
		Method:   "_kiro/hooks/sessionStart",
		Params:   `{"trigger":"sessionStart","sessionId":"S"}`,
		Link:     s1,
		Question: request("Hooks at the session's start", ""),
		Decline:  `{"results":[]}`,
	},
	{
		Name:     "credential read",
		Method:   "_kiro/secret/get",
		Params:   `{"key":"mcp/gh"}`,
		Link:     connected,
		Question: request("Read a credential", "mcp/gh"),
		Decline:  `{"value":null}`,
	},
	{Name: "credential without a key", Method: "_kiro/secret/get", Params: `{}`, Refused: "key", Decline: `{"value":null}`},
	{
		Name:     "credential stored; the question does not show it",
		Method:   "_kiro/secret/store",
		Params:   `{"key":"mcp/gh","value":"hunter2"}`,
		Want:     kiro.SecretStore{Key: "mcp/gh", Value: "hunter2"},
		Link:     connected,
		Question: request("Store a credential", "mcp/gh"),
		Decline:  `{"success":false}`,
		Answers:  []dialecttest.Answered{{Answer: result(kiro.Success{Success: true}), Result: `{"success":true}`}},
	},
	{Name: "credential stored without a key", Method: "_kiro/secret/store", Params: `{"value":"hunter2"}`, Refused: "key", Decline: `{"success":false}`},
	{
		Name:     "credential deleted",
		Method:   "_kiro/secret/delete",
		Params:   `{"key":"mcp/gh"}`,
		Link:     connected,
		Question: request("Delete a credential", "mcp/gh"),
		Decline:  `{"success":false}`,
	},
	{
		Name:     "page",
		Method:   "_kiro/openExternalUrl",
		Params:   `{"url":"https://example.invalid/x"}`,
		Question: request("Open a page", "https://example.invalid/x"),
		Decline:  `{"success":false}`,
	},
	{Name: "no page", Method: "_kiro/openExternalUrl", Params: `{}`, Refused: "url", Decline: `{"success":false}`},
	{
		Name:     "rename",
		Method:   "_kiro/tool/semantic_rename",
		Params:   `{"sessionId":"S","path":"/w/a.go","line":3,"character":5,"oldName":"a","newName":"b"}`,
		Want:     kiro.SemanticRename{SessionID: "S", Path: "/w/a.go", Line: number(3), Character: number(5), OldName: "a", NewName: "b"},
		Link:     s1,
		Question: request("Run a tool of the client", "semantic_rename"),
		NoAnswer: notImplemented,
		Answers:  []dialecttest.Answered{{Answer: result(text(`{"success":true}`)), Result: `{"success":true}`}},
	},
	{
		Name:     "relocation",
		Method:   "_kiro/tool/smart_relocate",
		Params:   `{"sessionId":"S","sourcePath":"/w/a","destinationPath":"/w/b"}`,
		Want:     kiro.SmartRelocate{SessionID: "S", SourcePath: "/w/a", DestinationPath: "/w/b"},
		Link:     s1,
		Question: request("Run a tool of the client", "smart_relocate"),
		NoAnswer: notImplemented,
	},
	{
		Name:     "diagnostics",
		Method:   "_kiro/tool/get_diagnostics",
		Params:   `{"sessionId":"S","paths":["/w/a"]}`,
		Want:     kiro.Diagnostics{SessionID: "S", Paths: []string{"/w/a"}},
		Link:     s1,
		Question: request("Run a tool of the client", "get_diagnostics"),
		NoAnswer: notImplemented,
	},
	{
		Name:     "file read from its first line, which is 0",
		Method:   "_kiro/fs/read_file",
		Params:   `{"sessionId":"S","path":"/w/a","line":0,"limit":10}`,
		Want:     kiro.ReadFile{PathRequest: kiro.PathRequest{SessionID: "S", Path: "/w/a"}, Line: number(0), Limit: number(10)},
		Link:     s1,
		Question: request("Access a file", "/w/a"),
		Decline:  noFiles,
	},
	{Name: "file read without a path", Method: "_kiro/fs/read_file", Params: `{"sessionId":"S"}`, Refused: "path", Decline: noFiles},
	{
		Name:     "file written",
		Method:   "_kiro/fs/write_file",
		Params:   `{"sessionId":"S","path":"/w/a","content":"x","_meta":{"kiro":{"range":{"start":{"line":0,"character":0}}}}}`,
		Link:     s1,
		Question: request("Access a file", "/w/a"),
		Decline:  noFiles,
		Answers:  []dialecttest.Answered{{Answer: result(kiro.Done{}), Result: `{}`}},
	},
	{
		Name:     "file deleted",
		Method:   "_kiro/fs/delete",
		Params:   `{"sessionId":"S","path":"/w/a","recursive":true}`,
		Want:     kiro.DeleteFile{PathRequest: kiro.PathRequest{SessionID: "S", Path: "/w/a"}, Recursive: true},
		Link:     s1,
		Question: request("Access a file", "/w/a"),
		Decline:  noFiles,
	},
	{
		Name:     "file looked up",
		Method:   "_kiro/fs/stat",
		Params:   `{"sessionId":"S","path":"/w/a"}`,
		Link:     s1,
		Question: request("Access a file", "/w/a"),
		Decline:  noFiles,
	},
	{
		Name:     "directory",
		Method:   "_kiro/fs/read_directory",
		Params:   `{"sessionId":"S","path":"/w"}`,
		Link:     s1,
		Question: request("Access a file", "/w"),
		Decline:  noFiles,
		Answers: []dialecttest.Answered{
			{Answer: result(kiro.Directory{Entries: []kiro.DirectoryEntry{{Name: "a", Type: "file"}}}), Result: `{"entries":[{"name":"a","type":"file"}]}`},
		},
	},
	{
		Name:     "files found",
		Method:   "_kiro/search/find_files",
		Params:   `{"pattern":"*.go","exclude":["vendor"],"maxResults":10}`,
		Want:     kiro.FindFiles{Pattern: "*.go", Exclude: text(`["vendor"]`), MaxResults: number(10)},
		Question: request("Search the workspace", ""),
		NoAnswer: notImplemented,
	},
	{
		Name:     "text found",
		Method:   "_kiro/search/text_search",
		Params:   `{"pattern":"func","caseSensitive":true}`,
		Want:     kiro.TextSearch{Pattern: "func", CaseSensitive: true},
		Question: request("Search the workspace", ""),
		NoAnswer: notImplemented,
		Answers:  []dialecttest.Answered{{Answer: result(json.RawMessage(`{"matches":[]}`)), Result: `{"matches":[]}`}},
	},
}
