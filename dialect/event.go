package dialect

import (
	"encoding/json"
	"time"
)

// An Event is one vendor-neutral thing that a host can receive. The interface is
// sealed: the events are [Subagent], [Todos], [Question], [Image], [Notice],
// [Usage], [TurnMark], [TerminalOutput], [Goal], [Models], [Modes],
// [SessionInfo], [Compaction], [SessionMessage], [Withdrawn] and [Other], and,
// from hooks only, [SubagentPatch], [SubagentList] and [Inside].
type Event interface {
	// EventKind is the event's name in tools and logs: "subagent", "todos".
	EventKind() string
	sealedEvent()
}

// EventKind implements Event.
func (SubagentPatch) EventKind() string { return "subagent" }

// EventKind implements Event.
func (Subagent) EventKind() string { return "subagent" }

// EventKind implements Event.
func (SubagentList) EventKind() string { return "subagents" }

// EventKind implements Event.
func (Inside) EventKind() string { return "inside" }

// EventKind implements Event.
func (Todos) EventKind() string { return "todos" }

// EventKind implements Event.
func (Question) EventKind() string { return "question" }

// EventKind implements Event.
func (Image) EventKind() string { return "image" }

// EventKind implements Event.
func (Notice) EventKind() string { return "notice" }

// EventKind implements Event.
func (Usage) EventKind() string { return "usage" }

// EventKind implements Event.
func (TurnMark) EventKind() string { return "turn" }

// EventKind implements Event.
func (TerminalOutput) EventKind() string { return "terminal_output" }

// EventKind implements Event.
func (Goal) EventKind() string { return "goal" }

// EventKind implements Event.
func (Models) EventKind() string { return "models" }

// EventKind implements Event.
func (Modes) EventKind() string { return "modes" }

// EventKind implements Event.
func (SessionInfo) EventKind() string { return "session_info" }

// EventKind implements Event.
func (Compaction) EventKind() string { return "compaction" }

// EventKind implements Event.
func (SessionMessage) EventKind() string { return "session_message" }

// EventKind implements Event.
func (Withdrawn) EventKind() string { return "withdrawn" }

// EventKind implements Event.
func (Other) EventKind() string { return "other" }

func (SubagentPatch) sealedEvent()  {}
func (Subagent) sealedEvent()       {}
func (SubagentList) sealedEvent()   {}
func (Inside) sealedEvent()         {}
func (Todos) sealedEvent()          {}
func (Question) sealedEvent()       {}
func (Image) sealedEvent()          {}
func (Notice) sealedEvent()         {}
func (Usage) sealedEvent()          {}
func (TurnMark) sealedEvent()       {}
func (TerminalOutput) sealedEvent() {}
func (Goal) sealedEvent()           {}
func (Models) sealedEvent()         {}
func (Modes) sealedEvent()          {}
func (SessionInfo) sealedEvent()    {}
func (Compaction) sealedEvent()     {}
func (SessionMessage) sealedEvent() {}
func (Withdrawn) sealedEvent()      {}
func (Other) sealedEvent()          {}

// TodoStatus is a todo's state. Words that a vendor adds are kept as they came.
type TodoStatus string

// The usual states of a todo.
const (
	TodoPending    TodoStatus = "pending"
	TodoInProgress TodoStatus = "in_progress"
	TodoCompleted  TodoStatus = "completed"
	TodoCancelled  TodoStatus = "cancelled"
)

// A Todo is one entry of a session's todo list or plan.
type Todo struct {
	ID       string
	Content  string
	Status   TodoStatus
	Priority string
}

// Todos sets a session's todo list or one of its plans. A hook may return a
// partial list with Merge; the host always receives the whole list, in order.
type Todos struct {
	Items []Todo

	// Merge replaces entries with the same id, member by member where a member
	// is not empty, and appends new ones. Without it the list is replaced, and
	// an empty list clears it.
	Merge bool

	// PlanID names the plan where an agent keeps several; "" is the session's
	// only list.
	PlanID string
	// Markdown is a plan that is a text and not a list, Path the absolute
	// path of the file that holds it, if the agent names one.
	Markdown string
	Path     string
	// Removed says that the agent removed the plan PlanID.
	Removed bool
}

// An Image was made by the agent.
type Image struct {
	Description string
	Path        string // on the agent's machine
	References  []string
}

// NoticeKind groups notices.
type NoticeKind string

// The kinds of Notice.
const (
	NoticeInfo        NoticeKind = "info"
	NoticeWarning     NoticeKind = "warning"
	NoticeError       NoticeKind = "error"
	NoticeRateLimit   NoticeKind = "rate_limit"
	NoticeRetry       NoticeKind = "retry"
	NoticeCompaction  NoticeKind = "compaction"
	NoticeSignIn      NoticeKind = "sign_in"
	NoticeMode        NoticeKind = "mode"
	NoticeModel       NoticeKind = "model"
	NoticeMCP         NoticeKind = "mcp"
	NoticeBackground  NoticeKind = "background"
	NoticeUndecodable NoticeKind = "undecodable" // from the client: an ask that could not be read
	NoticeTruncated   NoticeKind = "truncated"   // from the client: a list was longer than its bound
)

// A Notice is a message that the user may want to see.
type Notice struct {
	Kind    NoticeKind
	Message string // one line, ready to show; never empty
	Detail  string
	URL     string // where to go, for a sign-in

	// InText says that the frame is also shown as ordinary text (a message
	// chunk), so that a host should show one of the two.
	InText bool
}

// Origin is what started a turn.
type Origin string

// The origins of a turn. The empty one is not known.
const (
	OriginPrompt     Origin = "prompt"
	OriginBackground Origin = "background" // a background task reported back
	OriginGoal       Origin = "goal"
	OriginSchedule   Origin = "schedule"
	OriginSteering   Origin = "steering" // text injected from outside
)

// A TurnMark is a vendor's own mark of the beginning or the end of a turn. Vendors
// report one end up to three times: marks with one ID are delivered once.
type TurnMark struct {
	ID         string // the vendor's; empty where it has none
	StopReason string
	Began      bool // the turn began; otherwise it ended
	Origin     Origin
	Error      string // why the turn failed, in one line, although it may have ended with end_turn
}

// TerminalOutput is the output of a command that the agent runs itself, outside
// the client's terminal/* methods. It belongs to the finding's tool call.
type TerminalOutput struct {
	TerminalID string
	Command    string // if reported
	Cwd        string
	Text       string
	Delta      bool // Text continues what came before; otherwise it is the whole output
	Truncated  bool // the agent dropped a part of the output
	Exited     bool
	ExitCode   Field[int]
	Signal     string
}

// GoalStatus is the state of a goal.
type GoalStatus string

// The states of a goal. Words that a vendor adds are kept as they came.
const (
	GoalActive    GoalStatus = "active"
	GoalPaused    GoalStatus = "paused"
	GoalBlocked   GoalStatus = "blocked"
	GoalLimited   GoalStatus = "limited" // its budget or the account's is used up
	GoalCompleted GoalStatus = "completed"
	GoalFailed    GoalStatus = "failed"
	GoalCleared   GoalStatus = "cleared" // there is no goal any more
)

// A Goal is what a session works towards across turns.
type Goal struct {
	ID         string
	Objective  string
	Status     GoalStatus
	Detail     string
	TokensUsed int64
	TokenLimit int64         // 0: none
	Elapsed    time.Duration // spent on it
}

// A Choosable is one model or mode that a session can be switched to.
type Choosable struct {
	ID, Name, Description string
}

// Models lists a session's models.
type Models struct {
	Current   string // the id; "" where not reported
	Available []Choosable
}

// Modes lists a session's modes.
type Modes struct {
	Current   string // the id; "" where not reported
	Available []Choosable
}

// SessionInfo is what an agent reports about a session.
type SessionInfo struct {
	Title     Field[string]
	UpdatedAt string // RFC 3339, as it came
}

// A Compaction is the shortening of a session's context. Status is the protocol's
// word: in_progress, completed, failed or cancelled.
type Compaction struct {
	ID      string
	Status  string
	Trigger string // "auto", "manual" or the vendor's word
	Summary string
	Error   string
	Before  int64 // tokens
	After   int64 // tokens
}

// A SessionMessage is a message between two sessions, as the protocol's
// session_message and session_message_chunk updates carry it.
type SessionMessage struct {
	ID      string // of the message; chunks of one message share it
	From    string // session id, if reported
	To      string // session id, if reported
	Text    string
	Delta   bool            // Text continues the message
	Content json.RawMessage // the content as it came
}

// Withdrawn says that the agent no longer waits for the ask that belongs to the
// finding's tool call: the ask is declined, and the host's dialog can close.
type Withdrawn struct{}

// Other is a typed vendor value that has no neutral form.
type Other struct {
	Value any
	// Text is one line for a person, or "" where there is nothing to show.
	Text string
}
