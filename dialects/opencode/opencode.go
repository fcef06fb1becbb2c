// Package opencode is the dialect of OpenCode (opencode acp) and of Kilo, which is
// made of it (kilo acp). A blank import registers it.
//
// # What they do
//
// No private method and no _meta. A subagent shows as one call, titled "task" at
// first, of the kind think or other:
//
//   - rawInput is {} in the first frame and has description, prompt and
//     subagent_type from the second on. Nothing else marks the call.
//   - rawOutput.metadata, at its end and at no time before, has the child's
//     session, the parent's and the model, and background where the call was a
//     launch. Its output has the child's answer between <task_result> tags.
//
// The todo list is the input of a call titled "todowrite" at first, whole each
// time; no plan is sent.
//
// The child's own text and calls are not shown. Its permission requests are not
// either: the turn hangs until it is cancelled, so a host should bound its
// prompts.
//
// A fork replays its original's calls under its own session id; the child is the
// original's then, which the parent's id tells.
//
// # Sources
//
// opencode-ai 1.18.33 (November 2026): recorded conversations and the program;
// @kilocode/cli 7.7.9: the program, and Kilo's public source for its name. A
// background launch was read and not seen. The methods of closed pull requests
// (_opencode/subagents/update) were never released and are left out.
package opencode

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives what OpenCode and Kilo put into the standard's frames.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:    "opencode",
		Doc:     "OpenCode and Kilo: subagents and todos, told by their calls alone",
		Agents:  []string{"OpenCode", "Kilo"},
		Observe: observe,
	}
}
