package client

import (
	"cmp"
	"context"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/acpdialects/acpdialects/registry"
)

// Options say how a connection behaves. Nil is fine, and so is every zero field.
//
// OnUpdate, OnEvent, OnAsk, OnSettled and OnTurn are callbacks: those of one
// session run one at a time, in the order of the wire, beside those of other sessions.
// They may call the connection with the context they are given, except for
// Prompt. OnAsk alone runs beside them: it is started in order and may take as
// long as a person does.
type Options struct {
	// Logger gets what the connection has to say. Nil: nothing is logged.
	// Params are never logged. An agent's stderr is, as it came, at debug level.
	Logger hclog.Logger

	// Registry holds the dialects. Nil: registry.Default(). It is copied when
	// the connection starts.
	Registry *registry.Registry

	// OnUpdate gets every session/update, known to the SDK's types or not,
	// before the host's SessionUpdate.
	OnUpdate func(context.Context, Update)

	// OnEvent gets what the dialects and the protocol's own subagent, plan,
	// usage and notice frames mean, in neutral terms.
	OnEvent func(context.Context, Event)

	// OnAsk is asked what an agent asks. It calls Ask.Answer, once; returning
	// without an answer, or with an error, declines.
	OnAsk func(context.Context, *Ask) error

	// OnSettled is told how each ask and each permission request ended,
	// whoever ended it.
	OnSettled func(context.Context, Settled)

	// OnTurn is told when a turn begins and when it ends: the end after all that
	// its session's children have told before it.
	OnTurn func(context.Context, Turn)

	// OnStray gets what came and was not for anybody: names nobody registered
	// or the host does not serve, lines that are no frames, frames that make
	// no sense. It runs in the reader or beside a handler, one call at a time,
	// and must not block.
	OnStray func(Stray)

	// Tap sees every line of the wire but one that was too large to be read:
	// before it is understood ("in") or as it is written ("out"), without its
	// newline, credentials masked. It must not block and must not keep or
	// change the slice.
	Tap func(dir string, line []byte)

	// MaxFrame is the largest line that is read, in bytes; a larger one is
	// skipped. 0 or less: 64 MiB.
	MaxFrame int64

	// MaxBacklog is how many bytes may wait for the host's callbacks before
	// the reader waits for them. 0 or less: 32 MiB.
	MaxBacklog int64

	// MaxRequests is how many requests of the agent may wait for their handlers
	// or be in them. Past it an ask or a permission request is declined, and
	// any other gets -32000. 0 or less: 1024.
	MaxRequests int

	// AskTimeout ends an ask or a permission request that nobody answered with
	// its decline. 0: 30 minutes; negative: never.
	AskTimeout time.Duration

	// JoinWait is how long a report waits for the tool call it names when no
	// turn is in flight. 0 or less: 10 seconds.
	JoinWait time.Duration

	// HandshakeTimeout bounds Agent.Initialize, for an agent that Start
	// started. 0: 30 seconds; negative: no bound.
	HandshakeTimeout time.Duration

	// NoAdvertise names dialects whose capabilities are not asked for.
	NoAdvertise []string
}

const (
	defaultMaxFrame    = 64 << 20
	defaultMaxBacklog  = 32 << 20
	defaultMaxRequests = 1024
	defaultAskTimeout  = 30 * time.Minute
	defaultJoinWait    = 10 * time.Second
	defaultHandshake   = 30 * time.Second
)

// withDefaults gives a copy with every zero field filled in.
func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Logger == nil {
		out.Logger = hclog.NewNullLogger()
	}
	if out.Registry == nil {
		out.Registry = registry.Default()
	}
	out.Registry = out.Registry.Clone()
	out.MaxFrame = orDefault(out.MaxFrame, defaultMaxFrame)
	out.MaxBacklog = orDefault(out.MaxBacklog, defaultMaxBacklog)
	out.MaxRequests = orDefault(out.MaxRequests, defaultMaxRequests)
	out.JoinWait = orDefault(out.JoinWait, defaultJoinWait)
	out.AskTimeout = cmp.Or(out.AskTimeout, defaultAskTimeout)
	out.HandshakeTimeout = cmp.Or(out.HandshakeTimeout, defaultHandshake)
	return out
}

func orDefault[T cmp.Ordered](v, value T) T {
	var zero T
	if v <= zero {
		return value
	}
	return v
}
