package dialect

import "time"

// An Event is something neutral a host can be told. Hooks find [Subagent],
// [SubagentList], [Nested], [Todos], [Image], [Notice], [Usage], [Turn],
// [Withdrawn] and [Other]; a [Question] becomes one by being asked.
type Event interface {
	// EventKind is the event's name in tools and logs: "subagent", "todos".
	EventKind() string
}

// Activity says what a subagent is doing. It is apart from its Outcome: an idle
// child has not ended, and a launched one has not completed.
type Activity string

// The activities.
const (
	Running         Activity = "running"
	Idle            Activity = "idle" // waiting for more work; not an end
	RequiresAction  Activity = "requires_action"
	Ended           Activity = "ended"
	ActivityUnknown Activity = "unknown"
)

// SubagentOutcome says how a subagent's work came out.
type SubagentOutcome string

// The outcomes of a subagent's run. The empty one means that there is none yet.
const (
	Completed      SubagentOutcome = "completed"
	Failed         SubagentOutcome = "failed"
	Cancelled      SubagentOutcome = "cancelled"
	Launched       SubagentOutcome = "launched" // in the background; not an end
	OutcomeUnknown SubagentOutcome = "unknown"  // ended, and nobody said how
)

// A Subagent is a patch to what is known of one subagent: fields are set,
// cleared or, being zero, absent. Which subagent is meant is the Finding's Link:
// the child session where there is one, else the tool call in its session, else
// the vendor's agent id.
type Subagent struct {
	Title       Field[string]
	Description Field[string]
	Prompt      Field[string]
	AgentType   Field[string]
	Model       Field[string] // the child's own, not the parent's
	Activity    Field[Activity]
	Outcome     Field[SubagentOutcome]
	Background  Field[bool] // its tool call completes at launch
	Error       Field[string]
	Summary     Field[string] // what it said at its end
	Duration    Field[time.Duration]
	Tokens      Field[int64] // all it used; never added to the parent's
	ToolCalls   Field[int64]
	CanCancel   Field[bool] // session/cancel with the child's id is allowed
}

// EventKind implements Event.
func (Subagent) EventKind() string { return "subagent" }

// A Field of a patch is absent (zero), set or cleared.
type Field[T comparable] struct {
	value T
	state fieldState
}

type fieldState uint8

const (
	fieldAbsent fieldState = iota
	fieldSet
	fieldCleared
)

// Set gives a field that sets v.
func Set[T comparable](v T) Field[T] { return Field[T]{value: v, state: fieldSet} }

// SetNonZero gives a field that sets v, or an absent one if v is zero: for
// vendors who leave a field out and send it empty alike.
func SetNonZero[T comparable](v T) Field[T] {
	var zero T
	if v == zero {
		return Field[T]{}
	}
	return Set(v)
}

// Clear gives a field that takes back what was known.
func Clear[T comparable]() Field[T] { return Field[T]{state: fieldCleared} }

// Get gives the value and whether the field sets one.
func (f Field[T]) Get() (T, bool) { return f.value, f.state == fieldSet }

// Absent reports whether the field says nothing.
func (f Field[T]) Absent() bool { return f.state == fieldAbsent }

// Cleared reports whether the field takes back what was known.
func (f Field[T]) Cleared() bool { return f.state == fieldCleared }

// Equal reports whether two fields say the same; go-cmp uses it.
func (f Field[T]) Equal(g Field[T]) bool {
	return f.state == g.state && any(f.value) == any(g.value)
}

// A SubagentList is all the subagents there are now, as a vendor that sends
// snapshots tells it: who was on the last list and is missing here has ended,
// with unknown outcome.
type SubagentList struct {
	Members []Member
}

// A Member is one entry of a SubagentList.
type Member struct {
	Link     Link
	Subagent Subagent
}

// EventKind implements Event.
func (SubagentList) EventKind() string { return "subagents" }

// Nested says that the finding's tool call, or a frame without one, runs inside
// a subagent. It is no event of its own: it becomes ToolCall.Parent and
// Update.Parent.
type Nested struct {
	// Parent is the subagent: its spawning tool call, its session or its
	// agent id.
	Parent Link
}

// EventKind implements Event.
func (Nested) EventKind() string { return "nested" }

// TodoStatus is a todo's state. Words a vendor adds are kept as they come.
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

// Todos sets a session's todo list. A hook may find a partial list with Merge;
// what the host receives is always the whole list, in order.
type Todos struct {
	Items []Todo
	// Merge says that entries replace those with the same id, field by field
	// where a field is not empty, and that new ones go to the end. Without it
	// the list is replaced, and an empty list clears.
	Merge bool
}

// EventKind implements Event.
func (Todos) EventKind() string { return "todos" }

// An Image was made by the agent.
type Image struct {
	Description string
	Path        string // on the agent's machine
	References  []string
}

// EventKind implements Event.
func (Image) EventKind() string { return "image" }

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
	NoticeUndecodable NoticeKind = "undecodable" // the client's own: an ask it could not read
)

// A Notice is something the user may want to be told.
type Notice struct {
	Kind    NoticeKind
	Message string // one line, ready to show; never empty
	Detail  string
	URL     string // where to go, for a sign-in
}

// EventKind implements Event.
func (Notice) EventKind() string { return "notice" }

// Usage is what a turn, a session or an account has used. Zero means not told.
type Usage struct {
	InputTokens       int64
	OutputTokens      int64
	CachedReadTokens  int64
	CachedWriteTokens int64
	ReasoningTokens   int64
	TotalTokens       int64

	ContextUsed    int64   // tokens
	ContextSize    int64   // tokens
	ContextPercent float64 // 0 to 100

	Costs    []Cost
	Duration time.Duration // of the turn
}

// A Cost is an amount in a currency or in a vendor's own unit.
type Cost struct {
	Amount float64
	Unit   string // "USD", "credits"
}

// EventKind implements Event.
func (Usage) EventKind() string { return "usage" }

// A Turn is a vendor's own mark of the beginning or the end of a turn. Vendors
// tell one end up to three times: marks with one ID are delivered once.
type Turn struct {
	ID         string // the vendor's; empty where it has none
	StopReason string
	Began      bool // the turn began; otherwise it ended
}

// EventKind implements Event.
func (Turn) EventKind() string { return "turn" }

// Withdrawn says that the agent no longer waits for the ask that belongs to the
// finding's tool call: it is declined, and the host's dialog can go.
type Withdrawn struct{}

// EventKind implements Event.
func (Withdrawn) EventKind() string { return "withdrawn" }

// Other is a typed vendor value that has no neutral form.
type Other struct {
	Value any
}

// EventKind implements Event.
func (Other) EventKind() string { return "other" }
