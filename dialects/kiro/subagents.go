package kiro

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// SubagentList is the params of _kiro.dev/subagent/list_update: all subagents
// there are. It names no session; the parent is the one whose turn runs.
type SubagentList struct {
	Subagents     []Subagent     `json:"subagents"`
	PendingStages []PendingStage `json:"pendingStages"`
}

// Subagent is a subagent, which is a session of its own.
type Subagent struct {
	SessionID         string         `json:"sessionId"`
	SessionName       string         `json:"sessionName"`
	AgentName         string         `json:"agentName"`
	InitialQuery      string         `json:"initialQuery"`
	Status            Status         `json:"status"` // working, awaitingInstruction, terminated
	Group             string         `json:"group"`
	Role              string         `json:"role"`
	DependsOn         []string       `json:"dependsOn"`
	Name              string         `json:"name"` // since 2.5
	CreatedAtMs       dialect.Number `json:"createdAtMs"`
	HasLoop           bool           `json:"hasLoop"`
	LoopIteration     dialect.Number `json:"loopIteration"`
	LoopMaxIterations dialect.Number `json:"loopMaxIterations"`
}

// PendingStage is a subagent that has not started.
type PendingStage struct {
	Name      string   `json:"name"`
	AgentName string   `json:"agentName"`
	Group     string   `json:"group"`
	Role      string   `json:"role"`
	DependsOn []string `json:"dependsOn"`
}

func subagentList() dialect.Method {
	return dialect.Report[SubagentList]{
		Name:   "_kiro.dev/subagent/list_update",
		Doc:    "all subagents there are; who is missing has ended",
		Source: captured,
		Decode: decodeList,
		Correlate: func(p SubagentList) []dialect.Finding {
			list := dialect.SubagentList{Members: []dialect.Member{}}
			for _, s := range p.Subagents {
				list.Members = append(list.Members, s.member())
			}
			return one(dialect.Link{}, list)
		},
	}
}

// decodeList refuses a list that is not whole: whoever it leaves out would be
// taken to have ended.
func decodeList(raw json.RawMessage) (SubagentList, error) {
	p, err := dialect.Lenient[SubagentList](raw)
	if !dialect.Usable(err) {
		return p, err
	}
	if p.Subagents == nil {
		return p, dialect.MissingField("subagents")
	}
	for _, s := range p.Subagents {
		if s.SessionID == "" && s.Name == "" {
			return p, dialect.MissingField("sessionId")
		}
	}
	return p, err
}

func (s Subagent) member() dialect.Member {
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(s.SessionName),
		Description: dialect.SetNonZero(s.Role),
		Prompt:      dialect.SetNonZero(s.InitialQuery),
		AgentType:   dialect.SetNonZero(s.AgentName),
	}
	switch s.Status.Type {
	case "":
	case "working":
		patch.Activity = dialect.Set(dialect.ActivityRunning)
	case "awaitingInstruction":
		patch.Activity = dialect.Set(dialect.ActivityIdle)
	case "terminated":
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentUnknown)
	default:
		patch.Activity = dialect.Set(dialect.ActivityUnknown)
	}
	return dialect.Member{Link: dialect.Link{ChildSessionID: s.SessionID, AgentID: s.Name}, Patch: patch}
}
