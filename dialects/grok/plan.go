package grok

import (
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// Abandoned leaves plan mode without doing the plan.
const Abandoned dialect.Outcome = "abandoned"

// resumePrefix begins the id that the agent makes up when it asks again after a
// session was loaded. No tool call of that id exists; interaction_resolved has it,
// too.
const resumePrefix = "exit-plan-mode-resume-"

// Resumed reports whether the plan is asked for again after a load, with no turn
// in flight. An answer to it makes the agent start a turn of its own, so the
// decline is an error, which leaves the plan pending; for any other plan an
// error would end the turn, and the decline is "cancelled".
func (p ExitPlanMode) Resumed() bool { return strings.HasPrefix(p.ToolCallID, resumePrefix) }

func exitPlanMode() dialect.Method {
	const name = "_x.ai/exit_plan_mode"
	return dialect.Ask[ExitPlanMode, PlanDecision]{
		Name:   name,
		Doc:    "a plan to approve; declined as cancelled, after a load with an error",
		Source: fromClients,
		Decode: decode[ExitPlanMode](name),
		Correlate: func(p ExitPlanMode) (dialect.Link, dialect.Question) {
			q := dialect.Question{
				Kind:     dialect.KindPlan,
				Title:    "Approve the plan",
				Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected, Abandoned},
			}
			if p.PlanContent != nil {
				q.Text = *p.PlanContent
				// Without a plan the agent drops the feedback.
				q.Feedback = []dialect.Outcome{dialect.OutcomeRejected}
			}
			return dialect.Link{SessionID: p.SessionID, ToolCallID: p.ToolCallID}, q
		},
		Reply: func(p ExitPlanMode, a dialect.Answer) (PlanDecision, error) {
			switch a.Outcome {
			case dialect.OutcomeAccepted:
				return PlanDecision{Outcome: "approved"}, nil
			case dialect.OutcomeRejected:
				return PlanDecision{Outcome: "cancelled", Feedback: a.Feedback}, nil
			case Abandoned:
				return PlanDecision{Outcome: "abandoned"}, nil
			}
			if p.Resumed() {
				return PlanDecision{}, &dialect.NoAnswer{Code: -32603, Message: "nobody decided; the plan stays pending"}
			}
			return PlanDecision{Outcome: "cancelled"}, nil
		},
		Explain: func(p ExitPlanMode, r PlanDecision) dialect.Answer {
			switch {
			case r.Outcome == "approved":
				return dialect.Answer{Outcome: dialect.OutcomeAccepted}
			case r.Outcome == "abandoned":
				return dialect.Answer{Outcome: Abandoned}
			case p.PlanContent != nil && r.Feedback != "":
				return dialect.Answer{Outcome: dialect.OutcomeRejected, Feedback: r.Feedback}
			case p.Resumed():
				return dialect.Answer{Outcome: dialect.OutcomeRejected}
			}
			return dialect.Answer{}
		},
	}
}
