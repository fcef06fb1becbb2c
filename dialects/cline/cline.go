// Package cline is the dialect of Cline's agent (cline --acp). A blank import
// registers it.
//
// # What Cline does
//
// No private method and no _meta. A subagent shows as one call of the kind think,
// whose title begins with "spawn_agent: " and whose rawInput has the child's
// systemPrompt and task. Its rawOutput, an object live and the same as a string
// when a session is loaded, has the child's last text and what it used. The
// child's own calls stand beside it with nothing that says whose they are.
//
// # Sources
//
// cline 3.0.65 (November 2026), recorded conversations. A guess: what
// finishReason is where a child did not complete, so only the call's status tells.
package cline

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives what Cline puts into the standard's frames.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:    "cline",
		Doc:     "Cline: subagents, told by their call alone",
		Agents:  []string{"cline"},
		Observe: observe,
	}
}
