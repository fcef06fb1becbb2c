package codex

import (
	"maps"
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// threads reads a call that spawns, asks or waits for other threads.
func threads(f dialect.Frame) []dialect.Finding {
	if !dealsWithThreads(f.Call.RawInput, f.Call.Meta) {
		return nil
	}
	in, _ := dialect.Lenient[input](f.Call.RawInput)
	m, _ := dialect.Lenient[callMeta](f.Call.Meta)
	tool := f.Call.Title
	if c := m.Codex.Collaboration; c.Tool != "" {
		tool, in.Receivers = c.Tool, c.Receivers
	}
	if a := m.Codex.Subagent; a.ThreadID != "" {
		in.ThreadID, in.Path, in.Activity = a.ThreadID, a.Path, a.Activity
	}
	var found []dialect.Finding
	if tool == "spawnAgent" && (in.Receivers != nil || in.Prompt != "") {
		found = spawned(f, in)
	}
	for _, thread := range slices.Sorted(maps.Keys(in.States)) {
		patch, ok := in.States[thread].patch()
		if ok && thread != "" {
			found = append(found, dialect.Finding{Link: agent(f, thread), Event: patch})
		}
	}
	return append(found, active(f, in)...)
}

func agent(f dialect.Frame, thread string) dialect.Link {
	return dialect.Link{SessionID: f.SessionID, AgentID: thread}
}

// spawned reads a spawnAgent call: one thread, as far as was seen. More than one
// are told apart by their ids, for a call leads to one subagent.
func spawned(f dialect.Frame, in input) []dialect.Finding {
	patch := dialect.SubagentPatch{
		Prompt:     dialect.SetNonZero(in.Prompt),
		Model:      dialect.SetNonZero(in.Model),
		Background: dialect.Set(true),
		Outcome:    dialect.Set(dialect.SubagentLaunched),
		Activity:   dialect.Set(dialect.ActivityRunning),
	}
	if f.Call.Status == "failed" {
		patch.Outcome = dialect.Set(dialect.SubagentFailed)
		patch.Activity = dialect.Set(dialect.ActivityEnded)
	}
	link := dialect.Link{SessionID: f.SessionID, ToolCallID: f.Call.ID}
	if len(in.Receivers) > 0 {
		link.AgentID = in.Receivers[0]
	}
	found := []dialect.Finding{{Link: link, Event: patch}}
	for _, thread := range in.Receivers[min(1, len(in.Receivers)):] {
		if thread != "" {
			found = append(found, dialect.Finding{Link: agent(f, thread), Event: patch})
		}
	}
	return found
}

// patch gives what a thread's state says, false if nothing.
func (s agentState) patch() (dialect.SubagentPatch, bool) {
	switch s.Status {
	case "pendingInit", "running":
		return dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityRunning)}, true
	case "completed":
		return dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded),
			Outcome:  dialect.Set(dialect.SubagentCompleted),
			Summary:  dialect.SetNonZero(s.Message),
		}, true
	case "interrupted":
		return dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded), Outcome: dialect.Set(dialect.SubagentCancelled)}, true
	case "errored":
		return dialect.SubagentPatch{
			Activity: dialect.Set(dialect.ActivityEnded),
			Outcome:  dialect.Set(dialect.SubagentFailed),
			Error:    dialect.SetNonZero(s.Message),
		}, true
	case "shutdown", "notFound":
		return dialect.SubagentPatch{Activity: dialect.Set(dialect.ActivityEnded)}, true
	}
	return dialect.SubagentPatch{}, false
}

// active reads the calls of newer models, which stand for a moment in a thread's
// life each. The main agent's own thread is the path "/root".
func active(f dialect.Frame, in input) []dialect.Finding {
	path := strings.Trim(in.Path, "/")
	if in.ThreadID == "" || path == "root" {
		return nil
	}
	link := agent(f, in.ThreadID)
	patch := dialect.SubagentPatch{Title: dialect.SetNonZero(path[strings.LastIndex(path, "/")+1:])}
	switch in.Activity {
	case "started":
		link.ToolCallID = f.Call.ID
		patch.Background = dialect.Set(true)
		patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	case "completed":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentCompleted)
	case "interrupted":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentCancelled)
	}
	return []dialect.Finding{{Link: link, Event: patch}}
}
