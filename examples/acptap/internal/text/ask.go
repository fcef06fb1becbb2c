package text

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// Ask is an Options.OnAsk: it shows the question and sends what is answered. An
// empty line declines.
func (c *Console) Ask(ctx context.Context, a *client.Ask) error {
	if a.Question.Kind == dialect.KindRequest {
		return nil
	}
	done, err := c.begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	text := "\n" + question(c.style, a.Question)
	for {
		answer, err := c.answer(ctx, text, a.Question)
		switch {
		case errors.Is(err, io.EOF):
			return nil // nobody will type any more
		case err != nil:
			return err
		}
		err = a.Answer(answer)
		if !errors.Is(err, client.ErrNotOffered) {
			return err
		}
		text = "  " + c.style.bad(oneLine(err.Error())) + "\n"
	}
}

func (c *Console) answer(ctx context.Context, text string, q dialect.Question) (dialect.Answer, error) {
	if len(q.Items) == 0 || !slices.Contains(q.Outcomes, dialect.OutcomeAccepted) {
		return c.decide(ctx, text, q)
	}
	answer := dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{}}
	for _, item := range q.Items {
		pick, what, err := c.pick(ctx, text+c.item(item, q), item, q)
		if err != nil || what != dialect.OutcomeAccepted {
			return dialect.Answer{Outcome: what}, err
		}
		if len(pick.Options) > 0 || pick.Text != "" {
			answer.Picks[item.ID] = pick
		}
		text = ""
	}
	return answer, nil
}

// item shows one question with its options, numbered, and how to answer it.
func (c *Console) item(item dialect.Item, q dialect.Question) string {
	var out strings.Builder
	if item.Text != "" {
		out.WriteString(indent(c.style.bold(Clean(item.Text)), "  ") + "\n")
	}
	for i, o := range flat(item.Options) {
		fmt.Fprintf(&out, "  %s %s\n", c.style.ask(strconv.Itoa(i+1)), option(c.style, o))
	}
	var how []string
	if len(item.Options) > 0 && item.Multiple {
		how = append(how, "numbers")
	} else if len(item.Options) > 0 {
		how = append(how, "a number")
	}
	if item.FreeText {
		how = append(how, "a text")
	}
	if slices.Contains(q.Outcomes, dialect.OutcomeSkipped) {
		how = append(how, "s to skip")
	}
	out.WriteString("  " + c.style.dim(strings.Join(append(how, "Enter to decline"), ", ")) + c.style.ask(" › "))
	return out.String()
}

// pick asks until there is something that can be picked, or the question as a
// whole is skipped or declined.
func (c *Console) pick(ctx context.Context, text string, item dialect.Item, q dialect.Question) (dialect.Pick, dialect.Outcome, error) {
	for {
		line, err := c.line(ctx, text)
		switch {
		case err != nil || line == "":
			return dialect.Pick{}, dialect.OutcomeDeclined, err
		case line == "s" && slices.Contains(q.Outcomes, dialect.OutcomeSkipped):
			return dialect.Pick{}, dialect.OutcomeSkipped, nil
		}
		options, ok := numbers(line, flat(item.Options))
		switch {
		case ok && (len(options) == 1 || item.Multiple):
			return dialect.Pick{Options: options}, dialect.OutcomeAccepted, nil
		case item.FreeText:
			return dialect.Pick{Text: line}, dialect.OutcomeAccepted, nil
		case ok:
			text = "  " + c.style.bad("one number, please") + c.style.ask(" › ")
		default:
			text = "  " + c.style.bad(fmt.Sprintf("a number from 1 to %d, please", len(flat(item.Options)))) + c.style.ask(" › ")
		}
	}
}

// decide asks for one of the outcomes, and a word on it where one is taken.
func (c *Console) decide(ctx context.Context, text string, q dialect.Question) (dialect.Answer, error) {
	outcome, err := choose(ctx, c, text, q.Outcomes, func(o dialect.Outcome) string { return oneLine(string(o)) }, "Enter to decline")
	if err != nil || outcome == dialect.OutcomeDeclined || !slices.Contains(q.Feedback, outcome) {
		return dialect.Answer{Outcome: outcome}, err
	}
	feedback, err := c.line(ctx, "  "+c.style.dim("anything to say to it? Enter for nothing")+c.style.ask(" › "))
	return dialect.Answer{Outcome: outcome, Feedback: feedback}, err
}

// choose asks for one of several things by its number. An empty line gives the
// zero T.
func choose[T any](ctx context.Context, c *Console, text string, things []T, name func(T) string, empty string) (T, error) {
	var none T
	for i, t := range things {
		text += fmt.Sprintf("  %s %s\n", c.style.ask(strconv.Itoa(i+1)), name(t))
	}
	text += "  " + c.style.dim("a number, "+empty) + c.style.ask(" › ")
	for {
		line, err := c.line(ctx, text)
		if err != nil || line == "" {
			return none, err
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(things) {
			return things[n-1], nil
		}
		text = "  " + c.style.bad(fmt.Sprintf("a number from 1 to %d, please", len(things))) + c.style.ask(" › ")
	}
}

// numbers reads "1" or "1, 3" as options.
func numbers(line string, options []dialect.Option) ([]string, bool) {
	var out []string
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(options) || slices.Contains(out, options[n-1].ID) {
			return nil, false
		}
		out = append(out, options[n-1].ID)
	}
	return out, len(out) > 0
}

// flat gives options with their second level: an option that has one stands for
// it and cannot be picked by itself.
func flat(options []dialect.Option) []dialect.Option {
	var out []dialect.Option
	for _, o := range options {
		if len(o.Options) == 0 {
			out = append(out, o)
			continue
		}
		for _, inner := range flat(o.Options) {
			inner.Label = o.Label + ": " + inner.Label
			out = append(out, inner)
		}
	}
	return out
}
