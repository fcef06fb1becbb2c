package kiro

import (
	"encoding/json"
	"errors"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// Update is the params of _kiro.dev/session/update: kinds of update that the
// protocol has not.
type Update struct {
	SessionID string
	Kind      string // update.sessionUpdate

	// Update is a [ToolCallChunk], a [Retry], a [Steering], or the update
	// object as a json.RawMessage.
	Update any
}

// ToolCallChunk comes before the tool_call of the same id.
type ToolCallChunk struct {
	ToolCallID string `json:"toolCallId"`
	Title      string `json:"title"`
	Kind       string `json:"kind"`
}

// Steering is about what the user said while a turn ran. The fields differ by
// kind and version.
type Steering struct {
	Message    string   `json:"message"`
	Content    string   `json:"content"`
	MessageID  string   `json:"messageId"`
	MessageIDs []string `json:"messageIds"`
}

func sessionUpdate() dialect.Method {
	return dialect.Report[Update]{
		Name:      "_kiro.dev/session/update",
		Doc:       "announced tool calls, retries, stalls, steering",
		Source:    captured,
		Decode:    decodeUpdate,
		Correlate: Update.findings,
	}
}

func decodeUpdate(raw json.RawMessage) (Update, error) {
	e, err := dialect.Lenient[struct {
		SessionID string          `json:"sessionId"`
		Update    json.RawMessage `json:"update"`
	}](raw)
	if !dialect.Usable(err) {
		return Update{}, err
	}
	if _, ok := rawjson.Members(e.Update); !ok {
		return Update{}, dialect.MissingField("update")
	}
	u := Update{SessionID: e.SessionID, Kind: rawjson.String(rawjson.Get(e.Update, "sessionUpdate")), Update: e.Update}
	var soft error
	switch u.Kind {
	case "tool_call_chunk":
		u.Update, soft = dialect.Lenient[ToolCallChunk](e.Update)
	case "retry_warning":
		u.Update, soft = dialect.Lenient[Retry](e.Update)
	case "stream_stall_notice",
		"steering_queued", "steering_consumed", "steering_cleared",
		"AgentExecutionUserMessageQueued", "AgentExecutionSteeringInjected", "AgentExecutionUserMessageCleared":
		u.Update, soft = dialect.Lenient[Steering](e.Update)
	}
	return u, errors.Join(err, soft)
}

// findings never link to the tool call that a chunk announces: it need not wait
// for the call, and the call says all of it again.
func (u Update) findings() []dialect.Finding {
	switch v := u.Update.(type) {
	case Retry:
		return v.findings(u.SessionID)
	case Steering:
		if u.Kind == "stream_stall_notice" {
			return notice(inSession(u.SessionID), dialect.NoticeWarning, "The answer has stalled", v.Message)
		}
	}
	if u.Kind == "stream_discarded" {
		return notice(inSession(u.SessionID), dialect.NoticeRetry, "The answer shown so far is discarded and will be sent again")
	}
	return other(inSession(u.SessionID), u)
}
