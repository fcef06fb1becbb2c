package kiro

import (
	"cmp"
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
)

func v2Reports() []dialect.Method {
	return []dialect.Method{
		subagentList(),
		sessionUpdate(),
		dialect.Report[Metadata]{
			Name: "_kiro.dev/metadata", Aliases: []string{"kiro/metadata"},
			Doc: "what the turn has used so far", Source: captured, Correlate: Metadata.findings,
		},
		report("_kiro.dev/commands/available", "slash commands, prompts, tools and MCP servers", documented, func(p CommandsAvailable) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}),
		report("_kiro.dev/compaction/status", "the conversation is made shorter", documented, Compaction.findings),
		report("_kiro.dev/clear/status", "the conversation was cleared", pageName, func(p Unread) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeInfo, "The conversation was cleared")
		}),
		report("_kiro.dev/agent/switched", "another agent took over", captured, func(p AgentSwitched) []dialect.Finding {
			return one(inSession(p.SessionID), dialect.Notice{
				Kind: dialect.NoticeMode, Message: dialect.OneLine("The agent was switched", p.AgentName), Detail: p.WelcomeMessage,
			})
		}),
		report("_kiro.dev/agent/not_found", "the agent asked for does not exist", handlerOnly, agentNotFound),
		report("_kiro.dev/agent/config_error", "an agent's file cannot be used", until230, configError),
		report("_kiro.dev/model/not_found", "the model asked for does not exist", until241, func(p NotFound) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeModel, "There is no such model", p.RequestedModel, instead(p.FallbackModel))
		}),
		report("_kiro.dev/mcp/server_initialized", "an MCP server is up", pageOnly, func(p ServerReport) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeMCP, "MCP server is ready", p.ServerName)
		}),
		report("_kiro.dev/mcp/server_init_failure", "an MCP server did not start", handled, func(p ServerReport) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeMCP, "MCP server failed to start", p.ServerName, p.Error)
		}),
		report("_kiro.dev/mcp/oauth_request", "an MCP server wants the user to sign in", pageOnly, func(p ServerReport) []dialect.Finding {
			return one(inSession(p.SessionID), dialect.Notice{
				Kind: dialect.NoticeSignIn, Message: dialect.OneLine("An MCP server needs a sign-in", p.ServerName), URL: p.OAuthURL,
			})
		}),
		report("_kiro.dev/mcp/governance_disabled", "a policy turned MCP off", handled, mcpDisabled),
		report("_kiro.dev/webTools/governance_disabled", "a policy turned the web tools off", constOnly, func(p GovernanceDisabled) []dialect.Finding {
			return notice(inSession(p.SessionID), dialect.NoticeWarning, "Web tools are turned off by your organisation", policyFailure(p))
		}),
		report("_kiro.dev/error/rate_limit", "the account's limit is reached", oneLimit, rateLimit),
		report("_kiro.dev/session/inbox_notification", "messages between sessions", captured, func(p Inbox) []dialect.Finding {
			what := "Inbox: " + count(p.MessageCount.Int(), "message")
			if n := p.EscalationCount.Int(); n > 0 {
				what += " and " + count(n, "escalation")
			}
			if p.SessionName != "" {
				what += " for " + p.SessionName
			}
			return notice(inSession(p.SessionID), dialect.NoticeInfo, what)
		}),
		report("_kiro.dev/session/activity", "something happened in a session", handlerOnly, func(p Activity) []dialect.Finding {
			return other(inSession(p.SessionID), p)
		}),
		report("_kiro.dev/session/list_update", "the sessions there are", handlerOnly, func(p Sessions) []dialect.Finding {
			return other(dialect.Link{Connection: true}, p)
		}),
		report("_kiro.dev/session/retry", "a request to the model is made again", rumoured, func(p Retry) []dialect.Finding {
			return p.findings(p.SessionID)
		}),
		report("_kiro.dev/goal/status", "how far a goal is", oneFrame, func(p Goal) []dialect.Finding {
			what := dialect.OneLine("Goal", p.State)
			if p.Iteration.Valid {
				what += fmt.Sprintf(", iteration %d of %d", p.Iteration.Int(), p.MaxIterations.Int())
			}
			return one(dialect.Link{}, dialect.Notice{Kind: dialect.NoticeInfo, Message: what, Detail: p.Message})
		}),
	}
}

func (p Metadata) findings() []dialect.Finding {
	link := inSession(p.SessionID)
	var found []dialect.Finding
	u := dialect.Usage{
		ContextPercent: p.ContextUsagePercentage.Value,
		Costs:          costs(p.MeteringUsage),
		Duration:       millis(p.TurnDurationMs),
	}
	if p.ContextUsagePercentage.Valid || u.Costs != nil || u.Duration != 0 {
		found = append(found, dialect.Finding{Link: link, Event: u})
	}
	if r := p.Refusal; r != nil {
		message := dialect.OneLine("The model refused", r.Explanation, r.Category)
		if m := dialect.OneLine(r.RecommendedModel); m != "" {
			message += " (recommended: " + m + ")"
		}
		found = append(found, dialect.Finding{Link: link, Event: dialect.Notice{Kind: dialect.NoticeWarning, Message: message}})
	}
	if p.StopReason == "CONTENT_FILTERED" {
		found = append(found, notice(link, dialect.NoticeWarning, "The answer was filtered")...)
	}
	if found == nil {
		return other(link, p)
	}
	return found
}

// costs gives what has a number. An amount is the turn's whole, not to be added
// up over reports.
func costs(list []Metering) []dialect.Cost {
	var out []dialect.Cost
	for _, m := range list {
		amount := m.Value
		if !amount.Valid {
			amount = m.Usage
		}
		if amount.Valid {
			out = append(out, dialect.Cost{Amount: amount.Value, Unit: cmp.Or(m.UnitPlural, m.Unit)})
		}
	}
	return out
}

func (p Compaction) findings() []dialect.Finding {
	n := dialect.Notice{Kind: dialect.NoticeCompaction, Detail: p.Summary}
	switch p.Status.Type {
	case "started":
		n.Message = "Compacting the conversation"
	case "completed":
		n.Message = "The conversation was compacted"
	case "failed":
		n.Message = dialect.OneLine("Compacting failed", p.Status.Error)
	case "unsummarized_dropped":
		n.Message = "Old messages were dropped without a summary"
	default:
		n.Message = dialect.OneLine("Compaction", p.Status.Type, p.Status.Error)
	}
	return one(inSession(p.SessionID), n)
}

func (p Retry) findings(session string) []dialect.Finding {
	what := "Retrying"
	if p.Attempt.Valid {
		what += fmt.Sprintf(", attempt %d of %d", p.Attempt.Int(), p.MaxAttempts.Int())
	}
	if p.DelaySecs.Value > 0 {
		what += fmt.Sprintf(", in %d s", p.DelaySecs.Int())
	}
	return notice(inSession(session), dialect.NoticeRetry, what, p.Message)
}

func agentNotFound(p NotFound) []dialect.Finding {
	return notice(inSession(p.SessionID), dialect.NoticeWarning, "There is no such agent", p.RequestedAgent, instead(p.FallbackAgent))
}

func configError(p ConfigError) []dialect.Finding {
	return notice(inSession(p.SessionID), dialect.NoticeError, "An agent's configuration cannot be used", p.Path, p.Error)
}

func mcpDisabled(p GovernanceDisabled) []dialect.Finding {
	return notice(inSession(p.SessionID), dialect.NoticeMCP, "MCP is turned off by your organisation", policyFailure(p))
}

func policyFailure(p GovernanceDisabled) string {
	if p.APIFailure {
		return "its policy could not be read"
	}
	return ""
}

func rateLimit(p RateLimit) []dialect.Finding {
	return notice(inSession(p.SessionID), dialect.NoticeRateLimit, "Rate limit", p.Message)
}

func instead(name string) string {
	if name == "" {
		return ""
	}
	return "using " + name
}
