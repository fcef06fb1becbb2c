package cline

import (
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, Dialect(), cases) }

const call = `{"sessionUpdate":"tool_call_update","toolCallId":"c1","title":"spawn_agent: Count the fi...","kind":"think",` +
	`"rawInput":{"systemPrompt":"You count.","task":"Count the files."}`

func found(change func(*dialect.SubagentPatch)) []dialect.Finding {
	s := dialect.SubagentPatch{Description: dialect.Set("You count."), Prompt: dialect.Set("Count the files.")}
	change(&s)
	return []dialect.Finding{{Link: dialect.Link{SessionID: "s1", ToolCallID: "c1"}, Event: s}}
}

func running(s *dialect.SubagentPatch) { s.Activity = dialect.Set(dialect.ActivityRunning) }

func done(s *dialect.SubagentPatch) {
	s.Summary = dialect.Set("There are three.")
	s.Tokens = dialect.Set[int64](3060)
}

var cases = []dialecttest.Case{
	{Name: "the first frame is an update", Frame: dialecttest.Update("s1", call+`,"status":"pending"}`), Findings: found(running)},
	{
		Name: "a permission request comes before the call",
		Frame: dialecttest.Permission(`{"sessionId":"s1","toolCall":{"toolCallId":"c1","title":"spawn_agent: Count the fi...","kind":"think","status":"pending",` +
			`"rawInput":{"systemPrompt":"You count.","task":"Count the files."}},"options":[{"optionId":"y","name":"Y","kind":"allow_once"}]}`),
		Findings: found(running),
	},
	{
		Name:     "the end",
		Frame:    dialecttest.Update("s1", call+`,"status":"completed","rawOutput":{"text":"There are three.","iterations":3,"finishReason":"completed","usage":{"inputTokens":3000,"outputTokens":60}}}`),
		Findings: found(done),
	},
	{
		Name:     "the end as a load replays it",
		Frame:    dialecttest.Update("s1", call+`,"status":"completed","rawOutput":"{\"text\":\"There are three.\",\"usage\":{\"inputTokens\":3000,\"outputTokens\":60}}"}`),
		Findings: found(done),
	},
	{Name: "another call", Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c2","title":"read_file","kind":"read","status":"pending","rawInput":{"task":"x"}}`)},
	{Name: "a call without a task", Frame: dialecttest.Update("s1", `{"sessionUpdate":"tool_call","toolCallId":"c2","title":"spawn_agent","kind":"think","status":"pending","rawInput":{}}`)},
}
