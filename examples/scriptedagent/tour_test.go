package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tourTurn plays one turn of the tour with a client that gives these answers,
// and tells the turn in a line a frame.
func tourTurn(c *client, answers map[string]string) []string {
	c.prompt("s1", "go")
	var told []string
	for {
		f := c.frame()
		switch {
		case f.Method == "session/update":
			told = append(told, tellUpdate(c, f.Params))
		case f.Method == "":
			return append(told, fmt.Sprintf("%s %s%s", f.ID, string(f.Result), string(f.Error)))
		case f.ID == nil:
			told = append(told, "notification "+f.Method)
		default:
			told = append(told, fmt.Sprintf("request %s %s", f.ID, f.Method))
			c.write(`{"jsonrpc":"2.0","id":` + string(f.ID) + `,` + answers[f.Method] + `}`)
		}
	}
}

func tellUpdate(c *client, params json.RawMessage) string {
	c.t.Helper()
	var p struct {
		SessionID string
		Update    struct {
			SessionUpdate, ToolCallID, Title, Kind, Status string
			Content                                        struct{ Text string }
			Entries                                        []any
		}
	}
	if err := json.Unmarshal(params, &p); err != nil || p.SessionID != "s1" {
		c.t.Fatalf("session/update with %s: %v", params, err)
	}
	u := p.Update
	switch u.SessionUpdate {
	case "agent_message_chunk":
		return "text " + strings.TrimSpace(u.Content.Text)
	case "plan":
		return fmt.Sprintf("plan of %d", len(u.Entries))
	case "tool_call":
		return fmt.Sprintf("tool_call %q %s %q %s", u.ToolCallID, u.Kind, u.Title, u.Status)
	}
	return fmt.Sprintf("%s %q %s", u.SessionUpdate, u.ToolCallID, u.Status)
}

// turnText is the turn with everything that depends on the answers as %s.
const turnText = `text Welcome to the tour.
text First a plan and an ordinary tool call.
plan of 3
tool_call "tool_5a0c1b1e-0001-4000-8000-000000000001" read "Read File" pending
tool_call_update "tool_5a0c1b1e-0001-4000-8000-000000000001" in_progress
tool_call_update "tool_5a0c1b1e-0001-4000-8000-000000000001" completed
text Now a subagent that counts files.
tool_call "call_9f31\nfc_9f31" other "Task: Count files" pending
tool_call_update "call_9f31\nfc_9f31" in_progress
tool_call_update "call_9f31\nfc_9f31" completed
request %d cursor/task
tool_call "tool_5a0c1b1e-0002-4000-8000-000000000002" other "Task: Watch the tests" pending
tool_call_update "tool_5a0c1b1e-0002-4000-8000-000000000002" in_progress
tool_call_update "tool_5a0c1b1e-0002-4000-8000-000000000002" completed
request %d cursor/task
tool_call "tool_5a0c1b1e-0003-4000-8000-000000000003" other "Update TODOs" pending
tool_call_update "tool_5a0c1b1e-0003-4000-8000-000000000003" in_progress
tool_call_update "tool_5a0c1b1e-0003-4000-8000-000000000003" completed
request %d cursor/update_todos
text A question for you.
tool_call "tool_5a0c1b1e-0004-4000-8000-000000000004" other "Ask Question" pending
tool_call_update "tool_5a0c1b1e-0004-4000-8000-000000000004" in_progress
request %d cursor/ask_question
tool_call_update "tool_5a0c1b1e-0004-4000-8000-000000000004" completed
text The question was %s.
plan of 2
tool_call "call_a7c2\nfc_a7c2" other "Create Plan: Add a cache" pending
tool_call_update "call_a7c2\nfc_a7c2" in_progress
request %d cursor/create_plan
tool_call_update "call_a7c2\nfc_a7c2" completed
text The plan was %s.
tool_call "tool_5a0c1b1e-0005-4000-8000-000000000005" other "Generate Image" pending
tool_call_update "tool_5a0c1b1e-0005-4000-8000-000000000005" in_progress
tool_call_update "tool_5a0c1b1e-0005-4000-8000-000000000005" completed
request %d cursor/generate_image
notification acme/progress
request %d acme/unknown
text The unknown request was answered with error %s.
text That was the tour.
%d {"stopReason":"end_turn"}`

func TestTour(t *testing.T) {
	const done, refused = `"result":{}`, `"error":{"code":-32601,"message":"Method not found"}`
	for name, test := range map[string]struct {
		ask, plan, other         string
		asked, planned, answered string
	}{
		"accepted": {
			ask:  `"result":{"outcome":{"outcome":"answered","answers":[{"questionId":"database","selectedOptionIds":["sqlite"]}]}}`,
			plan: `"result":{"outcome":{"outcome":"accepted"}}`, other: refused,
			asked: "answered; picked: sqlite", planned: "accepted", answered: "-32601",
		},
		"cancelled": {
			ask:  `"result":{"outcome":{"outcome":"cancelled"}}`,
			plan: `"result":{"outcome":{"outcome":"cancelled"}}`, other: refused,
			asked: "cancelled; picked: nothing", planned: "cancelled", answered: "-32601",
		},
		"by a client that knows no private method": {
			ask: refused, plan: refused, other: refused,
			asked: "not understood; picked: nothing", planned: "not understood", answered: "-32601",
		},
		"by a client that accepts all": {
			ask: done, plan: done, other: done,
			asked: "not understood; picked: nothing", planned: "not understood", answered: "none",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t)
			c.open()
			answers := map[string]string{
				"cursor/task": done, "cursor/update_todos": done, "cursor/generate_image": done,
				"cursor/ask_question": test.ask, "cursor/create_plan": test.plan, "acme/unknown": test.other,
			}
			for turn := range 2 { // the tour comes again, and its ids go on
				id := 7 * turn
				want := fmt.Sprintf(turnText, id, id+1, id+2, id+3, test.asked, id+4, test.planned, id+5, id+6, test.answered, 3+turn)
				if diff := cmp.Diff(strings.Split(want, "\n"), tourTurn(c, answers)); diff != "" {
					t.Errorf("turn %d (-want +got):\n%s", turn+1, diff)
				}
			}
			if rest := c.end(0); rest != "" {
				t.Errorf("the agent wrote %q after the turns", rest)
			}
			if c.stderr.Len() > 0 {
				t.Errorf("stderr: %s", c.stderr.String())
			}
		})
	}
}

func TestTourHasTheVendorsForms(t *testing.T) {
	c := start(t)
	c.open()
	c.prompt("s1", "go")
	got := map[string]any{}
	for {
		f := c.frame()
		if f.Method == "" {
			break
		}
		if f.ID == nil {
			continue
		}
		var params any
		if err := json.Unmarshal(f.Params, &params); err != nil {
			t.Fatal(err)
		}
		got[string(f.ID)+" "+f.Method] = params
		c.write(`{"jsonrpc":"2.0","id":` + string(f.ID) + `,"result":{}}`)
	}
	c.end(0)

	type object = map[string]any
	type list = []any
	want := object{
		"0 cursor/task": object{
			"toolCallId": "call_9f31\nfc_9f31", "description": "Count files",
			"prompt":       "Count the *.go files and say how many there are.",
			"subagentType": object{"custom": "file-counter"},
			"model":        "composer-2.5-fast",
			"agentId":      "5a0c1b1e-00a1-4000-8000-0000000000a1",
			"durationMs":   4210.0,
		},
		"1 cursor/task": object{
			"toolCallId": "tool_5a0c1b1e-0002-4000-8000-000000000002", "description": "Watch the tests",
			"prompt":       "Run the tests again and again and tell when they fail.",
			"subagentType": object{"custom": object{"unspecified": object{}}},
			"model":        "composer-2.5-fast",
			"durationMs":   150.0,
		},
		"2 cursor/update_todos": object{
			"toolCallId": "tool_5a0c1b1e-0003-4000-8000-000000000003", "merge": false,
			"todos": list{
				object{"id": "count", "content": "Count the Go files", "status": "completed"},
				object{"id": "database", "content": "Choose a database", "status": "in_progress"},
			},
		},
		"3 cursor/ask_question": object{
			"toolCallId": "tool_5a0c1b1e-0004-4000-8000-000000000004", "title": "Setup",
			"questions": list{object{
				"id": "database", "prompt": "Which database?", "allowMultiple": false,
				"options": list{object{"id": "postgres", "label": "Postgres"}, object{"id": "sqlite", "label": "SQLite"}},
			}},
		},
		"4 cursor/create_plan": object{
			"toolCallId": "call_a7c2\nfc_a7c2", "name": "Add a cache",
			"overview": "A small LRU cache in front of the database.",
			"plan":     "# Add a cache\n\n1. Write the cache.\n2. Test the cache.\n",
			"todos": list{
				object{"id": "write", "content": "Write the cache", "status": "pending"},
				object{"id": "test", "content": "Test the cache", "status": "pending"},
			},
			"isProject": false, "phases": list{},
		},
		"5 cursor/generate_image": object{
			"toolCallId": "tool_5a0c1b1e-0005-4000-8000-000000000005", "description": "An icon for the cache",
			"filePath": "/project/icon.png",
		},
		"6 acme/unknown": object{"x": 1.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the requests (-want +got):\n%s", diff)
	}
}

func TestTourEndsByCancel(t *testing.T) {
	c := start(t)
	c.open()
	id := c.prompt("s1", "go")
	for c.frame().Method != "cursor/ask_question" {
	}
	c.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"outcome":{"outcome":"cancelled"}}}`)
	want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"cancelled"}}`, id)
	if diff := cmp.Diff(want, c.read()); diff != "" {
		t.Error(diff)
	}
	if rest := c.end(0); rest != "" {
		t.Errorf("the agent wrote %q after the cancelled turn", rest)
	}
}
