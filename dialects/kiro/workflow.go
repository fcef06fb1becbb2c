package kiro

import (
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// Workflow is the params of every _kiro/workflow/ report; each has some of the
// fields. A workflow is a tree of nodes, and each step is a session of its own
// that works for the parent's.
type Workflow struct {
	WorkflowID      string `json:"workflowId"`
	ParentSessionID string `json:"parentSessionId"` // may be missing

	WorkflowName string   `json:"workflowName"`
	NodeID       string   `json:"nodeId"`
	NodePath     []string `json:"nodePath"` // from the workflow's id on
	Type         string   `json:"type"`     // step, sequence, repeat, parallel, watch
	AgentName    string   `json:"agentName"`
	SessionID    string   `json:"sessionId"` // the step's; a start is told again once there is one
	Prompt       string   `json:"prompt"`

	Status        string `json:"status"` // completed, failed, aborted, and words for what has not ended
	Reason        string `json:"reason"`
	PauseReason   string `json:"pauseReason"`
	FailureReason string `json:"failureReason"`
	FinalState    struct {
		Root Node `json:"root"`
	} `json:"finalState"`

	LoopID           string         `json:"loopId"`
	Iteration        dialect.Number `json:"iteration"`
	StopConditionMet bool           `json:"stopConditionMet"`
	Outcome          string         `json:"outcome"` // of a watch's poll
}

// Node is what became of one node of a workflow.
type Node struct {
	NodeID        string `json:"nodeId"`
	Type          string `json:"type"`
	SessionID     string `json:"sessionId"`
	Status        string `json:"status"`
	FailureReason string `json:"failureReason"`
	Children      []Node `json:"children"`
}

func workflowReports() []dialect.Method {
	one := func(name, doc string, findings func(Workflow) []dialect.Finding) dialect.Method {
		return report("_kiro/workflow/"+name, doc, typesSeen, findings)
	}
	pass := func(p Workflow) []dialect.Finding { return other(p.link(), p) }
	return []dialect.Method{
		one("run_start", "a workflow starts", func(p Workflow) []dialect.Finding {
			return notice(p.link(), dialect.NoticeBackground, "Workflow started", p.WorkflowName)
		}),
		one("node_start", "a node of a workflow starts; a step with a session is a subagent", nodeStart),
		one("node_complete", "a node of a workflow has ended", func(p Workflow) []dialect.Finding {
			return notice(p.link(), ended(p.Status), "Workflow node "+p.NodeID, p.Status, p.FailureReason)
		}),
		one("node_paused", "a node of a workflow waits for the user", func(p Workflow) []dialect.Finding {
			return notice(p.link(), dialect.NoticeWarning, "Workflow node "+p.NodeID+" is paused", p.Reason)
		}),
		one("paused", "a workflow waits", func(p Workflow) []dialect.Finding {
			return notice(p.link(), dialect.NoticeWarning, "Workflow paused", p.PauseReason)
		}),
		one("run_complete", "a workflow has ended, or will go on later; it says what became of each step", runComplete),
		one("loop_iteration", "a loop of a workflow goes round", pass),
		one("watch_poll", "a watch of a workflow has looked", pass),
		one("steps_queued", "steps are added to a workflow", pass),
	}
}

func (p Workflow) link() dialect.Link { return inSession(p.ParentSessionID) }

// nodeStart makes a subagent of a step, once it has a session. Before that it has
// nothing to tell it by that its end has too.
func nodeStart(p Workflow) []dialect.Finding {
	if p.SessionID == "" || p.AgentName == "" || p.Type == "watch" {
		return notice(p.link(), dialect.NoticeBackground, "Workflow node "+p.NodeID+" started", p.AgentName)
	}
	return one(dialect.Link{SessionID: p.ParentSessionID, ChildSessionID: p.SessionID}, dialect.SubagentPatch{
		Title:     dialect.SetNonZero(p.NodeID),
		Prompt:    dialect.SetNonZero(p.Prompt),
		AgentType: dialect.SetNonZero(p.AgentName),
		Activity:  dialect.Set(dialect.ActivityRunning),
	})
}

// runComplete ends the steps that have. A node's own end has no session and no
// type, so the steps' ends are read here.
func runComplete(p Workflow) []dialect.Finding {
	found := notice(p.link(), ended(p.Status), "Workflow", p.Status, p.FailureReason)
	var walk func(Node)
	walk = func(n Node) {
		if outcome, over := stepOutcomes[n.Status]; over && n.SessionID != "" {
			found = append(found, dialect.Finding{
				Link: dialect.Link{SessionID: p.ParentSessionID, ChildSessionID: n.SessionID},
				Event: dialect.SubagentPatch{
					Activity: dialect.Set(dialect.ActivityEnded),
					Outcome:  dialect.Set(outcome),
					Error:    dialect.SetNonZero(strings.TrimSpace(n.FailureReason)),
				},
			})
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(p.FinalState.Root)
	return found
}

// stepOutcomes are the words for a node that has ended.
var stepOutcomes = map[string]dialect.SubagentOutcome{
	"completed": dialect.SubagentCompleted,
	"failed":    dialect.SubagentFailed,
	"aborted":   dialect.SubagentCancelled,
}

func ended(status string) dialect.NoticeKind {
	if status == "failed" || status == "aborted" {
		return dialect.NoticeWarning
	}
	return dialect.NoticeBackground
}
