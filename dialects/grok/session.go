package grok

import (
	"encoding/json"
	"errors"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// Notification is an update of a session in the vendor's envelope, which is that
// of session/update with kinds of its own.
type Notification struct {
	SessionID string
	Kind      string // update.sessionUpdate

	// Update is the kind's own type of this package, or the update object as
	// a json.RawMessage for a kind that has none.
	Update any
	Replay bool // sent again by a load
}

// An update is one kind's fields.
type update interface {
	// findings says what the update means in a session.
	findings(session string) []dialect.Finding
}

// notifications are the methods that use the envelope.
func notifications() []dialect.Method {
	return []dialect.Method{
		notification("_x.ai/session_notification", "", "what the standard updates have no kind for: subagents, retries, turn ends", fromCapture),
		notification("_x.ai/session/update", "", "the same, sent again by a load", fromSource),
		notification("_x.ai/task_backgrounded", "task_backgrounded", "a command goes on in the background", fromClients),
		notification("_x.ai/task_completed", "task_completed", "a background command has ended", fromClients),
		notification("_x.ai/monitor_event", "monitor_event", "a monitor has seen something", fromSource),
		notification("_x.ai/scheduled_task_created", "scheduled_task_created", "a task was scheduled", fromSource),
		notification("_x.ai/scheduled_task_fired", "scheduled_task_fired", "a scheduled task is due", fromSource),
		notification("_x.ai/scheduled_task_deleted", "scheduled_task_deleted", "a scheduled task was taken back", fromSource),
	}
}

// notification makes the Report of an envelope. A method that is for one kind
// says which; the others read it from the update.
func notification(name, kind, doc, source string) dialect.Method {
	return dialect.Report[Notification]{
		Name: name, Doc: doc, Source: source,
		Decode: func(raw json.RawMessage) (Notification, error) { return decodeNotification(name, kind, raw) },
		Correlate: func(n Notification) []dialect.Finding {
			if u, ok := n.Update.(update); ok {
				if found := u.findings(n.SessionID); found != nil {
					return found
				}
			}
			return other(inSession(n.SessionID), n)
		},
	}
}

type envelope struct {
	SessionID string          `json:"sessionId"`
	Update    json.RawMessage `json:"update"`
	Meta      struct {
		IsReplay bool `json:"isReplay"`
	} `json:"_meta"`
}

func decodeNotification(name, kind string, raw json.RawMessage) (Notification, error) {
	e, err := decode[envelope](name)(raw)
	if !dialect.Usable(err) {
		return Notification{}, err
	}
	if _, ok := rawjson.Members(e.Update); !ok {
		return Notification{}, dialect.MissingField("update")
	}
	if kind == "" {
		kind = rawjson.String(rawjson.Get(e.Update, "sessionUpdate"))
	}
	n := Notification{SessionID: e.SessionID, Kind: kind, Update: e.Update, Replay: e.Meta.IsReplay}
	read, known := kinds[kind]
	if !known {
		return n, err
	}
	u, uerr := read(e.Update)
	if !dialect.Usable(uerr) {
		return Notification{}, uerr
	}
	n.Update = u
	return n, errors.Join(err, uerr)
}

// kinds are the updates that have a type.
var kinds = map[string]func(json.RawMessage) (update, error){
	"subagent_spawned":       subagent[SubagentSpawned],
	"subagent_progress":      subagent[SubagentProgress],
	"subagent_finished":      subagent[SubagentFinished],
	"turn_completed":         read[TurnCompleted],
	"pending_interaction":    read[PendingInteraction],
	"interaction_resolved":   read[InteractionResolved],
	"task_backgrounded":      read[TaskBackgrounded],
	"task_completed":         read[TaskCompleted],
	"retry_state":            read[RetryState],
	"auto_compact_started":   read[CompactStarted],
	"auto_compact_completed": read[CompactCompleted],
	"auto_compact_failed":    read[CompactFailed],
	"auto_compact_cancelled": read[CompactCancelled],
	"model_changed":          read[ModelChanged],
	"model_auto_switched":    read[ModelSwitched],
	"hook_annotation":        read[HookAnnotation],
}

func read[U update](raw json.RawMessage) (update, error) {
	u, err := dialect.Lenient[U](raw)
	return u, err
}
