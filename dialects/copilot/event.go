package copilot

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

func decodeEvent(raw json.RawMessage) (Event, error) {
	e, err := dialect.Lenient[Event](raw)
	if !dialect.Usable(err) {
		return e, err
	}
	var soft error
	switch e.Type {
	case "":
		return e, dialect.MissingField("type")
	case subagentStarted, subagentConfigured, subagentCompleted, subagentFailed:
		var d SubagentData
		d, soft = decode[SubagentData](e.Data)
		if d.ToolCallID == "" && e.AgentID == "" && !e.DataOmitted && e.Type != subagentConfigured {
			return e, dialect.MissingField("data.toolCallId")
		}
		e.Payload = d
	case sessionError:
		e.Payload, soft = decode[ErrorData](e.Data)
	case compactionStart, compactionComplete:
		e.Payload, soft = decode[CompactionData](e.Data)
	case assistantUsage, usageCheckpoint:
		e.Payload, soft = decode[UsageData](e.Data)
	}
	return e, errors.Join(err, soft)
}

// decode gives an event's data; that they are no object is a soft error, for the
// event around them is known.
func decode[T any](data json.RawMessage) (T, error) {
	d, err := dialect.Lenient[T](data)
	if !dialect.Usable(err) {
		err = &dialect.SoftError{Field: "/data", Err: errors.New("is not what was expected")}
	}
	return d, err
}

func event(e Event) []dialect.Finding {
	link := dialect.Link{SessionID: e.SessionID}
	switch d := e.Payload.(type) {
	case SubagentData:
		link.ToolCallID, link.AgentID = d.ToolCallID, e.AgentID
		if link.ToolCallID == "" && link.AgentID == "" {
			break
		}
		return []dialect.Finding{{Link: link, Event: subagent(e, d)}}
	case ErrorData:
		return []dialect.Finding{{Link: link, Event: failure(d)}}
	case CompactionData:
		return []dialect.Finding{{Link: link, Event: compaction(e, d)}}
	case UsageData:
		link.AgentID = e.AgentID
		if u, ok := usage(d); ok {
			return []dialect.Finding{{Link: link, Event: u}}
		}
	}
	link.AgentID = e.AgentID
	return []dialect.Finding{{Link: link, Event: dialect.Other{Value: e}}}
}

func subagent(e Event, d SubagentData) dialect.SubagentPatch {
	patch := dialect.SubagentPatch{
		AgentType:   dialect.SetNonZero(d.AgentName),
		Description: dialect.SetNonZero(d.AgentDescription),
		Model:       dialect.SetNonZero(d.Model),
		ToolCalls:   dialect.SetNonZero(d.ToolCalls.Int()),
		Tokens:      dialect.SetNonZero(d.Tokens.Int()),
		Duration:    dialect.SetNonZero(milliseconds(d.DurationMS)),
	}
	switch e.Type {
	case subagentStarted:
		patch.Activity = dialect.Set(dialect.ActivityRunning)
		if d.ExecutionMode == "background" {
			patch.Background = dialect.Set(true)
			patch.Outcome = dialect.Set(dialect.SubagentLaunched)
		}
	case subagentCompleted:
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentCompleted)
		if d.Cancelled {
			patch.Outcome = dialect.Set(dialect.SubagentCancelled)
		}
	case subagentFailed:
		patch.Activity = dialect.Set(dialect.ActivityEnded)
		patch.Outcome = dialect.Set(dialect.SubagentFailed)
		patch.Error = dialect.SetNonZero(d.Error)
		if d.Cancelled {
			patch.Outcome = dialect.Set(dialect.SubagentCancelled)
		}
	}
	return patch
}

// milliseconds gives a duration, 0 for what is none.
func milliseconds(n dialect.Number) time.Duration {
	ms := n.Int()
	if ms < 0 || ms > int64(1<<63-1)/int64(time.Millisecond) {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

func failure(d ErrorData) dialect.Notice {
	notice := dialect.Notice{Kind: dialect.NoticeError, URL: d.URL}
	switch d.ErrorType {
	case "rate_limit", "quota":
		notice.Kind = dialect.NoticeRateLimit
	case "authentication":
		notice.Kind = dialect.NoticeSignIn
	}
	head, _, more := strings.Cut(strings.TrimSpace(d.Message), "\n")
	if more {
		notice.Detail = d.Message
	}
	notice.Message = dialect.OneLine(head)
	if notice.Message == "" {
		notice.Message = strings.TrimSpace("Copilot reports an error " + dialect.OneLine(d.ErrorType))
	}
	return notice
}

func compaction(e Event, d CompactionData) dialect.Notice {
	notice := dialect.Notice{Kind: dialect.NoticeCompaction, Message: "The conversation is being compacted"}
	if e.Type == compactionComplete {
		notice.Message = "The conversation was compacted"
		if d.Success != nil && !*d.Success {
			notice.Message = "The conversation could not be compacted"
		}
	}
	notice.Detail = d.Error
	return notice
}

// usage gives what was used, false if nothing was told.
func usage(d UsageData) (dialect.Usage, bool) {
	u := dialect.Usage{
		InputTokens:       d.InputTokens.Int(),
		OutputTokens:      d.OutputTokens.Int(),
		CachedReadTokens:  d.CacheReadTokens.Int(),
		CachedWriteTokens: d.CacheWriteTokens.Int(),
	}
	if d.Cost.Valid {
		u.Costs = append(u.Costs, dialect.Cost{Amount: d.Cost.Value, Unit: "premium requests"})
	}
	if d.TotalNanoAIU.Valid {
		u.Costs = append(u.Costs, dialect.Cost{Amount: d.TotalNanoAIU.Value / 1e9, Unit: "AI units"})
	}
	return u, d.InputTokens.Valid || d.OutputTokens.Valid || len(u.Costs) > 0
}
