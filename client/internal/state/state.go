// Package state is everything a connection knows of the protocol: sessions,
// turns, tool calls, reports waiting for theirs, subagents, todos and open
// requests. Frames of both directions go in, effects come out.
//
// It is pure: no goroutine, no clock, no host, no logger. A connection drives it
// under its lock and a replay drives it from a file, and both see the same.
//
// Invariants
//
//   - A frame is taken in whole before the next one.
//   - Every ask and permission request is settled exactly once; what is open is
//     in State.open and nowhere else.
//   - Every waiting report is in exactly one place, the waiting room, and is
//     delivered exactly once.
//   - What belongs to a session goes with it, and everything is bounded.
package state

import (
	"encoding/json"
	"runtime/debug"
	"slices"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// Bounds of what a connection keeps. The waiting room's are promised to users.
const (
	maxWaiting      = 1024      // reports
	maxWaitingBytes = 8 << 20   // of their params
	maxCalls        = 4096      // records a session; the oldest that ended go first
	maxCallBytes    = 64 << 20  // stored by the records of a session
	maxAllBytes     = 256 << 20 // stored by the records of all sessions
	maxTodos        = 1024      // entries of a list; the oldest go first
	maxTodoBytes    = 8 << 20   // of their texts
	maxStrays       = 4096      // sessions nobody opened and no subagent explains
	maxChildren     = 1024      // subagents; the oldest that ended go first
	maxAgentKeys    = 16        // a subagent, each a vendor's id in a session
	maxChildBytes   = 64 << 20  // of the texts about them
	maxAbandoned    = 256       // calls nobody waits for, besides prompts
	maxTurnMarks    = 16        // vendor turn ids a session, to tell repeats
	maxTodoChanges  = 16        // of a session that are still kept apart
)

// State is the state of one connection. It must be made with New.
type State struct {
	reg *registry.Registry
	cfg Config

	agent     Agent
	observers []observer

	sessions map[string]*session
	own      map[string]*session // those this client opened
	strays   []*session          // those nobody opened, oldest first
	flight   []*turn             // prompts in flight on any session, oldest first
	turns    uint64              // begun so far
	marks    []turnMark          // those that belong to no session

	pending   map[string]ours // our calls by id
	opening   []opening       // those of them that will name a new session, oldest first
	opened    uint64          // such calls so far
	forks     int             // among those in flight
	bytes     int             // of what all records store
	abandoned []string

	calls map[string][]*call // the latest record of a session, by tool-call id
	open  []*Request         // oldest first

	waiting      []*waiting // oldest first
	waitingBytes int
	nextToken    uint64

	children []*child // oldest first
	byChild  map[string]*child
	byAgent  map[agentKey]*child
	byCall   map[callKey]*child // those whose tool call was not seen
	touched  []*child           // by the frame that is being taken in

	frame   *wire.Frame    // the one being taken in
	seq     uint64         // its number
	parent  dialect.Link   // which subagent it runs inside, if it has no tool call
	sayings []dialect.Link // its names for subagents, if more than one
	noHooks bool           // every hook is taken to have failed
	closed  bool
	out     []Effect
}

// Config is what a State is made with.
type Config struct {
	// OnHookPanic is told when a dialect's hook panicked. May be nil.
	OnHookPanic func(dialect, method string, value any, stack []byte)

	// Implicit says that prompts are not seen: a session's first frame begins a
	// turn, and EndTurn ends it.
	Implicit bool
}

// Agent is what the agent said of itself at initialize.
type Agent struct {
	Name, Title, Version string
	Protocol             json.RawMessage // the protocolVersion as it came
}

type observer struct {
	dialect string
	observe func(dialect.Frame) []dialect.Finding
}

// New makes the state of a connection that has seen nothing.
func New(reg *registry.Registry, cfg Config) *State {
	s := &State{
		reg: reg, cfg: cfg,
		sessions: map[string]*session{},
		own:      map[string]*session{},
		pending:  map[string]ours{},
		calls:    map[string][]*call{},
		byChild:  map[string]*child{},
		byAgent:  map[agentKey]*child{},
		byCall:   map[callKey]*child{},
	}
	s.observeFor("")
	return s
}

// observeFor picks the dialects whose Observe is meant for an agent.
func (s *State) observeFor(agent string) {
	s.observers = s.observers[:0]
	for _, d := range s.reg.Dialects() {
		meant := len(d.Agents) == 0 || agent != "" && slices.Contains(d.Agents, agent)
		if d.Observe != nil && meant {
			s.observers = append(s.observers, observer{d.Name, d.Observe})
		}
	}
}

// hook runs a dialect's hook and contains its panic. It reports whether the hook
// came to its end.
func (s *State) hook(owner, method string, f func()) (ok bool) {
	if s.noHooks {
		return false
	}
	defer func() {
		if v := recover(); v != nil && s.cfg.OnHookPanic != nil {
			s.cfg.OnHookPanic(owner, method, v, debug.Stack())
		}
	}()
	f()
	return true
}

func (s *State) emit(e Effect) { s.out = append(s.out, e) }

// flush gives the effects since the last call. The slice is valid until the next.
func (s *State) flush() []Effect {
	s.settle()
	out := s.out
	if s.out = s.out[:0]; cap(out) > 64 {
		s.out = nil // a burst is over
	}
	return out
}

// Agent gives what the agent said of itself.
func (s *State) Agent() Agent { return s.agent }
