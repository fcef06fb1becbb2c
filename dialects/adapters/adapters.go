// Package adapters is the dialect of what two adapters of the Agent Client
// Protocol project share: claude-agent-acp and codex-acp. Packages claude and
// codex import it, so that a host gets it with either; a host with a registry
// of its own adds [Dialect] once.
//
// # What they share
//
//   - _auth/status_update tells which account the agent itself uses. It belongs
//     to the connection and comes unasked, between initialize and the first
//     session and whenever the account changes.
//   - _session/list/changes follows a _session/list/subscribe of the host's.
//   - async_task_spawned, async_task_progress and async_task_state_update are
//     private kinds of session/update for background work that is no agent:
//     shells, monitors, workflows. Only a client that declares
//     _meta.jetbrains.air gets them; on version 2 of the protocol they begin
//     with an underscore.
//   - _meta.quota on a prompt's result repeats the standard usage, and is read
//     only where that is missing.
//   - session_message is a draft of the protocol's, but what Claude's adapter
//     puts into it is its own: the prompt of a child that has a session.
//
// None of these names a vendor, which is why they are read here, for named
// agents only.
//
// # Sources
//
// The published packages @agentclientprotocol/claude-agent-acp 0.101.0 and
// @agentclientprotocol/codex-acp 2.6.0 (November 2026), and recorded
// conversations with both; _session/list/changes and the async tasks were read
// in the packages and not seen on a wire. Guess: that the older package names
// below are what older versions call themselves.
package adapters

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives what the two adapters share.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "adapters",
		Doc:  "what claude-agent-acp and codex-acp share: account, session list, background work",
		Agents: []string{
			"@agentclientprotocol/claude-agent-acp",
			"@agentclientprotocol/codex-acp",
			"@zed-industries/claude-agent-acp",
			"@zed-industries/claude-code-acp",
		},
		Methods: []dialect.Method{
			dialect.Report[AuthStatusUpdate]{
				Name:      "_auth/status_update",
				Doc:       "which account the agent uses: a subscription, a key, a gateway, none",
				Source:    "claude-agent-acp 0.101.0 and codex-acp 2.6.0, November 2026; seen on the wire; high",
				Decode:    decodeAuth,
				Correlate: auth,
			},
			dialect.Report[ListChanges]{
				Name:      "_session/list/changes",
				Doc:       "sessions of a subscribed list came, changed or went",
				Source:    "claude-agent-acp 0.101.0 and codex-acp 2.6.0, November 2026; source only; high",
				Correlate: listChanges,
			},
		},
		Observe: observe,
	}
}
