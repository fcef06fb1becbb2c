package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const onPrompt = `{"on":"session/prompt"}`

// permission asks for it, with the options of a test.
func permission(options string) string {
	return `{"call":"session/request_permission","params":{"sessionId":"${session}","toolCall":{"toolCallId":"t1","title":"Edit"},"options":` + options + `}}`
}

func TestPermissionPolicies(t *testing.T) {
	const (
		usual = `[{"optionId":"o1","name":"Once","kind":"allow_once"},{"optionId":"o2","name":"For ever","kind":"allow_persistent"},
			{"optionId":"o3","name":"No","kind":"reject_once"},{"optionId":"o4","name":"?"}]`
		odd      = `[{"optionId":"o2","name":"For ever","kind":"allow_persistent"},{"optionId":"o3","name":"No","kind":"reject_always"}]`
		question = `[{"optionId":"a","name":"Blue","kind":"allow_once"},{"optionId":"b","name":"Green","kind":"allow_once"}]`
	)
	for name, test := range map[string]struct {
		policy, options, chosen string
	}{
		"allow takes allow_once":             {"allow", usual, "o1"},
		"reject takes a reject option":       {"reject", usual, "o3"},
		"reject is the default":              {"", usual, "o3"},
		"cancel":                             {"cancel", usual, ""},
		"an unknown kind is no allow":        {"allow", odd, "o3"},
		"a question is not answered":         {"allow", question, ""},
		"nothing to reject with is a cancel": {"reject", question, ""},
	} {
		t.Run(name, func(t *testing.T) {
			capture := filepath.Join(t.TempDir(), "c.jsonl")
			args := []string{"run", "--json", "--record", capture, "--prompt", "hi"}
			if test.policy != "" {
				args = append(args, "--permission", test.policy)
			}
			r := run(t, append(args, script(t, onPrompt, permission(oneLine(test.options)))...)...)
			shown := find(t, r.lines(t), line{"type": "permission", "sessionId": "s1", "toolCallId": "t1"})
			chosen, _ := shown["chosen"].(string)
			if chosen != test.chosen {
				t.Errorf("chosen is %q, want %q", chosen, test.chosen)
			}
			want := line{"outcome": line{"outcome": "selected", "optionId": test.chosen}}
			if test.chosen == "" {
				want = line{"outcome": line{"outcome": "cancelled"}}
			}
			if diff := cmp.Diff(any(want), plain(answerTo(t, capture, "session/request_permission")["result"])); diff != "" {
				t.Errorf("on the wire, -want +got:\n%s", diff)
			}
		})
	}
}

const (
	question = `{"call":"cursor/ask_question","params":{"toolCallId":"q","title":"T","questions":[{"id":"i","prompt":"P","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}]}}`
	plan     = `{"call":"cursor/create_plan","params":{"toolCallId":"p","name":"N","plan":"# N"}}`
)

func TestAnswersFromAFile(t *testing.T) {
	for name, test := range map[string]struct {
		answers string
		want    []string // what the asks end with: answer or reason
	}{
		"each entry answers one ask, by its method": {
			`[{"method":"cursor/create_plan","outcome":"rejected","feedback":"smaller"},
			  {"method":"cursor/ask_question","outcome":"accepted","picks":{"i":{"options":["b"]}}}]`,
			[]string{`{"answer":{"outcome":"accepted","picks":{"i":{"options":["b"]}}}}`, `{"answer":{"outcome":"rejected","feedback":"smaller"}}`},
		},
		"no method fits any": {
			`[{"outcome":"skipped"},{"outcome":"accepted"}]`,
			[]string{`{"answer":{"outcome":"skipped"}}`, `{"answer":{"outcome":"accepted"}}`},
		},
		"none left declines": {
			`[{"picks":{"i":{"options":["a"]}}}]`,
			[]string{`{"answer":{"outcome":"accepted","picks":{"i":{"options":["a"]}}}}`, `{"reason":"no_handler"}`},
		},
		"what was not offered is refused": {
			`[{"method":"cursor/ask_question","outcome":"accepted","picks":{"i":{"options":["c"]}}},{"outcome":"skipped"}]`,
			[]string{`{"reason":"refused"}`, `{"reason":"refused"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"run", "--json", "--prompt", "hi", "--ask", file(t, test.answers)}
			r := run(t, append(args, script(t, onPrompt, question, plan)...)...)
			if r.code != 0 {
				t.Fatalf("exit code %d: %s", r.code, r.stderr)
			}
			if refused := strings.Contains(strings.Join(test.want, ""), "refused"); refused != strings.Contains(r.stderr, "was not offered") {
				t.Errorf("refused %v, stderr %q", refused, r.stderr)
			}
			asks := of(r.lines(t), "ask")
			if len(asks) != len(test.want) {
				t.Fatalf("there are %d asks: %v", len(asks), asks)
			}
			for i, want := range test.want {
				got := line{}
				for _, name := range []string{"answer", "reason"} {
					if asks[i][name] != nil {
						got[name] = asks[i][name]
					}
				}
				if diff := cmp.Diff(parse[line](t, want), got); diff != "" {
					t.Errorf("ask %d, -want +got:\n%s", i, diff)
				}
			}
		})
	}
}

func oneLine(json string) string {
	var out []byte
	for _, c := range []byte(json) {
		if c != '\n' && c != '\t' {
			out = append(out, c)
		}
	}
	return string(out)
}

// plain makes a line of every object.
func plain(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := line{}
	for name, member := range m {
		out[name] = plain(member)
	}
	return out
}
