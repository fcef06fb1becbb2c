package opencode

import (
	"bytes"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func observe(f dialect.Frame) []dialect.Finding {
	if f.Call.ID == "" {
		return nil
	}
	return append(subagent(f), todos(f)...)
}

// todos reads the input of the frame that has it, so that the call's other frames
// say nothing.
func todos(f dialect.Frame) []dialect.Finding {
	input := rawjson.Get(f.Raw, "rawInput")
	if raw := rawjson.Get(input, "todos"); len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	in, _ := dialect.Lenient[todoInput](input)
	list := dialect.Todos{Items: []dialect.Todo{}}
	for _, t := range in.Todos {
		if t.Content != "" {
			list.Items = append(list.Items, dialect.Todo{Content: t.Content, Status: dialect.TodoStatus(t.Status), Priority: t.Priority})
		}
	}
	if len(list.Items) == 0 && len(in.Todos) > 0 {
		return nil // what is not understood must not clear what is known
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	return []dialect.Finding{{Link: link, Event: list}}
}

// subagent reads a call's record, for its frames have a part each. The call is
// known by its input or, where that never came, by the child in its output.
func subagent(f dialect.Frame) []dialect.Finding {
	var in rawInput
	if bytes.Contains(f.Call.RawInput, []byte("subagent_type")) {
		in, _ = dialect.Lenient[rawInput](f.Call.RawInput)
	}
	var out rawOutput
	if bytes.Contains(f.Call.RawOutput, []byte("parentSessionId")) {
		out, _ = dialect.Lenient[rawOutput](f.Call.RawOutput)
	}
	child := out.Metadata
	asked := in.SubagentType != "" && in.Prompt != ""
	answered := child.SessionID != "" && child.ParentSessionID != ""
	if !asked && !answered {
		return nil
	}
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(in.Description),
		Description: dialect.SetNonZero(in.Description),
		Prompt:      dialect.SetNonZero(in.Prompt),
		AgentType:   dialect.SetNonZero(in.SubagentType),
		Model:       dialect.SetNonZero(out.model()),
		Summary:     dialect.SetNonZero(out.result()),
		Error:       dialect.SetNonZero(out.Error),
	}
	switch {
	case child.Background && out.Error == "":
		patch.Background = dialect.Set(true)
		patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		patch.Activity = dialect.Set(dialect.ActivityRunning)
		patch.Summary = dialect.Field[string]{} // it says that it was launched
	case !f.Call.Finished() && !f.Call.Ended:
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	found := []dialect.Finding{{Link: link, Event: patch}}
	if child.SessionID != "" && child.ParentSessionID == f.SessionID {
		link.ChildSessionID = child.SessionID
		found = append(found, dialect.Finding{Link: link, Event: dialect.SubagentPatch{}})
	}
	return found
}

// model gives a model's name the way the agent's configuration has it.
func (o rawOutput) model() string {
	m := o.Metadata.Model
	if m.ProviderID == "" || m.ModelID == "" {
		return m.ModelID
	}
	return m.ProviderID + "/" + m.ModelID
}

// result gives the child's answer.
func (o rawOutput) result() string {
	_, after, _ := strings.Cut(o.Output, "<task_result>")
	result, _, ok := strings.Cut(after, "</task_result>")
	if !ok {
		return ""
	}
	return strings.TrimSpace(result)
}
