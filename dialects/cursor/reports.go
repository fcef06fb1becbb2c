package cursor

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
)

func decodeTask(raw json.RawMessage) (Task, error) {
	p, err := dialect.Lenient[Task](raw)
	if dialect.Usable(err) && p.ToolCallID == "" {
		return Task{}, dialect.MissingField("toolCallId")
	}
	return p, err
}

// task gives what the report knows. It sets neither activity nor outcome, for
// it comes the same at an end, at a launch and at a failure.
func task(p Task) []dialect.Finding {
	patch := dialect.SubagentPatch{
		Title:       dialect.SetNonZero(p.Description),
		Description: dialect.SetNonZero(p.Description),
		Prompt:      dialect.SetNonZero(p.Prompt),
		AgentType:   dialect.SetNonZero(p.SubagentType.known()),
		Model:       dialect.SetNonZero(p.Model),
	}
	if ms := p.DurationMS.Int(); p.DurationMS.Valid && ms >= 0 && ms <= maxMilliseconds {
		patch.Duration = dialect.Set(time.Duration(ms) * time.Millisecond)
	}
	link := dialect.Link{ToolCallID: p.ToolCallID, AgentID: p.AgentID}
	return []dialect.Finding{{Link: link, Event: patch}}
}

// maxMilliseconds is what a time.Duration can hold.
const maxMilliseconds = int64(1<<63-1) / int64(time.Millisecond)

func updateTodos(p UpdateTodos) []dialect.Finding {
	items, ok := todos(p.Todos)
	if !ok {
		return nil
	}
	return []dialect.Finding{{
		Link:  dialect.Link{ToolCallID: p.ToolCallID},
		Event: dialect.Todos{Items: items, Merge: p.Merge},
	}}
}

// todos leaves out entries without content and id. It gives false where there
// is no list, or nothing in it was understood: neither must clear what is known.
func todos(list []Todo) ([]dialect.Todo, bool) {
	items := make([]dialect.Todo, 0, len(list))
	for _, t := range list {
		content := t.Content
		if content == "" {
			content = t.Title
		}
		if content != "" || t.ID != "" {
			items = append(items, dialect.Todo{ID: t.ID, Content: content, Status: todoStatus(t.Status)})
		}
	}
	return items, list != nil && (len(items) > 0 || len(list) == 0)
}

// todoStatus gives the neutral word for either vocabulary.
func todoStatus(word string) dialect.TodoStatus {
	if name, ok := strings.CutPrefix(word, "TODO_STATUS_"); ok {
		if word = strings.ToLower(name); word == "unspecified" {
			word = ""
		}
	}
	return dialect.TodoStatus(word)
}

func generateImage(p GenerateImage) []dialect.Finding {
	path := p.FilePath
	if path == "" {
		path = p.Path
	}
	if p.Description == "" && path == "" && len(p.ReferenceImagePaths) == 0 {
		return nil
	}
	return []dialect.Finding{{
		Link:  dialect.Link{ToolCallID: p.ToolCallID},
		Event: dialect.Image{Description: p.Description, Path: path, References: p.ReferenceImagePaths},
	}}
}
