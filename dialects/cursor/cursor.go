// Package cursor is the dialect of Cursor's CLI agent (cursor-agent acp, agent
// acp). A blank import registers it.
//
// # What Cursor does
//
// Five private methods, all named without an underscore and none with a session
// id: the tool call with the same id is what leads to the session.
//
//   - cursor/task tells that a subagent's task ended or, in the background, was
//     launched. Which of the two only the tool call's rawOutput says, and
//     whether it failed too: Cursor has no failed tool calls, so Observe reads
//     rawOutput.
//   - cursor/update_todos and cursor/generate_image tell what they are named for.
//   - cursor/ask_question and cursor/create_plan wait for an answer. Its outcome
//     is nested twice, and "cancelled" is the vendor's own word for no
//     decision. An error or {} would count as an accepted plan, so the decline
//     is never either.
//
// After a plan was accepted the agent ends its turn and stays in plan mode: the
// host switches the mode (session/set_mode) and prompts again, or nothing
// happens.
//
// The vendor's page calls the first three notifications; on the wire they carry
// an id, and their reply is thrown away.
//
// # Newer builds
//
// From 2026.09 on, a client that sets clientCapabilities._meta.subagents is told
// of children by subagent_spawned and subagent_state_update, which tell the real
// end of a background child. This dialect reads what Cursor adds to them and
// does not ask for them: whether cursor/task, the only source of the child's
// true model, is still sent then is not settled. A host that wants them puts
// {"_meta":{"subagents":{}}} into its own capabilities.
//
// # Sources
//
// The ACP page of Cursor's CLI documentation; captures and bundles of builds from
// July to September 2026, as published by other clients. Guesses: that
// rawInput._toolName is sent by Cursor alone (no agent name is documented, so
// Observe goes by that key, which no other known agent has); the todo words
// beyond TODO_STATUS_IN_PROGRESS and TODO_STATUS_COMPLETED; what the members of
// a failed call's rawOutput hold; that todos in a call's rawInput, which say
// nothing of merging, are the whole list.
//
// cursor/canvas, a name that one bundle has, was never seen with its params and is
// left out. Agents that are not Cursor send cursor/ask_question, too (a fork of
// Pi); they get Cursor's nested answer.
package cursor

import (
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives Cursor's private surface.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "cursor",
		Doc:  "Cursor's CLI agent: subagent tasks, todos, images, questions and plans",
		Methods: []dialect.Method{
			dialect.Report[Task]{
				Name:      "cursor/task",
				Doc:       "a subagent's task ended or, in the background, was launched",
				Source:    "ACP page of Cursor's CLI docs; captures of July to September 2026; high",
				Decode:    decodeTask,
				Correlate: task,
			},
			dialect.Report[UpdateTodos]{
				Name:      "cursor/update_todos",
				Doc:       "the todo list changed: replaced, or merged by id",
				Source:    "ACP page of Cursor's CLI docs; two captures of 2026, while one client reports builds without it; medium to high",
				Correlate: updateTodos,
			},
			dialect.Report[GenerateImage]{
				Name:      "cursor/generate_image",
				Doc:       "an image was made; it is a file on the agent's machine",
				Source:    "ACP page of Cursor's CLI docs; one captured frame of 2026; medium to high",
				Correlate: generateImage,
			},
			dialect.Ask[AskQuestion, QuestionResult]{
				Name:      "cursor/ask_question",
				Doc:       "pick among options, question by question; declined as cancelled",
				Source:    "ACP page of Cursor's CLI docs; bundles of 2026; schema high, rarely seen live",
				Decode:    decodeQuestion,
				Correlate: question,
				Reply:     replyQuestion,
				Explain:   explainQuestion,
			},
			dialect.Ask[CreatePlan, PlanResult]{
				Name:      "cursor/create_plan",
				Doc:       "approve a plan; once accepted the agent ends its turn: switch the mode and prompt again",
				Source:    "ACP page of Cursor's CLI docs; captures and bundles of 2026; high",
				Correlate: plan,
				Reply:     replyPlan,
				Explain:   explainPlan,
			},
		},
		Observe: observe,
	}
}
