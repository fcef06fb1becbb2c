package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExitStatus(t *testing.T) {
	for name, test := range map[string]struct {
		steps []string
		flags []string
		code  int
	}{
		"every prompt answered":      {[]string{onPrompt, `{"say":"x"}`}, nil, 0},
		"max_tokens is an end":       {[]string{onPrompt, `{"result":{"stopReason":"max_tokens"}}`}, nil, 0},
		"refusal":                    {[]string{onPrompt, `{"result":{"stopReason":"refusal"}}`}, nil, 3},
		"one of several cancelled":   {[]string{onPrompt, `{"result":{"stopReason":"cancelled"}}`, onPrompt}, []string{"--prompt", "again"}, 3},
		"a prompt fails":             {[]string{onPrompt, `{"error":{"code":-32603,"message":"broken"}}`}, nil, 1},
		"fails after a refusal":      {[]string{onPrompt, `{"result":{"stopReason":"refusal"}}`, onPrompt, `{"exit":0}`}, []string{"--prompt", "again"}, 1},
		"exits in a turn":            {[]string{onPrompt, `{"stderr":"bad luck"}`, `{"exit":4}`}, nil, 1},
		"is killed in a turn":        {[]string{onPrompt, `{"kill":true}`}, nil, 1},
		"its end after that is its":  {[]string{onPrompt, `{"result":{"stopReason":"end_turn"}}`, `{"exit":5}`}, nil, 0},
		"session/new fails":          {[]string{`{"on":"session/new"}`, `{"error":{"code":-32000,"message":"sign in"}}`}, nil, 1},
		"load fails":                 {[]string{`{"on":"session/load"}`, `{"error":{"code":-32002,"message":"no such session"}}`}, []string{"--load", "s9"}, 1},
		"another protocol version":   {[]string{`{"on":"initialize"}`, `{"result":{"protocolVersion":7}}`}, nil, 1},
		"never ends its turn":        {[]string{onPrompt, `{"wait":"acme/never"}`}, []string{"--timeout", "300ms"}, 124},
		"never answers initialize":   {[]string{`{"on":"initialize"}`, `{"wait":"acme/never"}`}, []string{"--timeout", "300ms"}, 124},
		"too long after a refusal":   {[]string{onPrompt, `{"result":{"stopReason":"refusal"}}`, onPrompt, `{"wait":"acme/never"}`}, []string{"--prompt", "again", "--timeout", "300ms"}, 124},
		"a frame that is too large":  {[]string{onPrompt, `{"say":"${fill:5000}"}`}, []string{"--max-frame", "2000"}, 0},
		"noise is no failure at all": {[]string{onPrompt, `{"raw":"Hello!"}`, `{"raw":"[1,"}`}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"run", "--json", "--prompt", "hi"}, test.flags...)
			r := run(t, append(args, script(t, test.steps...)...)...)
			if r.code != test.code {
				t.Errorf("exit code %d, want %d; stderr %q", r.code, test.code, r.stderr)
			}
			lines := r.lines(t)
			failed := test.code == 1 || test.code == 124
			if got := len(of(lines, "error")); got > 0 != failed || (r.stderr != "") != failed {
				t.Errorf("%d error lines, stderr %q", got, r.stderr)
			}
			if last := lines[len(lines)-1]; last["type"] != "closed" || (last["exitCode"] == nil) == (last["signal"] == nil) {
				t.Errorf("the last line is %v, want closed with exitCode or signal", last)
			}
			if started, ended := len(of(lines, "turn_start")), len(of(lines, "turn_end")); started != ended {
				t.Errorf("%d turns began and %d ended", started, ended)
			}
		})
	}
}

// A recording that is not whole is a failure, and no more than that.
func TestLostRecording(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // there is no file that takes nothing
	}
	for reason, code := range map[string]int{"end_turn": 1, "refusal": 3} {
		args := []string{"run", "--json", "--prompt", "hi", "--record", "/dev/full"}
		r := run(t, append(args, script(t, onPrompt, `{"result":{"stopReason":"`+reason+`"}}`)...)...)
		if r.code != code || !strings.Contains(r.stderr, "the recording is not whole") {
			t.Errorf("%s: exit code %d, want %d; stderr %q", reason, r.code, code, r.stderr)
		}
		find(t, r.lines(t), line{"type": "turn_end", "stopReason": reason})
	}
}

func TestAgentThatEndsInATurnEndsTheTurn(t *testing.T) {
	r := run(t, append([]string{"run", "--json", "--prompt", "hi"}, script(t, onPrompt, `{"say":"x"}`, `{"stderr":"bad luck"}`, `{"exit":4}`)...)...)
	lines := r.lines(t)
	find(t, lines, line{"type": "update", "kind": "agent_message_chunk"})
	want := []line{{"type": "turn_end", "sessionId": "s1"}, {"type": "closed", "exitCode": 4.0}}
	if diff := cmp.Diff(want, of(lines, "turn_end", "closed")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	message := find(t, lines, line{"type": "error"})["message"].(string)
	for _, want := range []string{"status 4", "bad luck"} {
		if !strings.Contains(message, want) || !strings.Contains(r.stderr, want) {
			t.Errorf("the error %q does not say %q, or stderr %q", message, want, r.stderr)
		}
	}
}

func TestAgentThatCannotBeTalkedTo(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for name, test := range map[string]struct {
		agent []string
		says  []string
	}{
		"does not exist":          {[]string{missing}, []string{"cannot start", missing}},
		"is no program":           {[]string{t.TempDir()}, []string{"cannot start"}},
		"exits before the answer": {[]string{scripted, filepath.Join(t.TempDir(), "none.jsonl")}, []string{"no handshake", "status 2", "cannot read the script"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, append([]string{"run", "--json", "--prompt", "hi", "--"}, test.agent...)...)
			if r.code != 1 {
				t.Errorf("exit code %d, want 1", r.code)
			}
			message := find(t, r.lines(t), line{"type": "error"})["message"].(string)
			for _, want := range test.says {
				if !strings.Contains(message, want) || !strings.Contains(r.stderr, want) {
					t.Errorf("the error %q does not say %q, or stderr %q", message, want, r.stderr)
				}
			}
		})
	}
}

func TestWrongCallsAreUsageErrors(t *testing.T) {
	agent := []string{"--", scripted}
	dir := t.TempDir()
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no command":               {nil, "usage:"},
		"an unknown command":       {[]string{"walk"}, `no command "walk"`},
		"an unknown flag":          {append([]string{"run", "--fast"}, agent...), "--fast"},
		"no agent":                 {[]string{"run", "--prompt", "x"}, "no agent is named"},
		"no prompt, no terminal":   {append([]string{"run"}, agent...), "give --prompt"},
		"an unknown permission":    {append([]string{"run", "--prompt", "x", "--permission", "maybe"}, agent...), `not "maybe"`},
		"to ask, but nobody":       {append([]string{"run", "--prompt", "x", "--ask", "ask"}, agent...), "without a terminal"},
		"a file that is not there": {append([]string{"run", "--prompt", "x", "--ask", filepath.Join(dir, "none")}, agent...), "no such file"},
		"a file that is no list":   {append([]string{"run", "--prompt", "x", "--ask", file(t, "{}")}, agent...), "not a JSON list"},
		"a file that is null":      {append([]string{"run", "--prompt", "x", "--ask", file(t, "null")}, agent...), "it is null"},
		"more than one list":       {append([]string{"run", "--prompt", "x", "--ask", file(t, "[] []")}, agent...), "something follows the list"},
		"an unknown member in it":  {append([]string{"run", "--prompt", "x", "--ask", file(t, `[{"methd":"x"}]`)}, agent...), "methd"},
		"an unknown dialect":       {append([]string{"run", "--prompt", "x", "--dialects", "acme"}, agent...), "cursor"},
		"a bad timeout":            {append([]string{"run", "--prompt", "x", "--timeout", "soon"}, agent...), "soon"},
		"a negative timeout":       {append([]string{"run", "--prompt", "x", "--timeout", "-1s"}, agent...), "negative"},
		"no directory":             {append([]string{"run", "--prompt", "x", "--cwd", filepath.Join(dir, "none")}, agent...), "--cwd"},
		"no place to record":       {append([]string{"run", "--prompt", "x", "--record", filepath.Join(dir, "none", "c")}, agent...), "--record"},
		"stdin twice":              {append([]string{"run", "--prompt", "-", "--prompt", "-"}, agent...), "once"},
		"replay of nothing":        {[]string{"replay"}, "one capture"},
		"replay of no file":        {[]string{"replay", filepath.Join(dir, "none")}, "no such file"},
		"tap of nothing":           {[]string{"tap"}, "no agent is named"},
		"dialects with something":  {[]string{"dialects", "cursor"}, "no arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, test.args...)
			if r.code != 2 || r.stdout != "" || !strings.Contains(r.stderr, test.says) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want 2 and %q", r.code, r.stdout, r.stderr, test.says)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	if r := run(t, "--help"); r.code != 0 || !strings.Contains(r.stdout, "acptap replay") {
		t.Errorf("exit code %d, stdout %q", r.code, r.stdout)
	}
	if r := run(t, "run", "--help"); r.code != 0 || !strings.Contains(r.stdout, "--ask-timeout") {
		t.Errorf("exit code %d, stdout %q", r.code, r.stdout)
	}
}

func TestPromptsAreTurnsInTheirOrder(t *testing.T) {
	args := []string{"run", "--json", "--prompt", "one", "--prompt", "-", "--prompt", "three"}
	r := runWith(t, "from\nstdin\n", append(args, script(t, onPrompt, `{"say":"${params.prompt.0.text}"}`)...)...)
	var got []any
	for _, l := range of(r.lines(t), "turn_start", "update", "turn_end") {
		switch l["type"] {
		case "update":
			got = append(got, l["update"].(map[string]any)["content"].(map[string]any)["text"])
		case "turn_start":
			got = append(got, l["prompt"])
		default:
			got = append(got, l["stopReason"])
		}
	}
	want := []any{"one", "one", "end_turn", "from\nstdin", "from\nstdin", "end_turn", "three", "three", "end_turn"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLoadMarksWhatItReplays(t *testing.T) {
	args := []string{"run", "--json", "--load", "s9", "--prompt", "hi"}
	r := run(t, append(args, script(t,
		`{"on":"session/load"}`, `{"say":"old"}`, `{"result":{}}`,
		onPrompt, `{"say":"new"}`)...)...)
	var got []line
	for _, l := range of(r.lines(t), "session", "update") {
		got = append(got, line{"type": l["type"], "sessionId": l["sessionId"], "history": l["history"]})
	}
	want := []line{
		{"type": "update", "sessionId": "s9", "history": true},
		{"type": "session", "sessionId": "s9", "history": nil},
		{"type": "update", "sessionId": "s9", "history": nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFilesAreServedUnderTheDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte("inside"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--json", "--cwd", dir, "--prompt", "hi"}
	r := run(t, append(args, script(t, onPrompt,
		`{"call":"fs/read_text_file","params":{"sessionId":"${session}","path":"${cwd}/in.txt"}}`,
		`{"say":"${result.content}"}`,
		`{"call":"fs/read_text_file","params":{"sessionId":"${session}","path":"${cwd}/../x"}}`,
		`{"say":"${error.code|none}"}`)...)...)
	var got []any
	for _, l := range of(r.lines(t), "update") {
		got = append(got, l["update"].(map[string]any)["content"].(map[string]any)["text"])
	}
	if len(got) != 2 || got[0] != "inside" || got[1] == "none" {
		t.Errorf("the agent read %v, want the file inside, and an error for the one outside", got)
	}
}

func TestSecretsAreMaskedInTheRecording(t *testing.T) {
	capture := filepath.Join(t.TempDir(), "c.jsonl")
	args := []string{"run", "--json", "--record", capture, "--prompt", "hi"}
	r := run(t, append(args, script(t, onPrompt, `{"notify":"acme/signedIn","params":{"accessToken":"hunter2","user":"jo"}}`)...)...)
	text, err := os.ReadFile(capture)
	if err != nil || r.code != 0 {
		t.Fatal(err, r.code)
	}
	if strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), `"accessToken":"***","user":"jo"`) {
		t.Errorf("the capture is\n%s", text)
	}
}
