package state

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Words makes up the streams of one agent.
type words struct {
	*rand.Rand
	agent int
}

func (w words) one(of ...string) string { return of[w.IntN(len(of))] }

func (w words) line(format string, args ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, args...), "%", fmt.Sprint(w.agent))
}

func (w words) calls() []string {
	out := []string{w.line(`s1 %s {"toolCallId":"T%%","status":"pending"%s}`, w.one("tool_call", "tool_call_update"), w.one(``, `,"rawInput":{}`, `,"rawInput":{"task":{"title":"t"}}`))}
	if w.IntN(2) == 0 {
		out = append(out, w.line(`s1 tool_call_update {"toolCallId":"T%%","rawInput":{"task":{"title":"t%d","prompt":"p"}}}`, w.IntN(3)))
	}
	if w.IntN(2) == 0 {
		out = append(out, w.line(`session/request_permission#50%% {"sessionId":"s1","toolCall":{"toolCallId":"T%%","status":"in_progress"},"options":[]}`))
	}
	if w.IntN(4) > 0 {
		output := w.one(``, `,"rawOutput":{"background":true}`, `,"rawOutput":{"background":false}`, `,"rawOutput":{"outcome":"cancelled"}`)
		out = append(out, w.line(`s1 tool_call_update {"toolCallId":"T%%","status":"%s"%s}`, w.one("completed", "failed"), output))
	}
	if w.IntN(3) == 0 {
		out = append(out, w.line(`s1 tool_call_update {"toolCallId":"T%%","title":"late"}`))
	}
	return out
}

func (w words) reports() []string {
	var out []string
	ended := false
	for i := range w.IntN(4) {
		what := w.one(`"model":"m"`, `"title":"r"`, `"outcome":"launched"`, `"activity":"running"`, `"activity":"ended","outcome":"failed"`)
		if ended {
			what = `"prompt":"late"`
		}
		ended = ended || strings.Contains(what, "ended")
		if w.IntN(5) == 0 {
			out = append(out, w.line(`acme/todos#1%%%d {"call":"T%%","merge":%v,"todos":[{"id":"%d","content":"c%d"}]}`, i, w.IntN(2) == 0, w.IntN(3), i))
		} else {
			out = append(out, w.line(`acme/agent#1%%%d {"call":"T%%"%s,%s}`, i, w.one(``, `,"agent":"A%"`), what))
		}
	}
	return out
}

func (w words) child() []string {
	const names = `"_meta":{"acme":{"names":{"call":"T%%","child":"C%%"}}}`
	var out []string
	begin, end := w.line(`s1 subagent_spawned {"subagentSessionId":"C%%","name":"n",`+names+`}`), ""
	switch w.IntN(4) {
	case 0:
		return nil
	case 1:
		end = w.line(`s1 subagent_state_update {"subagentSessionId":"C%%","state":"%s"}`, w.one("completed", "failed", "disconnected"))
	case 2:
		begin = w.line(`s1 subagent_update {"sessionId":"C%%","title":"f","state":{"state":"running"},` + names + `}`)
		end = w.line(`s1 subagent_update {"sessionId":"C%%","title":null,"state":{"state":"%s"}}`, w.one("idle", "requires_action", "odd"))
	}
	out = append(out, begin)
	for i := range w.IntN(3) {
		out = append(out, w.line(`C%% tool_call {"toolCallId":"c%d","status":"pending"}`, i))
	}
	if w.IntN(2) == 0 {
		out = append(out, w.line(`C%% tool_call_update {"toolCallId":"c0","status":"%s"}`, w.one("in_progress", "completed")))
	}
	if end != "" {
		out = append(out, end)
	}
	return out
}
