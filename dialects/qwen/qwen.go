// Package qwen is the dialect of Qwen Code (qwen --acp). A blank import registers
// it.
//
// # What Qwen does
//
// Two asks, which only a program answers. Both are named without an underscore,
// time out after two seconds, and are no longer asked once they were answered
// with "method not found":
//
//   - craft/drainMidTurnQueue fetches what the user typed while the turn ran. The
//     decline is an empty list; a host with something queued answers with
//     [Queued].
//   - craft/claimTodoStopGuardContinuation asks whether the agent may go on by
//     itself with open todos. The decline claims nothing.
//
// _qwencode/start_turn and _qwencode/end_turn mark turns that no prompt began: to
// take up a background task's result, or to pursue a goal. The first is a request
// for the former and a notification for the latter. Its result is {} here: with
// {"accepted":false} the agent would hold the task's result back.
//
// The qwen/notify methods and authenticate/update only tell.
//
// On the standard's frames _meta is flat, not under a key of the vendor's: a call
// with toolName "agent" spawns a subagent; parentToolCallId, on what a subagent
// does but not on its permission requests, names that call; backgroundTask, on a
// text chunk, tells how a background task ended. rawOutput of type
// "task_execution" says how a subagent ran: in the background unless asked
// otherwise, the call completing at launch. The only usage is in _meta.usage of
// an empty text chunk, one for each call to the model.
//
// # Left out
//
// The qwen/control requests are sent to the agent's own daemon alone
// (QWEN_CODE_SERVE=1): they make it start sessions, schedule tasks and guard
// tools, and a client that is not the daemon does well to know none of them.
//
// # Sources
//
// The published package @qwen-code/qwen-code 0.24.4 (November 2026), compared with
// 0.5 to 0.23, and recorded conversations with 0.24.4. Not seen on a wire: claims,
// goals, foreground subagents, and of the notifications all but mode, model and
// prompt suggestion. _qwencode/slash_command went away after 0.12.
package qwen

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

const (
	seen  = "@qwen-code/qwen-code 0.24.4, November 2026; seen on the wire; high"
	shown = "@qwen-code/qwen-code 0.24.4, November 2026; source only; high"
)

// Dialect gives Qwen's private surface, less what is for its daemon.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:   "qwen",
		Doc:    "Qwen Code: queued input, turns of its own, notices, subagents",
		Agents: []string{"qwen-code"},
		Methods: append([]dialect.Method{
			dialect.Ask[DrainMidTurnQueue, Drained]{
				Name:      "craft/drainMidTurnQueue",
				Doc:       "fetch what the user typed during the turn; declined with an empty list",
				Source:    seen,
				Correlate: drain,
				Reply:     replyDrain,
				Explain:   explainDrain,
			},
			dialect.Ask[ClaimContinuation, Claimed]{
				Name:      "craft/claimTodoStopGuardContinuation",
				Doc:       "may the agent go on with open todos; declined as not claimed",
				Source:    shown,
				Correlate: claim,
				Reply:     replyClaim,
				Explain:   explainClaim,
			},
			dialect.Report[StartTurn]{
				Name:      "_qwencode/start_turn",
				Doc:       "a turn begins that no prompt began",
				Source:    seen,
				Correlate: startTurn,
			},
			dialect.Report[EndTurn]{
				Name:      "_qwencode/end_turn",
				Doc:       "a turn ended that no prompt began",
				Source:    seen,
				Correlate: endTurn,
			},
			dialect.Report[SlashCommand]{
				Name:      "_qwencode/slash_command",
				Doc:       "what a slash command printed",
				Source:    "@qwen-code/qwen-code 0.12; source only, gone in later versions; medium",
				Correlate: slashCommand,
			},
			dialect.Report[AuthenticateUpdate]{
				Name:      "authenticate/update",
				Doc:       "where to go to sign in",
				Source:    shown,
				Decode:    decodeAuthenticate,
				Correlate: authenticate,
			},
		}, notifications()...),
		Observe: observe,
	}
}

func notifications() []dialect.Method {
	return []dialect.Method{
		dialect.Report[TitleUpdate]{
			Name: "qwen/notify/session/title-update", Doc: "the session has a new title",
			Source: shown, Correlate: titleUpdate,
		},
		dialect.Report[PRBinding]{
			Name: "qwen/notify/session/pr-binding", Doc: "the session opened a pull request",
			Source: shown, Correlate: prBinding,
		},
		dialect.Report[RecordingDegraded]{
			Name: "qwen/notify/session/recording-degraded", Doc: "the session's record has a gap",
			Source: shown, Correlate: recordingDegraded,
		},
		dialect.Report[ModeUpdate]{
			Name: "qwen/notify/session/mode-update", Doc: "the session's mode changed",
			Source: seen, Correlate: modeUpdate,
		},
		dialect.Report[ModelUpdate]{
			Name: "qwen/notify/session/model-update", Doc: "the session's model changed",
			Source: seen, Correlate: modelUpdate,
		},
		dialect.Report[PromptSuggestion]{
			Name: "qwen/notify/session/prompt-suggestion", Doc: "what the user may want to ask next",
			Source: seen, Correlate: promptSuggestion,
		},
		dialect.Report[ArtifactEvent]{
			Name: "qwen/notify/session/artifact-event", Doc: "a hook made artifacts",
			Source: shown, Correlate: artifactEvent,
		},
		dialect.Report[TerminalSequence]{
			Name: "qwen/notify/session/terminal-sequence", Doc: "control characters that a hook has for a terminal",
			Source: shown, Correlate: terminalSequence,
		},
		dialect.Report[MCPBudget]{
			Name: "qwen/notify/session/mcp-budget-event", Doc: "MCP servers are many, or too many",
			Source: shown, Correlate: mcpBudget,
		},
		dialect.Report[SourcesChanged]{
			Name: "qwen/notify/session/sources-changed", Doc: "the session's sources changed",
			Source: shown, Correlate: sourcesChanged,
		},
		dialect.Report[Generation]{
			Name: "qwen/notify/session/generation/event", Doc: "a step of a text that was asked for beside the conversation",
			Source: shown, Correlate: generation,
		},
		dialect.Report[Generation]{
			Name: "qwen/notify/workspace/generation/event", Doc: "the same, of no session",
			Source: shown, Correlate: workspaceGeneration,
		},
		dialect.Report[ActiveWork]{
			Name: "qwen/notify/channel/active-work", Doc: "which sessions work, for those that asked for heartbeats",
			Source: shown, Correlate: activeWork,
		},
	}
}
