// Package grok is the dialect of xAI's Grok Build ("grok agent stdio").
//
// # What was seen
//
// The facts are from xAI's own published source of Grok Build (read in 2026),
// from a published capture of grok 0.1.219, and from third-party clients that
// run against released builds. Each method's Source says which. The opt-in
// requests (folder trust, hooks, SDK MCP servers) have no public capture.
//
// # One message, three spellings
//
// The source names methods "x.ai/foo"; released builds send "_x.ai/foo", for
// their SDK adds the underscore; and a leader process wraps either, as
// {"method":"x.ai/foo","params":{...}} in the params. The methods are
// registered under the released name, the registry finds the other, and each
// Decode takes the wrapped form. Answers are never wrapped. Fields of requests
// are camelCase, fields of an update are snake_case.
//
// # What is a guess
//
//   - Free text beside picked options is sent as the question's notes; the
//     source documents notes for the free text alone.
//   - An MCP message for a server of ours, and a hook to run, have no sessionId
//     that the source promises.
//   - The reports at the end of [Dialect]'s list are known by name only.
//
// # What is left alone
//
// The result of session/prompt carries usage under keys without the vendor's
// name, which turn_completed has told already. A tool call that starts a
// subagent is not tied to it by anything on the wire, so the subagent's own
// reports are all there is.
package grok

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives the dialect of Grok Build.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:      "grok",
		Doc:       "xAI Grok Build: questions, plans, subagents, background tasks, turn marks, MCP state",
		Methods:   append(append(asks(), notifications()...), reports()...),
		Advertise: advertise,
	}
}

// advertise asks for the folder trust question, which the agent otherwise
// answers itself with no.
func advertise(asks bool) dialect.Capabilities {
	if !asks {
		return nil
	}
	return dialect.Capabilities{"_meta": map[string]any{
		"x.ai/folderTrust": map[string]any{"interactive": true},
	}}
}

// Where the facts are from.
const (
	fromSource  = "xAI's grok-build source, 2026; high"
	fromCapture = "xAI's grok-build source, 2026, and a capture of grok 0.1.219; high"
	fromClients = "xAI's grok-build source, 2026, and clients of released builds; high"
	noCapture   = "xAI's grok-build source, 2026, no capture; medium to high"
	nameOnly    = "name in xAI's grok-build source, 2026, params not read; medium"
)
