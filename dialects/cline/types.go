package cline

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// spawn is the rawInput of the call that starts a child.
type spawn struct {
	SystemPrompt string `json:"systemPrompt"`
	Task         string `json:"task"`
}

// result is its rawOutput.
type result struct {
	Text  string `json:"text"`
	Usage struct {
		InputTokens  dialect.Number `json:"inputTokens"`
		OutputTokens dialect.Number `json:"outputTokens"`
	} `json:"usage"`
}

// readResult reads a rawOutput that is an object, or an object in a string.
func readResult(raw json.RawMessage) result {
	if text := rawjson.String(raw); text != "" {
		raw = json.RawMessage(text)
	}
	r, _ := dialect.Lenient[result](raw)
	return r
}
