package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// answerFirst answers --ask first: the first option of each question, and yes to
// a plan.
func answerFirst(_ context.Context, a *client.Ask) error {
	q := a.Question
	if q.Kind == dialect.KindRequest || len(q.Outcomes) == 0 {
		return nil
	}
	if !slices.Contains(q.Outcomes, dialect.OutcomeAccepted) {
		return a.Answer(dialect.Answer{Outcome: q.Outcomes[0]})
	}
	answer := dialect.Answer{Outcome: dialect.OutcomeAccepted}
	for _, item := range q.Items {
		if len(item.Options) == 0 {
			continue
		}
		if answer.Picks == nil {
			answer.Picks = map[string]dialect.Pick{}
		}
		answer.Picks[item.ID] = dialect.Pick{Options: []string{firstOption(item.Options)}}
	}
	return a.Answer(answer)
}

// firstOption descends where an option stands for a second level.
func firstOption(options []dialect.Option) string {
	if len(options[0].Options) > 0 {
		return firstOption(options[0].Options)
	}
	return options[0].ID
}

// A script answers --ask FILE: each of its entries answers one ask.
type script struct {
	mu      sync.Mutex
	entries []scripted
}

type scripted struct {
	Method  string          `json:"method"`
	Outcome dialect.Outcome `json:"outcome"`
	Picks   map[string]struct {
		Options []string `json:"options"`
		Text    string   `json:"text"`
	} `json:"picks"`
	Feedback string `json:"feedback"`
}

func readAnswers(file string) (*script, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	s := new(script)
	err = dec.Decode(&s.entries)
	if err == nil && s.entries == nil {
		err = errors.New("it is null")
	}
	if _, more := dec.Token(); err == nil && more != io.EOF {
		err = errors.New("something follows the list")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not a JSON list of {method, outcome, picks, feedback}: %w", file, err)
	}
	return s, nil
}

// explained says on stderr why an answer was refused: the ask's line says no more
// than that it was.
func explained(answer func(context.Context, *client.Ask) error) func(context.Context, *client.Ask) error {
	if answer == nil {
		return nil
	}
	return func(ctx context.Context, a *client.Ask) error {
		err := answer(ctx, a)
		if errors.Is(err, client.ErrNotOffered) {
			complain(fmt.Errorf("--ask: %s: %w", a.WireName, err))
		}
		return err
	}
}

// answer gives the first entry that is left and fits. Picks alone mean that the
// questions are answered.
func (s *script) answer(_ context.Context, a *client.Ask) error {
	if a.Question.Kind == dialect.KindRequest {
		return nil
	}
	entry, ok := s.take(a)
	if !ok {
		return nil
	}
	answer := dialect.Answer{Outcome: entry.Outcome, Feedback: entry.Feedback}
	if len(entry.Picks) > 0 {
		answer.Picks = map[string]dialect.Pick{}
		if answer.Outcome == dialect.OutcomeDeclined {
			answer.Outcome = dialect.OutcomeAccepted
		}
	}
	for id, p := range entry.Picks {
		answer.Picks[id] = dialect.Pick(p)
	}
	return a.Answer(answer)
}

func (s *script) take(a *client.Ask) (scripted, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.entries, func(e scripted) bool {
		return e.Method == "" || e.Method == a.Method || e.Method == a.WireName
	})
	if i < 0 {
		return scripted{}, false
	}
	entry := s.entries[i]
	s.entries = slices.Delete(s.entries, i, i+1)
	return entry, true
}
