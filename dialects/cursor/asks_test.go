package cursor_test

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/cursor"
)

const cancelled = `{"outcome":{"outcome":"cancelled"}}`

var setup = dialect.Question{
	Kind:  dialect.KindChoice,
	Title: "Setup",
	Items: []dialect.Item{{ID: "q1", Text: "Which DB?", Options: []dialect.Option{
		{ID: "pg", Label: "Postgres"}, {ID: "lite", Label: "SQLite"},
	}}},
	Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
	Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
}

// planned gives a plan's question.
func planned(title, text string, todos ...dialect.Todo) dialect.Question {
	return dialect.Question{
		Kind: dialect.KindPlan, Title: title, Text: text, Todos: todos,
		Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected},
		Feedback: []dialect.Outcome{dialect.OutcomeRejected},
	}
}

func picks(item string, options ...string) map[string]dialect.Pick {
	return map[string]dialect.Pick{item: {Options: options}}
}

var asks = []dialecttest.Case{
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
				Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: picks("q1", "lite")},
				Result: `{"outcome":{"outcome":"answered","answers":[{"questionId":"q1","selectedOptionIds":["lite"]}]}}`,
			},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted}, Result: `{"outcome":{"outcome":"answered","answers":[]}}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeSkipped}, Result: `{"outcome":{"outcome":"skipped"}}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeSkipped, Feedback: "later"}, Result: `{"outcome":{"outcome":"skipped","reason":"later"}}`},
			{Answer: dialect.Answer{Result: cursor.QuestionResult{Outcome: cursor.QuestionOutcome{Outcome: "cancelled"}}}, Result: cancelled},
		},
		Refuses: []dialect.Answer{
			{Outcome: dialect.OutcomeRejected},
			{Outcome: dialect.OutcomeAccepted, Picks: picks("q1", "mysql")},
			{Outcome: dialect.OutcomeAccepted, Picks: picks("q1", "pg", "lite")},
			{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"q1": {Text: "mysql"}}},
			{Outcome: dialect.OutcomeAccepted, Feedback: "because"},
		},
	},
	{
		Name:   "questions under other field names, ids that repeat or lack, null elements",
		Method: "cursor/ask_question",
		Params: `{"toolCallId":"a","questions":[null,{"question":"Which?","allowMultiple":true,"options":[{"value":"x","label":"X"},null,{"id":"x"}]},{"id":"q","prompt":"A?","options":[{"id":"y","label":"Yes"}]},{"id":"q","prompt":"B?","options":[{"id":"n","label":"No"}]}]}`,
		Soft:   true,
		Link:   dialect.Link{ToolCallID: "a"},
		Question: dialect.Question{
			Kind: dialect.KindChoice,
			Items: []dialect.Item{
				{ID: "#1", Text: "Which?", Multiple: true, Options: []dialect.Option{{ID: "x", Label: "X"}, {ID: "x#2", Label: "x"}}},
				{ID: "q", Text: "A?", Options: []dialect.Option{{ID: "y", Label: "Yes"}}},
				{ID: "q#2", Text: "B?", Options: []dialect.Option{{ID: "n", Label: "No"}}},
			},
			Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeSkipped},
			Feedback: []dialect.Outcome{dialect.OutcomeSkipped},
		},
		Decline: cancelled,
		Answers: []dialecttest.Answered{{
			Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{
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
			{Answer: dialect.Answer{Outcome: dialect.OutcomeAccepted}, Result: `{"outcome":{"outcome":"accepted"}}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected}, Result: `{"outcome":{"outcome":"rejected"}}`},
			{Answer: dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: "keep it smaller"}, Result: `{"outcome":{"outcome":"rejected","reason":"keep it smaller"}}`},
			{
				Answer: dialect.Answer{Result: cursor.PlanResult{Outcome: cursor.PlanOutcome{Outcome: "accepted", PlanURI: "file:///w/plan.md"}}},
				Result: `{"outcome":{"outcome":"accepted","planUri":"file:///w/plan.md"}}`,
			},
		},
		Refuses: []dialect.Answer{{Outcome: dialect.OutcomeSkipped}, {Outcome: dialect.OutcomeAccepted, Feedback: "fine"}, {Outcome: dialect.OutcomeAccepted, Picks: picks("t1")}},
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
}
