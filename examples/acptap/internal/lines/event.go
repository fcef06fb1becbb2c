package lines

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

type event struct {
	Type     string     `json:"type"`
	Event    string     `json:"event"`
	Dialect  string     `json:"dialect,omitempty"`
	Method   string     `json:"method,omitempty"`
	WireName string     `json:"wireName,omitempty"`
	Session  string     `json:"sessionId,omitempty"`
	How      client.How `json:"how,omitempty"`
	ToolCall string     `json:"toolCallId,omitempty"`
	Matched  bool       `json:"matched,omitempty"`

	Subagent *subagent       `json:"subagent,omitempty"`
	Todos    []todo          `json:"todos,omitempty"`
	Question *question       `json:"question,omitempty"`
	Image    *image          `json:"image,omitempty"`
	Notice   *notice         `json:"notice,omitempty"`
	Usage    *usage          `json:"usage,omitempty"`
	Turn     *turn           `json:"turn,omitempty"`
	Other    json.RawMessage `json:"other,omitempty"`

	Soft    string `json:"soft,omitempty"`
	History bool   `json:"history,omitempty"`
}

// Event shows a neutral event.
func (v *View) Event(ev client.Event) {
	line := event{
		Type: "event", Event: ev.Payload.EventKind(),
		Dialect: ev.Dialect, Method: ev.Method, WireName: ev.WireName,
		Session: ev.SessionID, How: ev.How, ToolCall: toolCall(ev), Matched: ev.Matched, History: ev.History,
	}
	if ev.Soft != nil {
		line.Soft = ev.Soft.Error()
	}
	switch p := ev.Payload.(type) {
	case dialect.Subagent:
		line.Subagent = subagentOf(p)
	case dialect.Todos:
		line.Todos = todosOf(p.Items)
	case dialect.Question:
		q := questionOf(p)
		q.Kind = p.Kind
		line.Question = &q
	case dialect.Image:
		line.Image = &image{p.Description, p.Path, p.References}
	case dialect.Notice:
		line.Notice = &notice{p.Kind, p.Message, p.Detail, p.URL}
	case dialect.Usage:
		line.Usage = usageOf(p)
	case dialect.TurnMark:
		line.Turn = &turn{p.ID, p.StopReason, p.Began}
	case dialect.Other:
		line.Other = otherOf(p, ev.Raw)
	}
	v.write(line)
}

// toolCall gives the tool call that an event belongs to.
func toolCall(ev client.Event) string {
	if sub, ok := ev.Payload.(dialect.Subagent); ok && ev.Link.ToolCallID == "" {
		return sub.ToolCallID
	}
	return ev.Link.ToolCallID
}

type subagent struct {
	Change         dialect.Change          `json:"change,omitempty"`
	ChildSessionID string                  `json:"childSessionId,omitempty"`
	AgentID        string                  `json:"agentId,omitempty"`
	AgentType      string                  `json:"agentType,omitempty"`
	Title          string                  `json:"title,omitempty"`
	Description    string                  `json:"description,omitempty"`
	Prompt         string                  `json:"prompt,omitempty"`
	Model          string                  `json:"model,omitempty"`
	Activity       dialect.Activity        `json:"activity,omitempty"`
	Outcome        dialect.SubagentOutcome `json:"outcome,omitempty"`
	Background     bool                    `json:"background,omitempty"`
	DurationMS     int64                   `json:"durationMs,omitempty"`
	Error          string                  `json:"error,omitempty"`
	Summary        string                  `json:"summary,omitempty"`
	Tokens         int64                   `json:"tokens,omitempty"`
	ToolCalls      int64                   `json:"toolCalls,omitempty"`
}

func subagentOf(s dialect.Subagent) *subagent {
	return &subagent{
		s.Change, s.ChildSessionID, s.AgentID, s.AgentType, s.Title, s.Description, s.Prompt, s.Model,
		s.Activity, s.Outcome, s.Background, s.Duration.Milliseconds(), s.Error, s.Summary, s.Tokens, s.ToolCalls,
	}
}

type todo struct {
	ID      string             `json:"id,omitempty"`
	Content string             `json:"content,omitempty"`
	Status  dialect.TodoStatus `json:"status,omitempty"`
}

func todosOf(items []dialect.Todo) []todo {
	var out []todo
	for _, t := range items {
		out = append(out, todo{t.ID, t.Content, t.Status})
	}
	return out
}

type image struct {
	Description string   `json:"description,omitempty"`
	Path        string   `json:"path,omitempty"`
	References  []string `json:"references,omitempty"`
}

type notice struct {
	Kind    dialect.NoticeKind `json:"kind,omitempty"`
	Message string             `json:"message,omitempty"`
	Detail  string             `json:"detail,omitempty"`
	URL     string             `json:"url,omitempty"`
}

type turn struct {
	ID         string `json:"id,omitempty"`
	StopReason string `json:"stopReason,omitempty"`
	Began      bool   `json:"began,omitempty"`
}

// otherOf gives a vendor's value as an object: the typed one, or what came if
// that has no JSON.
func otherOf(o dialect.Other, raw json.RawMessage) json.RawMessage {
	value, err := json.Marshal(o.Value)
	if err != nil {
		value = raw
	}
	if _, ok := rawjson.Members(value); ok {
		return value
	}
	wrapped, err := json.Marshal(map[string]json.RawMessage{"value": value})
	if err != nil {
		return nil
	}
	return wrapped
}
