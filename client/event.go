package client

import (
	"context"
	"encoding/json"
	"sync"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client/internal/state"
	"github.com/acpdialects/acpdialects/dialect"
)

// An Update is one session/update, whatever the SDK's types make of it.
type Update struct {
	SessionID string
	Kind      string          // the sessionUpdate word; "" if there was none
	Raw       json.RawMessage // the update object, byte for byte
	Params    json.RawMessage // the whole params, byte for byte

	// Call is the tool call's record as of this frame, where the frame is
	// about one.
	Call *dialect.ToolCall
	// Parent is the subagent that the frame runs inside, where a vendor says
	// so. Frames of a child session need none.
	Parent dialect.Link
	// History marks what a load replays.
	History bool

	typed *typedUpdate
}

type typedUpdate struct {
	once   sync.Once
	update acp.SessionNotification
	err    error
}

// Typed gives the update in the SDK's types, as far as they go. The error says
// what they refused; the rest is there, and all of it is in Raw. A kind that the
// SDK does not know gives an error and an empty update. Decoding is done once, on
// the first call, so it costs nothing where nobody asks.
func (u Update) Typed() (acp.SessionNotification, error) {
	t := u.typed
	if t == nil {
		t = new(typedUpdate)
	}
	t.once.Do(func() { t.update, t.err = typeUpdate(u.Kind, u.Params, u.Raw) })
	return t.update, t.err
}

// How says which rule told the session of an event, in the order of the rules.
type How string

// The rules.
const (
	HowVendor     How = "vendor"     // the vendor named the session
	HowToolCall   How = "tool_call"  // the one turn that knows the tool call
	HowTurn       How = "turn"       // the one session with a turn in flight
	HowOnly       How = "only"       // the only session this client opened
	HowConnection How = "connection" // it belongs to no session
	HowUnknown    How = "unknown"    // several would fit; nothing is guessed
)

// An Event is something neutral: what a private method, a _meta or the protocol's
// own subagent, plan, usage and notice frames mean.
type Event struct {
	// Dialect is the dialect's name, or "acp" for the protocol's own. Method is
	// the registered name or the standard frame's; WireName is as it came.
	Dialect, Method, WireName string

	// Payload is one of dialect.Subagent, dialect.Todos (always the whole list),
	// dialect.Question, dialect.Image, dialect.Notice, dialect.Usage,
	// dialect.TurnMark, dialect.Withdrawn or dialect.Other.
	Payload dialect.Event

	Link      dialect.Link // as the vendor gave it
	SessionID string       // as it was worked out; "" if none or not known
	How       How

	// Call is the tool call's record as of the event's frame, and Matched says
	// that a report joined it.
	Call    *dialect.ToolCall
	Matched bool

	Params  any             // the vendor's typed params; nil for a standard frame
	Soft    error           // what of the params was not understood
	Raw     json.RawMessage // the params, or the update, byte for byte
	History bool            // replayed by a load
}

// A Turn tells that a turn began or ended.
type Turn struct {
	SessionID string
	Prompt    json.RawMessage // the params of session/prompt
	Began     bool            // else it ended
	// StopReason is as it came; "" for a turn that ended without an answer.
	StopReason string
}

// Reason says why an ask or a permission request was declined.
type Reason string

// The reasons.
const (
	ReasonNoHandler   Reason = "no_handler"  // nobody answered, or the host declined
	ReasonUndecodable Reason = "undecodable" // it could not be read
	ReasonRefused     Reason = "refused"     // the host's answer was not on offer
	ReasonError       Reason = "error"       // the host's handler failed or panicked
	ReasonDeadline    Reason = "deadline"    // Options.AskTimeout
	ReasonCancelled   Reason = "cancelled"   // by the agent or by our session/cancel
	ReasonTurnEnd     Reason = "turn_end"
	ReasonOverload    Reason = "overload" // Options.MaxRequests
	ReasonClosed      Reason = "closed"   // the session or the connection
)

// Settled tells how an ask or a permission request ended. Exactly one comes for
// each that came as a request.
type Settled struct {
	Dialect, Method, WireName string // Dialect is "" for a permission request
	SessionID                 string
	How                       How
	Link                      dialect.Link
	Question                  dialect.Question // of an ask
	Answer                    dialect.Answer   // of an ask; zero if declined
	Options                   []string         // of a permission request, as offered
	Chosen                    string           // the option id; "" if cancelled
	Reason                    Reason           // why it was declined; "" if answered
	Raw                       json.RawMessage  // the request's params
}

// A Stray is something that was not for anybody.
type Stray struct {
	Method  string // "" for a line that is no frame
	Request bool   // it was a request, and got an error
	Reason  string
	Raw     []byte // what came, its first 64 KiB; of a Handler the params
}

func eventOf(e *state.Event) Event {
	return Event{
		Dialect: e.Dialect, Method: e.Method, WireName: e.WireName, Payload: e.Payload,
		Link: e.Link, SessionID: e.SessionID, How: How(e.How), Call: e.Call, Matched: e.Matched,
		Params: e.Params, Soft: e.Soft, Raw: e.Raw, History: e.History,
	}
}

func updateOf(u *state.Update) *Update {
	return &Update{
		SessionID: u.SessionID, Kind: u.Kind, Raw: u.Raw, Params: u.Params,
		Call: u.Call, Parent: u.Parent, History: u.History, typed: new(typedUpdate),
	}
}

func turnOf(t *state.Turn) Turn {
	return Turn{SessionID: t.SessionID, Prompt: t.Prompt, Began: !t.Ended, StopReason: t.StopReason}
}

func strayOf(s *state.Stray) Stray {
	return Stray{Method: s.Method, Request: s.Request, Reason: s.Reason, Raw: clip(s.Raw)}
}

func settledOf(s *state.Settled) Settled {
	r := s.Request
	out := Settled{
		Method: r.Method, WireName: r.WireName, SessionID: r.SessionID, How: How(r.How),
		Link: r.Link, Question: r.Question, Answer: s.Answer, Options: r.Options,
		Chosen: s.Chosen, Reason: Reason(s.Reason), Raw: r.Raw,
	}
	if r.Registered != nil {
		out.Dialect = r.Registered.Dialect
		if r.Registered.Secret {
			out.Answer.Result = nil
		}
	}
	return out
}

type callbackKey struct{}

// inCallback reports whether ctx is one that this connection gave to a callback.
func (c *Conn) inCallback(ctx context.Context) bool {
	owner, _ := ctx.Value(callbackKey{}).(*Conn)
	return owner == c
}
