package dialect

import "time"

// Activity is what a subagent is doing. It is separate from its outcome: an idle
// subagent has not ended, and a launched one has not completed.
type Activity string

// The activities.
const (
	ActivityRunning        Activity = "running"
	ActivityIdle           Activity = "idle" // waiting for more work; not an end by itself
	ActivityRequiresAction Activity = "requires_action"
	ActivityEnded          Activity = "ended"
	ActivityUnknown        Activity = "unknown"
)

// SubagentOutcome is the result of a subagent's run.
type SubagentOutcome string

// The outcomes of a subagent's run. The empty one means that there is none yet.
const (
	SubagentCompleted SubagentOutcome = "completed"
	SubagentFailed    SubagentOutcome = "failed"
	SubagentCancelled SubagentOutcome = "cancelled"
	SubagentLaunched  SubagentOutcome = "launched" // in the background; not an end
	SubagentUnknown   SubagentOutcome = "unknown"  // ended, without a known result
)

// A SubagentPatch changes what is known about one subagent: each field is set,
// cleared or, being zero, left as it is. The Finding's Link identifies the
// subagent: by its child session where it has one, else by its tool call in the
// parent's session, else by the vendor's agent id.
type SubagentPatch struct {
	Title       Field[string]
	Description Field[string]
	Prompt      Field[string]
	AgentType   Field[string]
	Model       Field[string] // the subagent's own, not the parent's
	Activity    Field[Activity]
	Outcome     Field[SubagentOutcome]
	Background  Field[bool] // its tool call completes at launch
	Error       Field[string]
	Summary     Field[string] // its final text
	Duration    Field[time.Duration]
	Tokens      Field[int64] // total used; not part of the parent's usage
	ToolCalls   Field[int64]
	CanCancel   Field[bool] // session/cancel with the child session's id is allowed
}

// Change is what an event did to a subagent's record.
type Change string

// The changes. Each run starts once and ends once.
const (
	ChangeStarted Change = "started"
	ChangeUpdated Change = "updated"
	ChangeEnded   Change = "ended"
)

// A Subagent is the whole record of one subagent, as a host receives it. Hooks
// return a [SubagentPatch] instead.
type Subagent struct {
	Change Change // what the event did; empty outside an event

	// Identity: the child session where there is one, else the tool call in
	// the parent's session, else the vendor's agent id.
	SessionID      string // the parent's session
	ToolCallID     string
	ChildSessionID string
	AgentID        string
	Parent         Link // the subagent it runs inside, where a vendor reports one

	Title, Description, Prompt string
	AgentType, Model           string
	Activity                   Activity
	Outcome                    SubagentOutcome
	Background                 bool
	Error, Summary             string
	Duration                   time.Duration
	Tokens, ToolCalls          int64
	CanCancel                  bool
	Run                        int // counts from 1; 0 in replayed history

	// Children is set only in a tree of subagents, not in events.
	Children []Subagent
}

// A SubagentList is every subagent that exists now, from a vendor that sends
// snapshots: a subagent of the previous list that is missing here has ended, with
// unknown outcome.
type SubagentList struct {
	Members []Member
}

// A Member is one entry of a SubagentList.
type Member struct {
	Link  Link
	Patch SubagentPatch
}

// Inside places the finding's tool call, or a frame without one, inside a
// subagent. It is not delivered as an event: it becomes ToolCall.Parent and the
// update's Parent.
type Inside struct {
	// Parent is the subagent: its spawning tool call, its session or its
	// agent id.
	Parent Link
}
