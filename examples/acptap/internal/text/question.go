package text

import (
	"maps"
	"slices"
	"strings"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// question shows what is asked, without its options.
func question(style styles, q dialect.Question) string {
	what := "question"
	switch q.Kind {
	case dialect.KindPlan:
		what = "plan"
	case dialect.KindRequest:
		what = "request"
	}
	out := "  " + style.ask(what)
	if q.Title != "" {
		out += " " + style.bold(oneLine(q.Title))
	}
	out += "\n"
	if text := strings.TrimSpace(Clean(q.Text)); text != "" {
		out += indent(text, "  "+style.dim("│ ")) + "\n"
	}
	for _, t := range q.Todos {
		out += "  " + style.dim("│ ") + "○ " + oneLine(t.Content) + "\n"
	}
	return out
}

// choices shows the questions of a Choice with their options.
func choices(style styles, q dialect.Question) string {
	var out strings.Builder
	for _, item := range q.Items {
		if item.Text != "" {
			out.WriteString(indent(style.bold(Clean(item.Text)), "  ") + "\n")
		}
		for _, o := range flat(item.Options) {
			out.WriteString("  · " + option(style, o) + "\n")
		}
	}
	return out.String()
}

func option(style styles, o dialect.Option) string {
	out := oneLine(o.Label)
	if out == "" {
		out = oneLine(o.ID)
	}
	if o.Recommended {
		out += style.good(" (recommended)")
	}
	if o.Description != "" {
		out += style.dim(" " + oneLine(o.Description))
	}
	return out
}

// answer says how an ask ended.
func answer(s client.Settled) string {
	if s.Answer.Outcome == dialect.OutcomeDeclined {
		if s.Reason == "" {
			return "answered"
		}
		return "declined (" + strings.ReplaceAll(string(s.Reason), "_", " ") + ")"
	}
	out := oneLine(string(s.Answer.Outcome))
	for _, id := range slices.Sorted(maps.Keys(s.Answer.Picks)) {
		pick := s.Answer.Picks[id]
		names := slices.Clone(pick.Options)
		if pick.Text != "" {
			names = append(names, pick.Text)
		}
		out += " · " + oneLine(id) + ": " + oneLine(strings.Join(names, ", "))
	}
	if s.Answer.Feedback != "" {
		out += " · " + oneLine(s.Answer.Feedback)
	}
	return out
}
