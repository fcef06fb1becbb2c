package state

import (
	"fmt"
	"testing"
)

// Todos are one ordered list a session: replaced, merged by id or cleared,
// whether a report, an input or a plan says so. Each event has the whole list.
func TestTodos(t *testing.T) {
	p := opened(t, "s1", "s2").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`s1 plan {"entries":[{"content":"a","status":"pending"},{"content":"b"}]}`,
		`acme/todos {"todos":[{"id":"1","content":"one","status":"pending"},{"id":"2","content":"two"}]}`,
		`acme/todos {"merge":true,"todos":[{"id":"2","status":"completed"},{"id":"3","content":"three"},{"id":"1","content":"uno"}]}`,
		`acme/todos {"merge":true,"todos":[{"content":"three","status":"in_progress"},{"content":"four"}]}`,
		`acme/todos {"merge":true,"todos":[]}`,
		`s2 plan {"entries":[{"content":"of s2"}]}`,
		`acme/todos {"session":"s9","merge":true,"todos":[{"id":"1","content":"of nobody"}]}`,
		`s1 tool_call {"toolCallId":"T","rawInput":{"todos":[{"content":"from the input"}]}}`,
		`acme/todos {"merge":true,"todos":[{"id":"7","content":"from the input","status":"completed"}]}`,
		`acme/todos {"todos":[]}`,
		`s1 plan {"entries":[]}`,
	)
	want(t, "told", []string{
		"todos session/update s1:vendor [a:pending b]",
		"todos acme/todos s1:turn [1:one:pending 2:two]",
		"todos acme/todos s1:turn [1:uno:pending 2:two:completed 3:three]",
		"todos acme/todos s1:turn [1:uno:pending 2:two:completed 3:three:in_progress four]",
		"todos acme/todos s1:turn [1:uno:pending 2:two:completed 3:three:in_progress four]",
		"todos session/update s2:vendor [of s2]",
		"todos acme/todos s9:vendor [1:of nobody]",
		"todos session/update s1:vendor [from the input]",
		"todos acme/todos s1:turn [7:from the input:completed]",
		"todos acme/todos s1:turn []",
		"todos session/update s1:vendor []",
	}, p.notes("todos"))
}

// A report that waited takes its place among the changes by when it came.
func TestTodosKeepTheOrderOfReports(t *testing.T) {
	p := opened(t, "s1").play(
		`> session/prompt#1 {"sessionId":"s1"}`,
		`acme/todos {"todos":[{"id":"1","content":"a"}]}`,
		`acme/todos {"call":"late","merge":true,"todos":[{"id":"1","status":"in_progress"},{"id":"2","content":"b"}]}`,
		`acme/todos {"merge":true,"todos":[{"id":"1","status":"completed"}]}`,
		`s1 tool_call {"toolCallId":"late"}`,
	)
	want(t, "told", []string{
		"todos acme/todos s1:turn [1:a]",
		"todos acme/todos s1:turn [1:a:completed]",
		"todos acme/todos s1:tool_call matched [1:a:completed 2:b]",
	}, p.notes("todos"))
	p.play(
		`acme/todos {"call":"never","todos":[{"id":"9","content":"old"}]}`,
		`acme/todos {"todos":[{"id":"8","content":"new"}]}`,
		`=1 {"stopReason":"end_turn"}`,
	)
	want(t, "a list that was replaced meanwhile", []string{
		"todos acme/todos s1:turn [8:new]",
		"todos acme/todos s1:turn [8:new]",
	}, p.notes("todos"))
}

// What a list was made of is not kept for ever.
func TestTodosAreBounded(t *testing.T) {
	p := opened(t, "s1").play(`> session/prompt#1 {"sessionId":"s1"}`, `acme/note {"call":"never","text":"waits"}`)
	for i := range 1000 {
		p.play(fmt.Sprintf(`acme/todos {"merge":true,"todos":[{"id":"%d","content":"c"}]}`, i%7))
		p.play(fmt.Sprintf(`s1 tool_call {"toolCallId":"%d","rawInput":{"todos":[{"content":"%d"}]}}`, i, i))
	}
	if n := len(p.sessions["s1"].todos.changes); n > maxTodoChanges {
		t.Errorf("%d changes are kept apart", n)
	}
	want(t, "the list", []string{"todos session/update s1:vendor [999]"}, p.notes("todos session/update s1:vendor [999]"))
	p = opened(t, "s1")
	for range 10 {
		p.play(`acme/todos {"merge":true,"todos":[{"id":"1","content":"c"}]}`)
	}
	if n := len(p.sessions["s1"].todos.changes); n != 1 {
		t.Errorf("%d changes are kept apart where nothing waits", n)
	}
}
