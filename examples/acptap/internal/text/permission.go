package text

import (
	"context"
	"encoding/json"
	"errors"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

var errRejected = errors.New("rejected")

// Permission is a Policy.Ask: it asks for one of the options of a permission
// request. An empty line rejects.
func (c *Console) Permission(ctx context.Context, p acp.RequestPermissionRequest) (acp.PermissionOptionId, error) {
	done, err := c.begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	title := string(p.ToolCall.ToolCallId)
	if p.ToolCall.Title != nil {
		title = *p.ToolCall.Title
	}
	text := "\n  " + c.style.ask("permission ") + c.style.bold(short(title, 200)) + "\n"
	if input, err := json.Marshal(p.ToolCall.RawInput); err == nil && p.ToolCall.RawInput != nil {
		text += "  " + c.style.dim(short(string(input), 200)) + "\n"
	}
	chosen, err := choose(ctx, c, text, p.Options, func(o acp.PermissionOption) string {
		return oneLine(o.Name) + c.style.dim(" "+oneLine(string(o.Kind)))
	}, "Enter to reject")
	if err == nil && chosen.OptionId == "" {
		err = errRejected
	}
	return chosen.OptionId, err
}

// Settled shows how an ask or a permission request ended.
func (v *View) Settled(s client.Settled) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s.Dialect == "" {
		v.permission(s)
		return
	}
	outcome := "  " + v.style.ask("→ ") + answer(s)
	if v.Asked {
		v.page.line(outcome)
	} else {
		v.page.block("ask", question(v.style, s.Question)+choices(v.style, s.Question)+outcome)
	}
}

func (v *View) permission(s client.Settled) {
	title := rawjson.String(rawjson.Get(s.Raw, "toolCall", "title"))
	if title == "" {
		title = rawjson.String(rawjson.Get(s.Raw, "toolCall", "toolCallId"))
	}
	chosen := s.Chosen
	switch {
	case s.Reason != "":
		chosen = "cancelled"
	case chosen == "":
		chosen = `""`
	}
	v.page.line("  " + v.style.ask("permission ") + short(title, 100) + v.style.ask(" → ") + oneLine(chosen))
}
