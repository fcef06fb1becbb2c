// Package claude is the dialect of Claude Code behind claude-agent-acp (older
// name claude-code-acp), and of agents that wrap it. A blank import registers
// it, and package adapters with it, which has what other adapters share.
//
// # What Claude does
//
// The agent asks nothing privately and has one report of its own,
// _claude/sdkMessage, which a host turns on for a session with
// _meta.claudeCode.emitRawSDKMessages. The rest is _meta.claudeCode on the
// standard's frames:
//
//   - toolName "Agent", before "Task", marks the call that spawns a subagent.
//     Its rawInput grows over several updates, from {} to description, prompt,
//     subagent_type, run_in_background and model.
//   - toolResponse comes in an update of its own, ahead of the call's end. A
//     status of "async_launched" or "remote_launched" says that the call
//     completes now and the agent goes on: recorded versions do so whether or
//     not run_in_background was asked for. "completed" has the totals. While the
//     call runs it is a heartbeat.
//   - parentToolUseId, on everything a subagent does, names the spawning call.
//   - nonExecutionKind says why a failed call never ran or was cut short.
//   - kind "informational" and "mcpServerStatus" mark text chunks that are
//     notices, for clients that do not declare session.notices.
//
// usage_update._meta._claude/rateLimit tells how near a subscription's limit is.
// Nothing tells the end of a background agent here.
//
// # With sessions for subagents
//
// A client that declares clientCapabilities.subagents gets subagent_update, and
// a child's frames under the child's own session id. Then the spawning call is
// not shown at all, no content item points to the child, and parentToolUseId
// names a call the client never sees. It leads to the child only through the
// frame's session. The prompt comes in a session_message whose messageId is that
// call's id; package adapters reads it.
//
// # Not asked for
//
// A child's text is sent only if clientCapabilities._meta["subagent-transcript"]
// is true. It would mix into the parent's text for hosts that do not look at
// Update.Parent, so a host that wants it says so itself.
//
// # Sources
//
// The published package @agentclientprotocol/claude-agent-acp 0.101.0 (November
// 2026) and recorded conversations with it. Guesses: the members of a rate limit
// are those of the Claude Agent SDK and were not seen on a wire, nor were
// remote_launched, a foreground "completed" and the heartbeat.
package claude

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives Claude's private surface, less what package adapters has.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "claude",
		Doc:  "Claude Code behind claude-agent-acp: subagents, notices, rate limits, raw messages",
		Methods: []dialect.Method{
			dialect.Report[SDKMessage]{
				Name:      "_claude/sdkMessage",
				Doc:       "a message of the Claude Agent SDK as it came, beside the updates made of it",
				Source:    "claude-agent-acp 0.101.0, November 2026; source only; high",
				Decode:    decodeSDKMessage,
				Correlate: sdkMessage,
			},
		},
		Observe: observe,
	}
}
