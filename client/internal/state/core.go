package state

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// coreFindings reads what the protocol itself says in a session/update: plans,
// notices, usage, and both layers of subagents, the stable one and the draft
// that is alive on the wire.
func coreFindings(sc *scanned) (found []dialect.Finding, by layer) {
	link := dialect.Link{SessionID: sc.sessionID}
	one := func(e dialect.Event) []dialect.Finding { return []dialect.Finding{{Link: link, Event: e}} }
	switch sc.kind {
	case "plan":
		if items, ok := corePlan(sc.body); ok {
			return one(dialect.Todos{Items: items}), layerFinal
		}
	case "usage_update":
		if u := coreContext(sc.body); u != nil {
			return one(*u), layerFinal
		}
	case "notice":
		n, _ := dialect.Lenient[coreNotice](sc.body)
		if n.Title != "" {
			return one(dialect.Notice{Kind: severity(n.Severity), Message: n.Title, Detail: n.Description}), layerFinal
		}
	case "compaction_update":
		c, _ := dialect.Lenient[coreCompaction](sc.body)
		if c.Status != "" {
			return one(dialect.Notice{Kind: dialect.NoticeCompaction, Message: "Compaction " + c.Status}), layerFinal
		}
	case "subagent_update":
		return finalSubagent(sc), layerFinal
	case "subagent_spawned":
		return draftSpawned(sc), layerDraft
	case "subagent_state_update":
		return draftState(sc), layerDraft
	}
	return nil, 0
}

type coreNotice struct {
	Severity    string `json:"severity"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

type coreCompaction struct {
	Status string `json:"status"`
}

func severity(word string) dialect.NoticeKind {
	switch word {
	case "warning":
		return dialect.NoticeWarning
	case "error":
		return dialect.NoticeError
	}
	return dialect.NoticeInfo
}

// corePlan reads a plan. It is false for one without a list, or with one of which
// nothing was understood: neither must clear what is known.
func corePlan(body json.RawMessage) ([]dialect.Todo, bool) {
	plan, _ := dialect.Lenient[struct {
		Entries []struct {
			Content  string `json:"content"`
			Priority string `json:"priority"`
			Status   string `json:"status"`
		} `json:"entries"`
	}](body)
	items := []dialect.Todo{}
	for _, e := range plan.Entries {
		if e.Content != "" {
			items = append(items, dialect.Todo{Content: e.Content, Priority: e.Priority, Status: dialect.TodoStatus(e.Status)})
		}
	}
	return items, plan.Entries != nil && (len(items) > 0 || len(plan.Entries) == 0)
}

// coreContext reads a usage_update.
func coreContext(body json.RawMessage) *dialect.Usage {
	u, _ := dialect.Lenient[struct {
		Used dialect.Number `json:"used"`
		Size dialect.Number `json:"size"`
		Cost struct {
			Amount   dialect.Number `json:"amount"`
			Currency string         `json:"currency"`
		} `json:"cost"`
	}](body)
	if !u.Used.Valid && !u.Size.Valid && !u.Cost.Amount.Valid {
		return nil
	}
	out := &dialect.Usage{ContextUsed: u.Used.Int(), ContextSize: u.Size.Int()}
	if u.Cost.Amount.Valid {
		out.Costs = []dialect.Cost{{Amount: u.Cost.Amount.Value, Unit: u.Cost.Currency}}
	}
	return out
}

// coreUsage reads the usage of a prompt's result.
func coreUsage(raw json.RawMessage) *dialect.Usage {
	if wire.IsNull(raw) {
		return nil
	}
	u, _ := dialect.Lenient[struct {
		Input       dialect.Number `json:"inputTokens"`
		Output      dialect.Number `json:"outputTokens"`
		CachedRead  dialect.Number `json:"cachedReadTokens"`
		CachedWrite dialect.Number `json:"cachedWriteTokens"`
		Thought     dialect.Number `json:"thoughtTokens"`
		Total       dialect.Number `json:"totalTokens"`
	}](raw)
	if !u.Input.Valid && !u.Output.Valid && !u.Total.Valid {
		return nil
	}
	return &dialect.Usage{
		InputTokens: u.Input.Int(), OutputTokens: u.Output.Int(),
		CachedReadTokens: u.CachedRead.Int(), CachedWriteTokens: u.CachedWrite.Int(),
		ReasoningTokens: u.Thought.Int(), TotalTokens: u.Total.Int(),
	}
}

// finalSubagent reads a subagent_update: omitted keeps, null clears.
func finalSubagent(sc *scanned) []dialect.Finding {
	m, _ := rawjson.Members(sc.body)
	childID := rawjson.String(m["sessionId"])
	if childID == "" {
		return nil
	}
	p := dialect.SubagentPatch{Title: textField(m, "title"), Description: textField(m, "description")}
	if caps, ok := m["capabilities"]; ok {
		cancel := rawjson.Get(caps, "cancel")
		p.CanCancel = dialect.Set(len(cancel) > 0 && cancel[0] == '{')
	}
	if state, ok := m["state"]; ok {
		switch a := dialect.Activity(rawjson.String(rawjson.Get(state, "state"))); a {
		case dialect.ActivityRunning, dialect.ActivityIdle, dialect.ActivityRequiresAction:
			p.Activity = dialect.Set(a)
		default: // null, too: what it does is not known
			p.Activity = dialect.Set(dialect.ActivityUnknown)
		}
		if used := coreUsage(rawjson.Get(state, "usage")); used != nil {
			p.Tokens = dialect.SetNonZero(used.TotalTokens)
		}
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: sc.sessionID, ChildSessionID: childID}, Event: p}}
}

func textField(m map[string]json.RawMessage, name string) dialect.Field[string] {
	raw, ok := m[name]
	switch {
	case !ok:
		return dialect.Field[string]{}
	case wire.IsNull(raw):
		return dialect.Clear[string]()
	}
	if s, ok := wire.String(raw); ok {
		return dialect.Set(s)
	}
	return dialect.Field[string]{}
}

// draftSpawned reads a subagent_spawned, which implies running.
func draftSpawned(sc *scanned) []dialect.Finding {
	m, _ := rawjson.Members(sc.body)
	childID := rawjson.String(m["subagentSessionId"])
	if childID == "" {
		return nil
	}
	prompt := textField(m, "prompt") // which one adapter sends beside its summary, the task
	if prompt.Absent() {
		prompt = textField(m, "task")
	}
	return []dialect.Finding{{
		Link: dialect.Link{SessionID: sc.sessionID, ChildSessionID: childID},
		Event: dialect.SubagentPatch{
			Title:     textField(m, "name"),
			Prompt:    prompt,
			Activity:  dialect.Set(dialect.ActivityRunning),
			CanCancel: dialect.Set(string(rawjson.Get(m["capabilities"], "cancel")) == "true"),
		},
	}}
}

// draftState reads a subagent_state_update, which always is an end.
func draftState(sc *scanned) []dialect.Finding {
	m, _ := rawjson.Members(sc.body)
	childID := rawjson.String(m["subagentSessionId"])
	if childID == "" {
		return nil
	}
	p := dialect.SubagentPatch{}
	switch o := dialect.SubagentOutcome(rawjson.String(m["state"])); o {
	case dialect.SubagentCompleted, dialect.SubagentFailed, dialect.SubagentCancelled:
		p.Activity, p.Outcome = dialect.Set(dialect.ActivityEnded), dialect.Set(o)
	case "disconnected":
		p.Activity, p.Outcome = dialect.Set(dialect.ActivityEnded), dialect.Set(dialect.SubagentUnknown)
	default:
		p.Activity = dialect.Set(dialect.ActivityUnknown)
	}
	return []dialect.Finding{{Link: dialect.Link{SessionID: sc.sessionID, ChildSessionID: childID}, Event: p}}
}

// childSession gives the session that a tool call's content points at: an item
// {"type":"session","sessionId":…}.
func childSession(content []byte) string {
	if !bytes.Contains(content, []byte(`"session"`)) || content[0] != '[' {
		return ""
	}
	s := wire.Scan(content)
	defer s.Free()
	id := ""
	s.Array(func() error {
		item, err := s.Value()
		if rawjson.String(rawjson.Get(item, "type")) == "session" {
			id = rawjson.String(rawjson.Get(item, "sessionId"))
		}
		return err
	})
	return id
}
