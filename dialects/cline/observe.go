package cline

import (
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// observe reads the call that starts a child.
func observe(f dialect.Frame) []dialect.Finding {
	if f.Call.ID == "" || !strings.HasPrefix(f.Call.Title, "spawn_agent") {
		return nil
	}
	input, _ := dialect.Lenient[spawn](f.Call.RawInput)
	if input.Task == "" {
		return nil
	}
	output := readResult(f.Call.RawOutput)
	child := dialect.SubagentPatch{
		Description: dialect.SetNonZero(input.SystemPrompt),
		Prompt:      dialect.Set(input.Task),
		Summary:     dialect.SetNonZero(output.Text),
		Tokens:      dialect.SetNonZero(output.Usage.InputTokens.Int() + output.Usage.OutputTokens.Int()),
	}
	if !f.Call.Finished() {
		child.Activity = dialect.Set(dialect.ActivityRunning)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return []dialect.Finding{{Link: link, Event: child}}
}
