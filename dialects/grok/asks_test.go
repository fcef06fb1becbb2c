package grok_test

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/grok"
)

const cancelled = `{"outcome":"cancelled"}`

var (
	planOutcomes = []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected, grok.Abandoned}

	whichDB = dialect.Question{
		Kind: dialect.KindChoice,
		Items: []dialect.Item{{
			ID: "Which DB?", Text: "Which DB?", FreeText: true,
			Options: []dialect.Option{
				{ID: "Postgres", Label: "Postgres", Description: "server"},
				{ID: "SQLite", Label: "SQLite", Description: "file"},
			},
		}},
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
	}
)

func accept(picks map[string]dialect.Pick) dialect.Answer {
	return dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: picks}
}

func trustQuestion() dialect.Question {
	return dialect.Question{
		Kind:  dialect.KindChoice,
		Title: "Trust this folder?",
		Text:  "The folder brings configuration that would run on this machine: mcp, hooks",
		Items: []dialect.Item{{
			ID: "trust", Text: "Trust the folder: /w", Required: true,
			Options: []dialect.Option{
				{ID: "reject", Label: "Do not trust", Description: "leave the folder's configuration off"},
				{ID: "trust", Label: "Trust", Description: "let the folder's configuration run, now and later"},
			},
		}},
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected},
	}
}

var askCases = []dialecttest.Case{
	{
		Name:   "a question",
		Method: "_x.ai/ask_user_question",
		Params: `{"sessionId":"S","toolCallId":"tc1","questions":[{"question":"Which DB?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"}],"multiSelect":null}],"mode":"default"}`,
		Want: grok.AskUserQuestion{
			SessionID: "S", ToolCallID: "tc1", Mode: "default",
			Questions: []grok.Question{{Question: "Which DB?", Options: []grok.Option{
				{Label: "Postgres", Description: "server"}, {Label: "SQLite", Description: "file"},
			}}},
		},
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: whichDB,
		Decline:  cancelled,
		Answers: []dialecttest.Answered{
			{Answer: accept(map[string]dialect.Pick{"Which DB?": {Options: []string{"SQLite"}}}), Result: `{"outcome":"accepted","answers":{"Which DB?":["SQLite"]}}`},
			{Answer: accept(map[string]dialect.Pick{"Which DB?": {Text: "MariaDB"}}), Result: `{"outcome":"accepted","answers":{"Which DB?":["Other"]},"annotations":{"Which DB?":{"notes":"MariaDB"}}}`},
			{Answer: accept(map[string]dialect.Pick{"Which DB?": {Options: []string{"SQLite"}, Text: "for now"}}), Result: `{"outcome":"accepted","answers":{"Which DB?":["SQLite"]},"annotations":{"Which DB?":{"notes":"for now"}}}`},
			{Answer: accept(nil), Result: `{"outcome":"accepted","answers":{}}`},
		},
		Refuses: []dialect.Answer{
			{Outcome: grok.SkipInterview},
			{Outcome: dialect.OutcomeRejected},
			accept(map[string]dialect.Pick{"Which DB?": {Options: []string{"Postgres", "SQLite"}}}),
		},
	},
	{
		Name:     "a question under the source's name",
		Method:   "x.ai/ask_user_question",
		Params:   `{"sessionId":"S","toolCallId":"tc1","questions":[{"question":"Which DB?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"}]}]}`,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: whichDB,
		Decline:  cancelled,
	},
	{
		Name:     "a wrapped question",
		Method:   "_x.ai/ask_user_question",
		Params:   `{"method":"x.ai/ask_user_question","params":{"sessionId":"S","toolCallId":"tc1","questions":[{"question":"Which DB?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"}]}]}}`,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: whichDB,
		Decline:  cancelled,
		Answers: []dialecttest.Answered{
			{Answer: accept(map[string]dialect.Pick{"Which DB?": {Options: []string{"SQLite"}}}), Result: `{"outcome":"accepted","answers":{"Which DB?":["SQLite"]}}`},
		},
	},
	{
		Name:     "a question in a wrapper with an underscore",
		Method:   "_x.ai/ask_user_question",
		Params:   `{"method":"_x.ai/ask_user_question","params":{"sessionId":"S","toolCallId":"tc1","questions":[{"question":"Which DB?","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"}]}]}}`,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: whichDB,
		Decline:  cancelled,
	},
	{Name: "a wrapper around another method", Method: "_x.ai/ask_user_question", Params: `{"method":"x.ai/exit_plan_mode","params":{"questions":[{"question":"Q"}]}}`, Refused: "method", Decline: cancelled},
	{Name: "a wrapper around a list", Method: "_x.ai/ask_user_question", Params: `{"method":"x.ai/ask_user_question","params":[]}`, Refused: "params", Decline: cancelled},
	{Name: "a wrapper around nothing", Method: "_x.ai/ask_user_question", Params: `{"method":"x.ai/ask_user_question","params":null}`, Refused: "questions", Decline: cancelled},
	{Name: "no questions", Method: "_x.ai/ask_user_question", Params: `{"sessionId":"S","questions":[]}`, Refused: "questions", Decline: cancelled},
	{Name: "questions that are no list", Method: "_x.ai/ask_user_question", Params: `{"sessionId":"S","questions":"Q"}`, Refused: "questions", Decline: cancelled},
	{
		Name:   "a question in plan mode",
		Method: "_x.ai/ask_user_question",
		Params: `{"sessionId":"S","toolCallId":"tc1","mode":"plan","questions":[{"id":"q1","question":"Scope?","options":[{"id":"a","label":"API","preview":"GET /"},{"id":"b","label":"UI"}],"multiSelect":false},{"question":"Extras?","options":[{"label":"Docs"},{"label":"Tests"}],"multiSelect":true}]}`,
		Link:   dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{
				{ID: "q1", Text: "Scope?", FreeText: true, Options: []dialect.Option{{ID: "a", Label: "API", Preview: "GET /"}, {ID: "b", Label: "UI"}}},
				{ID: "Extras?", Text: "Extras?", FreeText: true, Multiple: true, Options: []dialect.Option{{ID: "Docs", Label: "Docs"}, {ID: "Tests", Label: "Tests"}}},
			},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, grok.ChatAboutThis, grok.SkipInterview},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{
			{
				Answer: accept(map[string]dialect.Pick{"q1": {Options: []string{"a"}}, "Extras?": {Options: []string{"Docs", "Tests"}}}),
				Result: `{"outcome":"accepted","answers":{"Scope?":["API"],"Extras?":["Docs","Tests"]},"annotations":{"Scope?":{"preview":"GET /"}}}`,
			},
			{Answer: dialect.Answer{Outcome: grok.ChatAboutThis}, Result: `{"outcome":"chat_about_this"}`},
			{
				Answer: dialect.Answer{Outcome: grok.SkipInterview, Picks: map[string]dialect.Pick{"q1": {Options: []string{"b"}}, "Extras?": {Options: []string{"Docs"}, Text: "a changelog"}}},
				Result: `{"outcome":"skip_interview","partial_answers":{"Scope?":"UI","Extras?":"Docs, a changelog"}}`,
			},
		},
	},
	{
		Name:   "two questions with one text have one answer",
		Method: "_x.ai/ask_user_question",
		Params: `{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"A","preview":"p"}]},{"question":"Which?","options":[{"label":"B"}]},{"question":"","options":[{"label":""}]}]}`,
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{
				{ID: "Which?", Text: "Which?", FreeText: true, Multiple: true, Options: []dialect.Option{{ID: "A", Label: "A"}, {ID: "A#2", Label: "A", Preview: "p"}, {ID: "B", Label: "B"}}},
				{ID: "question", FreeText: true, Options: []dialect.Option{{ID: "option"}}},
			},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{
			{
				Answer: accept(map[string]dialect.Pick{"Which?": {Options: []string{"A#2", "B"}}, "question": {Options: []string{"option"}}}),
				Result: `{"outcome":"accepted","answers":{"Which?":["A","B"],"":[""]}}`,
			},
		},
	},
	{
		Name:   "an option called Other",
		Method: "_x.ai/ask_user_question",
		Params: `{"questions":[{"question":"Which?","options":[{"label":"Other","preview":"p"},{"label":"B"}]}]}`,
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{{ID: "Which?", Text: "Which?", FreeText: true, Options: []dialect.Option{
				{ID: "Other", Label: "Other", Preview: "p"}, {ID: "B", Label: "B"},
			}}},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{
			{Answer: accept(map[string]dialect.Pick{"Which?": {Options: []string{"Other"}}}), Result: `{"outcome":"accepted","answers":{"Which?":["Other"]},"annotations":{"Which?":{"preview":"p"}}}`},
			{Answer: accept(map[string]dialect.Pick{"Which?": {Text: "mine"}}), Result: `{"outcome":"accepted","answers":{"Which?":["Other"]},"annotations":{"Which?":{"notes":"mine"}}}`},
		},
	},
	{
		Name:     "a field of another type loses nothing else",
		Method:   "_x.ai/ask_user_question",
		Params:   `{"sessionId":"S","toolCallId":"tc1","mode":7,"questions":[{"question":"Which DB?","multiSelect":"no","options":[{"label":"Postgres","description":"server"},{"label":"SQLite","description":"file"}]}]}`,
		Soft:     true,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc1"},
		Question: whichDB,
		Decline:  cancelled,
	},

	{
		Name:   "a plan",
		Method: "_x.ai/exit_plan_mode",
		Params: `{"sessionId":"S","toolCallId":"tc2","planContent":"# Plan"}`,
		Link:   dialect.Link{SessionID: "S", ToolCallID: "tc2"},
		Question: dialect.Question{
			Kind: dialect.KindPlan, Title: "Approve the plan", Text: "# Plan",
			Outcomes: planOutcomes, Feedback: []dialect.Outcome{dialect.OutcomeRejected},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted}, Result: `{"outcome":"approved"}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "split step 2"}, Result: `{"outcome":"cancelled","feedback":"split step 2"}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected}, Result: cancelled},
			{Answer: dialect.Answer{Outcome: grok.Abandoned}, Result: `{"outcome":"abandoned"}`},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeAccepted, Feedback: "well done"}},
	},
	{
		Name:     "a plan without content takes no feedback",
		Method:   "_x.ai/exit_plan_mode",
		Params:   `{"sessionId":"S","toolCallId":"tc2","planContent":null}`,
		Link:     dialect.Link{SessionID: "S", ToolCallID: "tc2"},
		Question: dialect.Question{Kind: dialect.KindPlan, Title: "Approve the plan", Outcomes: planOutcomes},
		Decline:  cancelled,
		Refuses:  []dialect.Answer{{Outcome: dialect.OutcomeRejected, Feedback: "would be dropped"}},
	},
	{Name: "a plan in another method's wrapper", Method: "_x.ai/exit_plan_mode", Params: `{"method":"x.ai/hooks/run","params":{}}`, Refused: "method", Decline: cancelled},

	{
		Name:     "folder trust",
		Method:   "_x.ai/folder_trust/request",
		Params:   `{"sessionId":"S","cwd":"/w","workspace":"/w","configKinds":["mcp","hooks"]}`,
		Link:     s1,
		Question: trustQuestion(),
		NoAnswer: -32601,
		Answers: []dialecttest.Answered{
			{Answer: accept(map[string]dialect.Pick{"trust": {Options: []string{"trust"}}}), Result: `{"outcome":"trust"}`},
			{Answer: accept(map[string]dialect.Pick{"trust": {Options: []string{"reject"}}}), Result: `{"outcome":"reject"}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected}, Result: `{"outcome":"reject"}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected, Picks: map[string]dialect.Pick{"trust": {Options: []string{"trust"}}}}, Result: `{"outcome":"reject"}`},
		},
		Refuses: []dialect.Answer{accept(nil)},
	},
	{
		Name:     "a hook",
		Method:   "_x.ai/hooks/run",
		Params:   `{"sessionId":"S","hookCallbackId":"h1","hookEventName":"PreToolUse","toolName":"shell"}`,
		Link:     s1,
		Question: dialect.Question{Kind: dialect.KindRequest, Title: "Run a hook", Text: "h1"},
		Decline:  `{}`,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Result: grok.HookDecision{Decision: "deny", Reason: "no"}}, Result: `{"decision":"deny","reason":"no"}`},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeAccepted}},
	},
	{
		Name:   "a wrapped hook keeps its payload",
		Method: "x.ai/hooks/run",
		Params: `{"method":"x.ai/hooks/run","params":{"hookCallbackId":"h1"}}`,
		Want:   grok.HookRun{HookCallbackID: "h1", Payload: []byte(`{"hookCallbackId":"h1"}`)},
		Question: dialect.Question{
			Kind: dialect.KindRequest, Title: "Run a hook", Text: "h1",
		},
		Decline: `{}`,
	},
	{Name: "a hook without an id", Method: "_x.ai/hooks/run", Params: `{"sessionId":"S"}`, Refused: "hookCallbackId", Decline: `{}`},
	{
		Name:     "a message for an MCP server of ours",
		Method:   "_x.ai/mcp/sdk_call",
		Params:   `{"serverId":"mine","message":{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}}`,
		Question: dialect.Question{Kind: dialect.KindRequest, Title: "Call an MCP server of the client", Text: "mine"},
		NoAnswer: -32601,
		Answers: []dialecttest.Answered{
			{Answer: dialect.Answer{Result: jsonText(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)}, Result: `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`},
		},
	},
	{Name: "a message for no server", Method: "_x.ai/mcp/sdk_call", Params: `{"message":{}}`, Refused: "serverId", NoAnswer: -32601},
	{Name: "a server without a message", Method: "_x.ai/mcp/sdk_call", Params: `{"serverId":"mine"}`, Refused: "message", NoAnswer: -32601},
}
