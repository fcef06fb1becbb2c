// Package codex is the dialect of OpenAI's Codex behind codex-acp. A blank import
// registers it, and package adapters with it, which has the adapter's two
// private methods.
//
// # What Codex does
//
// A subagent is a thread of its own. The spawnAgent call completes as soon as
// the thread runs, so every launch is a background launch; how it ended is said
// by the agentsStates of a later call (wait, closeAgent, ...) or of the same.
//
//   - 2.x: a call titled spawnAgent, wait, sendInput, resumeAgent or closeAgent
//     with rawInput {prompt, senderThreadId, receiverThreadIds, agentsStates,
//     model, status}; newer models make calls with rawInput {agentThreadId,
//     agentPath, activityKind} instead.
//   - 1.x to 1.13.1: the same in _meta.codex.collaboration and
//     _meta.codex.subagent.
//   - A client that declares clientCapabilities.subagents gets subagent_update
//     and sessions for the children. The spawning call is not shown then; the
//     child's session is named "<root session>:subagent:<thread>", both parts
//     percent-encoded, which is how wait calls lead to it.
//
// Besides, session_info_update._meta.codex tells the thread's status, and an MCP
// call has _meta.is_mcp_tool_call and later _meta.mcp_output_delta.
//
// The older adapter in Rust (zed-industries/codex-acp 0.16.0) sends nothing
// private.
//
// # Sources
//
// The published package @agentclientprotocol/codex-acp 2.6.0 (November 2026) and
// recorded conversations with it and with the Rust adapter. The forms of 1.x are
// from its published packages and were not seen on a wire, nor were MCP calls,
// activity calls, and the two underscored kinds of version 2 of the protocol.
// A thread that is shut down or not found has ended, but how is not said: it may
// have completed before.
package codex

import (
	"github.com/acpdialects/acpdialects/dialect"
	_ "github.com/acpdialects/acpdialects/dialects/adapters" // its private methods
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives Codex's private surface, less what package adapters has.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "codex",
		Doc:  "Codex behind codex-acp: subagent threads, thread status, MCP calls",
		Agents: []string{
			"@agentclientprotocol/codex-acp",
			"@zed-industries/codex-acp",
			"codex-acp",
		},
		Observe: observe,
	}
}
