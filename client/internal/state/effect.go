package state

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// An Effect is one thing that follows from a frame. Exactly one field is set.
// Effects come in order; those with a session belong to its callbacks.
type Effect struct {
	Update  *Update  // a session/update for the host
	Event   *Event   // a neutral event for the host
	Request *Request // a request of the agent for the host to handle
	Notify  *Notify  // a notification of the protocol for the host
	Settled *Settled // an ask or permission request has ended
	Turn    *Turn    // a turn began or ended

	Opened *Opened // a session is ours, or is known to be a child
	Closed *Closed // a session is gone

	Reply  *Reply  // to be written now
	End    *End    // an open request to be ended with its decline, now
	Answer *Answer // the answer to a call of ours
	Stray  *Stray
	Timer  *Timer
}

// Update is one session/update.
type Update struct {
	SessionID string
	Kind      string          // the sessionUpdate word, "" if there was none
	Raw       json.RawMessage // the update object as it came
	Params    json.RawMessage // the whole params as they came
	Call      *dialect.ToolCall
	Parent    dialect.Link
	History   bool
}

// How says which rule told the session of an event.
type How string

// The rules of law 12, in their order.
const (
	HowVendor     How = "vendor"     // the vendor named it
	HowToolCall   How = "tool_call"  // the one turn that knows the tool call
	HowTurn       How = "turn"       // the one turn in flight
	HowOnly       How = "only"       // the only session there is
	HowConnection How = "connection" // it belongs to none
	HowUnknown    How = "unknown"    // several would fit
)

// Event is one neutral event.
type Event struct {
	Dialect   string
	Method    string
	WireName  string
	Link      dialect.Link
	SessionID string
	How       How
	Call      *dialect.ToolCall
	Matched   bool
	Payload   dialect.Event
	Params    any
	Soft      error
	Raw       json.RawMessage
	History   bool

	call *call // of which Call will be the snapshot
}

// A Request of the agent that is the host's to answer.
type Request struct {
	ID        json.RawMessage
	Method    string // as registered, or the protocol's
	WireName  string
	SessionID string
	Raw       json.RawMessage // the params
	Size      int

	// Registered is set for an ask, with what its hooks made of the params.
	Registered *registry.Method
	Params     any
	Link       dialect.Link
	Question   dialect.Question
	How        How
	Soft       error

	// Options is set for a permission request: the ids on offer, in order.
	Options []string
	Call    *dialect.ToolCall

	// Host is the connection's own record of the request.
	Host any

	turn   *turn  // the one it came in, if its session is known
	epoch  uint64 // the last turn begun when it came, if it is not
	ending Reason // that the owner was told
}

// Permission reports whether the request asks for permission.
func (r *Request) Permission() bool { return r.Method == dialect.FramePermission }

// Ask reports whether the request is a dialect's ask.
func (r *Request) Ask() bool { return r.Registered != nil }

// A Reason says why an ask or permission request was declined.
type Reason string

// The reasons for a decline.
const (
	NoHandler   Reason = "no_handler"
	Undecodable Reason = "undecodable"
	Refused     Reason = "refused" // the host's answer was not on offer
	HandlerErr  Reason = "error"   // or panic
	Deadline    Reason = "deadline"
	Cancelled   Reason = "cancelled"
	TurnEnd     Reason = "turn_end"
	Overload    Reason = "overload"
	ConnClosed  Reason = "closed"
)

// Settled says how an ask or a permission request ended.
type Settled struct {
	Request *Request
	Answer  dialect.Answer // of an ask
	Chosen  string         // option id of a permission request; "" is cancelled
	Reason  Reason         // why it was declined; "" if it was answered
}

// Notify is a notification of the protocol that is not session/update.
type Notify struct {
	Method    string
	SessionID string
	Raw       json.RawMessage
}

// Turn says that a turn began or ended.
type Turn struct {
	SessionID string
	Prompt    json.RawMessage // the params of the prompt
	Ended     bool
	// StopReason is as it came, "" if the turn ended without an answer.
	StopReason string
	// Lanes are the sessions whose callbacks must have run before the end of
	// the turn is told and the prompt returns: its own and its children.
	Lanes []string
}

// Opened says that a session is ours, or whose child it is.
type Opened struct {
	SessionID string
	Params    json.RawMessage // of session/new, load, resume or fork; nil for a child
	Parent    string
}

// Closed says that a session is gone.
type Closed struct{ SessionID string }

// Reply is an answer that needs no host.
type Reply struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *wire.Error
}

// End says that an open request must be ended.
type End struct {
	Request *Request
	Reason  Reason
}

// Answer is the agent's answer to a call of ours.
type Answer struct {
	ID     string
	Method string
	Result json.RawMessage
	Error  json.RawMessage
	Turn   *Turn // of a prompt
}

// Stray is something that was not for anybody.
type Stray struct {
	Method  string // "" for a line that is no frame
	Request bool
	Reason  string
	Raw     []byte // the frame or, of one that was not read from a line, its params
}

// Timer asks for Expire(Token) after the time a report may wait.
type Timer struct{ Token uint64 }
