package cursor

import (
	"bytes"
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// Task is the params of cursor/task. It has no status, no result and no
// background flag: those are in the tool call's rawOutput.
type Task struct {
	ToolCallID   string       `json:"toolCallId"`
	Description  string       `json:"description"`
	Prompt       string       `json:"prompt"`
	SubagentType SubagentType `json:"subagentType"`
	// Model is the child's own.
	Model string `json:"model"`
	// AgentID is a resume id copied from the tool's arguments, not a session.
	AgentID string `json:"agentId"`
	// DurationMS is the whole run, or of a background task the launch alone.
	DurationMS dialect.Number `json:"durationMs"`
}

// SubagentType is an open enum: a word in one build, an object around a word in
// the next.
type SubagentType struct {
	Word string          // "" if it was not understood
	Raw  json.RawMessage // as it came
}

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (s *SubagentType) UnmarshalJSON(raw []byte) error {
	*s = SubagentType{Raw: bytes.Clone(raw)}
	s.Word = subagentWord(s.Raw, 4)
	return nil
}

// MarshalJSON gives back what came.
func (s SubagentType) MarshalJSON() ([]byte, error) {
	if len(s.Raw) > 0 {
		return s.Raw, nil
	}
	return json.Marshal(s.Word)
}

// subagentWord reads "explore", {"explore":{}}, {"custom":"name"},
// {"custom":{"name":"name"}} and {"custom":{"unspecified":{}}}.
func subagentWord(raw json.RawMessage, levels int) string {
	if word := rawjson.String(raw); word != "" || levels == 0 {
		return word
	}
	m, ok := rawjson.Members(raw)
	if !ok {
		return ""
	}
	if name, ok := m["name"]; ok {
		return rawjson.String(name)
	}
	if len(m) != 1 {
		return ""
	}
	for key, value := range m {
		if key != "custom" {
			return key
		}
		return subagentWord(value, levels-1)
	}
	return ""
}

// known gives the type, "" if the vendor does not say.
func (s SubagentType) known() string {
	if s.Word == "unspecified" {
		return ""
	}
	return s.Word
}

// UpdateTodos is the params of cursor/update_todos.
type UpdateTodos struct {
	ToolCallID string `json:"toolCallId"`
	// Todos is nil if the list was absent, which is not an empty list.
	Todos []Todo `json:"todos"`
	Merge bool   `json:"merge"` // by id; otherwise the list is replaced
}

// Todo is one entry. Status is pending, in_progress, completed or cancelled in
// the methods, TODO_STATUS_IN_PROGRESS and the like in a tool call's rawInput.
type Todo struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Title   string `json:"title"` // instead of Content, in some builds
	Status  string `json:"status"`
}

// GenerateImage is the params of cursor/generate_image.
type GenerateImage struct {
	ToolCallID          string   `json:"toolCallId"`
	Description         string   `json:"description"`
	FilePath            string   `json:"filePath"`
	Path                string   `json:"path"` // FilePath's older name
	ReferenceImagePaths []string `json:"referenceImagePaths"`
}

// AskQuestion is the params of cursor/ask_question.
type AskQuestion struct {
	ToolCallID string     `json:"toolCallId"`
	Title      string     `json:"title"`
	Questions  []Question `json:"questions"`
}

// Question is one question of AskQuestion.
type Question struct {
	ID            string   `json:"id"`
	Prompt        string   `json:"prompt"`
	Question      string   `json:"question"` // Prompt's other name
	Options       []Option `json:"options"`
	AllowMultiple bool     `json:"allowMultiple"`
}

// Option is one option of a Question.
type Option struct {
	ID    string `json:"id"`
	Value string `json:"value"` // ID's other name
	Label string `json:"label"`
}

// QuestionResult answers cursor/ask_question.
type QuestionResult struct {
	Outcome QuestionOutcome `json:"outcome"`
}

// QuestionOutcome says "answered", "skipped" or "cancelled".
type QuestionOutcome struct {
	Outcome string           `json:"outcome"`
	Answers []QuestionAnswer `json:"answers,omitzero"` // of "answered"
	Reason  string           `json:"reason,omitzero"`  // of "skipped"
}

// QuestionAnswer is what was picked for one question. There is no place for
// free text.
type QuestionAnswer struct {
	QuestionID        string   `json:"questionId"`
	SelectedOptionIDs []string `json:"selectedOptionIds"`
}

// CreatePlan is the params of cursor/create_plan.
type CreatePlan struct {
	ToolCallID string  `json:"toolCallId"`
	Name       string  `json:"name"`
	Overview   string  `json:"overview"`
	Plan       string  `json:"plan"` // Markdown; may be empty
	Todos      []Todo  `json:"todos"`
	IsProject  bool    `json:"isProject"`
	Phases     []Phase `json:"phases"`
}

// Phase is a part of a plan with todos of its own.
type Phase struct {
	Name  string `json:"name"`
	Todos []Todo `json:"todos"`
}

// PlanResult answers cursor/create_plan.
type PlanResult struct {
	Outcome PlanOutcome `json:"outcome"`
}

// PlanOutcome says "accepted", "rejected" or "cancelled".
type PlanOutcome struct {
	Outcome string `json:"outcome"`
	// PlanURI, of "accepted", says where the host has put the plan; without
	// it the agent writes a file itself.
	PlanURI string `json:"planUri,omitzero"`
	Reason  string `json:"reason,omitzero"` // of "rejected"; shown to the model
}
