// Package dialect is the contract between a vendor's private Agent Client
// Protocol surface and everybody else.
//
// An agent tells and asks its client things that the protocol has no words for:
// who a subagent is, which plan it wants approved, that it ran into a rate
// limit. It does so in private methods, in private session/update kinds and
// under _meta, and every vendor does it differently. A [Dialect] is one vendor's
// private surface as a plain value: method names, how their params are decoded,
// and what they mean in vendor-neutral terms.
//
// # Two kinds of method
//
// A [Report] tells. It is acknowledged with {} at once, whether or not anybody
// listens, and becomes zero or more findings. An [Ask] asks and waits. It
// becomes a [Question] for the host, and the host's [Answer] becomes the result
// the vendor expects. Where nobody decides, the zero Answer is sent: the
// decline, which must be what the vendor takes as "no decision".
//
// # Hooks are pure
//
// No hook is given a context, a logger, a clock or a connection, and none may
// keep state. A hook may be run twice, in any order, in any goroutine, and on
// any bytes an agent can send. That is what makes a dialect safe to register
// from init, and what lets package dialecttest check it without a connection.
//
// This package imports no protocol library: a vendor's package and its tests
// need nothing but dialect and registry.
package dialect

import (
	"encoding/json"
)

// A Dialect is one vendor's private surface.
type Dialect struct {
	// Name is the registered name, lower case, the name of the vendor's
	// package: "acme".
	Name string

	// Doc says in a line what the dialect covers.
	Doc string

	// Agents lists the agentInfo.name values that Observe is run for. Nil
	// means any agent, which is right only where every key that Observe reads
	// carries the vendor's name.
	Agents []string

	// Methods are the vendor's private agent-to-client methods: Report and Ask
	// values.
	Methods []Method

	// Observe reads what the vendor puts into the standard's own frames:
	// session/update (private kinds, _meta, rawInput, rawOutput),
	// session/request_permission and the result of session/prompt. It is
	// called for every such frame, so it should return early. May be nil.
	Observe func(Frame) []Finding

	// Advertise gives what the dialect wants in clientCapabilities at
	// initialize, so that the agent sends what the dialect reads. It is deep
	// merged into the host's own; see registry.Advertise. asks says whether
	// the host answers asks: a question must not be asked for on behalf of a
	// host that cannot show it, for the agent's fall-back is then better.
	// May be nil.
	Advertise func(asks bool) Capabilities
}

// Capabilities is a JSON object for clientCapabilities. Its values are what
// encoding/json makes of JSON: map[string]any, []any, string, float64, bool.
type Capabilities map[string]any

// A Method is a Report or an Ask.
type Method interface {
	// Spec is the untyped view that registry, client and kit work on.
	Spec() Spec
	sealed()
}

// Spec is a method without its types.
type Spec struct {
	Name    string   // as registered: "acme/task"
	Doc     string   // what it is for, in a line
	Source  string   // page or package, version, date, how sure
	Aliases []string // other spellings seen on the wire

	// Ask is true for an Ask, false for a Report.
	Ask bool
	// Secret says that the params or the result hold a credential.
	Secret bool

	// Decode gives the method's params P as any. A nil error or a [*SoftError]
	// means that they are usable; any other error is hard.
	Decode func(raw json.RawMessage) (any, error)

	// Findings is a Report's correlation hook, nil for an Ask.
	Findings func(params any) []Finding

	// Question is an Ask's correlation hook, nil for a Report.
	Question func(params any) (Link, Question)

	// Reply is an Ask's encoder: the result R for an answer, or [*NoAnswer].
	// It honours Answer.Result. Nil for a Report.
	Reply func(params any, a Answer) (any, error)

	// Explain is the inverse of Reply, for tools that show recorded answers:
	// what a result on the wire says. Nil if the ask gives none.
	Explain func(params any, result json.RawMessage) (Answer, bool)

	// missing is the first required hook that the method lacks, "" if none.
	missing string
}

// Missing names the first required hook that the method lacks: "Correlate" or
// "Reply". It is empty for a complete method.
func (s Spec) Missing() string { return s.missing }

// A Finding is something a hook learned: an event, and where it belongs.
type Finding struct {
	Link  Link
	Event Event
}

// Link is what the vendor says of where a message belongs. Every field may be
// empty; the client works out the session from what there is.
type Link struct {
	// SessionID is the session as the vendor names it. For a subagent it is
	// the parent's session.
	SessionID string

	// ToolCallID names the standard tool call that the message is about. Ids
	// are opaque: they may hold any character, a newline among them.
	ToolCallID string

	// ChildSessionID is a subagent's own session.
	ChildSessionID string

	// AgentID is the vendor's own id for a subagent.
	AgentID string

	// Connection says that the message is about the connection and belongs to
	// no session.
	Connection bool
}

// Kinds of Frame besides the sessionUpdate words of session/update.
const (
	FramePermission   = "session/request_permission" // Raw is the params
	FramePromptResult = "session/prompt"             // Raw is the result
)

// A Frame is a standard message as Observe sees it.
type Frame struct {
	// SessionID is the session the frame was sent for: a child's own, where a
	// subagent has one.
	SessionID string

	// Kind is the sessionUpdate word ("tool_call", or one that the protocol
	// does not know), FramePermission or FramePromptResult.
	Kind string

	// Raw is the update object, the permission request's params, or the
	// prompt's result. Hooks must not change it.
	Raw json.RawMessage

	// Meta is the _meta of Raw. For a permission request it is that of its
	// toolCall, which speaks of the call; the params' own is OuterMeta.
	Meta json.RawMessage

	// OuterMeta is the _meta beside the update, in the params.
	OuterMeta json.RawMessage

	// Call is the tool call's record after this frame, where the frame is
	// about one; its ID is empty otherwise.
	Call ToolCall
}

// A ToolCall is the record of one tool call: everything its frames have said so
// far. The raw fields share memory with the record and must not be changed.
type ToolCall struct {
	SessionID string
	ID        string
	Title     string
	Name      string
	Kind      string
	Status    string // as it came: pending, in_progress, completed, failed, or another word

	RawInput  json.RawMessage // nil while not known; {} counts as not known
	RawOutput json.RawMessage
	Content   json.RawMessage
	Locations json.RawMessage
	Meta      json.RawMessage // what _meta has said so far, merged within each vendor's object

	// Parent is the subagent this call runs inside, where a vendor said so
	// with a [Inside] finding.
	Parent Link

	// Ended says that the call came to an end. Unknown says that it was ended
	// by its turn, its child session or the connection, not by the agent.
	Ended, Unknown bool

	// History says that the call was replayed by a load, not run here.
	History bool
}

// Finished reports whether the agent itself ended the call.
func (c ToolCall) Finished() bool { return c.Status == "completed" || c.Status == "failed" }
