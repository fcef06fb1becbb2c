package grok

import (
	"fmt"

	"github.com/acpdialects/acpdialects/dialect"
)

// RetryState tells of a request to the model that failed.
type RetryState struct {
	Type          string         `json:"type"` // retrying, exhausted, failed
	Attempt       dialect.Number `json:"attempt"`
	MaxRetries    dialect.Number `json:"max_retries"`
	Attempts      dialect.Number `json:"attempts"`
	Reason        string         `json:"reason"`
	IsRateLimited bool           `json:"is_rate_limited"`
	ErrorType     string         `json:"error_type"`
	Message       string         `json:"message"`
}

func (u RetryState) findings(session string) []dialect.Finding {
	link := inSession(session)
	switch u.Type {
	case "retrying":
		return notice(link, dialect.NoticeRetry, fmt.Sprintf("Retrying, attempt %d of %d", u.Attempt.Int(), u.MaxRetries.Int()), u.Reason)
	case "exhausted":
		kind := dialect.NoticeError
		if u.IsRateLimited {
			kind = dialect.NoticeRateLimit
		}
		return notice(link, kind, "Gave up after "+count(u.Attempts, "attempt"), u.Reason)
	case "failed":
		return notice(link, dialect.NoticeError, "The request to the model failed", u.ErrorType, u.Message)
	}
	return notice(link, dialect.NoticeRetry, "The request to the model is retried", u.Type, u.Reason, u.Message)
}

// CompactStarted says that the conversation is being made shorter.
type CompactStarted struct {
	TokensUsed    dialect.Number `json:"tokens_used"`
	ContextWindow dialect.Number `json:"context_window"`
	Percentage    dialect.Number `json:"percentage"`
	Reason        string         `json:"reason"`
}

func (u CompactStarted) findings(session string) []dialect.Finding {
	return notice(inSession(session), dialect.NoticeCompaction, "Compacting the conversation", u.Reason)
}

// CompactCompleted says that it has been made shorter.
type CompactCompleted struct {
	TokensBefore   dialect.Number `json:"tokens_before"`
	TokensAfter    dialect.Number `json:"tokens_after"`
	ElapsedMs      dialect.Number `json:"elapsed_ms"`
	SummaryPreview string         `json:"summary_preview"`
}

func (u CompactCompleted) findings(session string) []dialect.Finding {
	what := "The conversation was compacted"
	if u.TokensAfter.Valid {
		what += " to " + count(u.TokensAfter, "token")
	}
	return []dialect.Finding{{Link: inSession(session), Event: dialect.Notice{
		Kind: dialect.NoticeCompaction, Message: what, Detail: u.SummaryPreview,
	}}}
}

// CompactFailed says that it could not be made shorter.
type CompactFailed struct {
	Error string `json:"error"`
}

func (u CompactFailed) findings(session string) []dialect.Finding {
	return notice(inSession(session), dialect.NoticeCompaction, "Compacting failed", u.Error)
}

// CompactCancelled says that it was left as it is.
type CompactCancelled struct {
	Reason string `json:"reason"`
}

func (u CompactCancelled) findings(session string) []dialect.Finding {
	return notice(inSession(session), dialect.NoticeCompaction, "Compacting was cancelled", u.Reason)
}

// ModelChanged confirms a change of the model or its effort.
type ModelChanged struct {
	ModelID         string `json:"model_id"`
	ReasoningEffort string `json:"reasoning_effort"`
}

func (u ModelChanged) findings(session string) []dialect.Finding {
	return notice(inSession(session), dialect.NoticeModel, "The model was changed", u.ModelID, u.ReasoningEffort)
}

// ModelSwitched says that the agent has changed the model by itself.
type ModelSwitched struct {
	PreviousModelID string `json:"previous_model_id"`
	NewModelID      string `json:"new_model_id"`
	Reason          string `json:"reason"`
}

func (u ModelSwitched) findings(session string) []dialect.Finding {
	return notice(inSession(session), dialect.NoticeModel, "The agent switched the model", u.NewModelID, u.Reason)
}

// HookAnnotation is what a hook has to say to the user.
type HookAnnotation struct {
	Message string `json:"message"`
}

func (u HookAnnotation) findings(session string) []dialect.Finding {
	if dialect.OneLine(u.Message) == "" {
		return nil
	}
	return notice(inSession(session), dialect.NoticeInfo, u.Message)
}
