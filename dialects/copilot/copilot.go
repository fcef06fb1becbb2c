// Package copilot is the dialect of GitHub Copilot CLI (copilot --acp). A blank
// import registers it.
//
// # What Copilot does
//
// One report, github.com/copilot/sessionEvent, named without an underscore. It
// carries any of about 190 kinds of session event, and sends those whose types
// the client lists in clientCapabilities._meta["github.com/copilot"].events. This
// dialect asks for the types that it can put in neutral terms: subagents, errors,
// compaction and usage. A host that lists types itself gets just its own: a list
// is not merged. What is not understood is told as it came.
//
// Events are not replayed, are dropped past 256 pending, and lose their data
// past 32 KiB ("dataOmitted"). So the calls are read too:
//
//   - The call that spawns a subagent has rawInput {description, prompt,
//     agent_type, name} and kind "other".
//   - _meta["github.com/copilot"].agentId, on a subagent's calls but not on its
//     text, permission requests or usage, is the subagent's id. Which call
//     spawned it is told by subagent.started alone.
//
// Each field of a subagent has one source, so that nothing depends on which came
// first: the title and the prompt are the call's, the rest is the events'.
//
// # Sources
//
// schemas/session-events.schema.json in the package @github/copilot 1.0.102 and
// the same schema in GitHub's Copilot SDK (November 2026); a recorded
// conversation with 1.0.102, without a subscription. That subagent.* events are
// delivered over the protocol is read in the package and not seen. Guesses: that
// executionMode "background" means that the spawning call completes at launch,
// and what the units of a cost are called.
package copilot

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// vendor is the key of Copilot's own members in any _meta.
const vendor = "github.com/copilot"

// Dialect gives Copilot's private surface.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:   "copilot",
		Doc:    "GitHub Copilot CLI: session events, subagents",
		Agents: []string{"Copilot"},
		Methods: []dialect.Method{
			dialect.Report[Event]{
				Name:      "github.com/copilot/sessionEvent",
				Doc:       "a session event of a type that the client listed at initialize",
				Source:    "@github/copilot 1.0.102, November 2026: schema and strings; idle, usage, error and permission events seen by clients; high, subagent events medium",
				Decode:    decodeEvent,
				Correlate: event,
			},
		},
		Observe:   observe,
		Advertise: advertise,
	}
}

func advertise(bool) dialect.Capabilities {
	events := make([]any, len(types))
	for i, t := range types {
		events[i] = t
	}
	return dialect.Capabilities{"_meta": map[string]any{vendor: map[string]any{"events": events}}}
}
