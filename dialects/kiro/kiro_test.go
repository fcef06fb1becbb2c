package kiro_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/kiro"
	"github.com/acpdialects/acpdialects/registry"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, kiro.Dialect(), allCases()) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, kiro.Dialect(), allCases()) }

// allCases adds to the tables what holds for every method: params that are no
// object are refused.
func allCases() []dialecttest.Case {
	var all []dialecttest.Case
	for _, table := range [][]dialecttest.Case{v2Cases, v2UpdateCases, askCases, v3Cases, workflowCases, frameCases} {
		all = append(all, table...)
	}
	for _, m := range kiro.Dialect().Methods {
		name := m.Spec().Name
		all = append(all, dialecttest.Case{Name: name + " with a list", Method: name, Params: `[]`, Refused: "params"})
	}
	return all
}

var (
	s1        = dialect.Link{SessionID: "S"}
	connected = dialect.Link{Connection: true}
)

func found(link dialect.Link, events ...dialect.Event) []dialect.Finding {
	var out []dialect.Finding
	for _, e := range events {
		out = append(out, dialect.Finding{Link: link, Event: e})
	}
	return out
}

func other(link dialect.Link, value any) []dialect.Finding {
	return found(link, dialect.Other{Value: value})
}

func notice(link dialect.Link, kind dialect.NoticeKind, message string) []dialect.Finding {
	return found(link, dialect.Notice{Kind: kind, Message: message})
}

func number(v float64) dialect.Number { return dialect.Number{Value: v, Valid: true} }

func text(s string) json.RawMessage { return json.RawMessage(s) }

// A host that logs a result must not log the token with it.
func TestCredentialsPrintAsPlaceholders(t *testing.T) {
	const secret = "hunter2"
	value := kiro.Credential(secret)
	for _, v := range []any{
		kiro.AccessToken{AccessToken: secret}, &kiro.AccessToken{AccessToken: secret},
		kiro.SecretStore{Key: "k", Value: secret}, value,
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, secret) {
				t.Errorf("%s of a %T shows the secret: %s", verb, v, got)
			}
		}
	}
	raw, err := json.Marshal(kiro.SecretValue{Value: &value})
	if want := `{"value":"hunter2"}`; string(raw) != want || err != nil {
		t.Errorf("marshalled as %s (error %v), want %s", raw, err, want)
	}
}

// Only methods whose params or result hold a credential are secret, and all of those.
func TestSecretMethods(t *testing.T) {
	var got []string
	for _, m := range kiro.Dialect().Methods {
		if s := m.Spec(); s.Secret {
			got = append(got, s.Name)
		}
	}
	if diff := cmp.Diff([]string{"_kiro/auth/getAccessToken", "_kiro/secret/get", "_kiro/secret/store"}, got); diff != "" {
		t.Errorf("secret methods (-want +got):\n%s", diff)
	}
}

// An empty file has a content, an empty directory has entries, and a file of
// size 0 has a size: without them the agent takes the reply for a broken one.
func TestEmptyFileResultsAreComplete(t *testing.T) {
	empty, zero := "", int64(0)
	for want, result := range map[string]any{
		`{"content":""}`:           kiro.FileContent{Content: &empty},
		`{"entries":[]}`:           kiro.Directory{Entries: []kiro.DirectoryEntry{}},
		`{"type":"file","size":0}`: kiro.FileStat{Type: "file", Size: &zero},
		`{}`:                       kiro.Done{},
	} {
		if got, err := json.Marshal(result); string(got) != want || err != nil {
			t.Errorf("%T is %s (error %v), want %s", result, got, err, want)
		}
	}
}

func TestQuestionIsAdvertisedToHostsThatAnswer(t *testing.T) {
	want := dialect.Capabilities{"_meta": map[string]any{"kiro": map[string]any{"userInput": true}}}
	if diff := cmp.Diff(want, kiro.Dialect().Advertise(true)); diff != "" {
		t.Errorf("with asks (-want +got):\n%s", diff)
	}
	if got := kiro.Dialect().Advertise(false); got != nil {
		t.Errorf("without asks %v, want nothing", got)
	}
}

// What others answered is shown as what was picked, where it can be.
func TestUserInputAnswersAreExplained(t *testing.T) {
	m, ok := registry.Default().Lookup("_kiro/userInput")
	if !ok {
		t.Fatal("no method _kiro/userInput")
	}
	p, err := m.Decode(text(`{"question":"Q","options":[{"title":"Plain"},{"title":"Full","subOptions":[{"title":"a"},{"title":"b"},{"title":"c"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]dialect.Pick{
		"Plain":        {Options: []string{"Plain"}},
		"Full":         {Options: []string{"Full"}},
		"Full [a, c]":  {Options: []string{"Full", "Full/a", "Full/c"}},
		"Full [c, a]":  {Text: "Full [c, a]"},
		"Full [d]":     {Text: "Full [d]"},
		"Plain [a]":    {Text: "Plain [a]"},
		"neither, nor": {Text: "neither, nor"},
	} {
		raw, err := json.Marshal(kiro.UserInputResult{Action: "answered", Answer: answer})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := m.Explain(p, raw)
		if diff := cmp.Diff(dialect.Answer{Outcome: dialect.OutcomeAccepted, Picks: map[string]dialect.Pick{"answer": want}}, got); diff != "" || !ok {
			t.Errorf("%q, explained %v (-want +got):\n%s", answer, ok, diff)
		}
	}
}
