package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadScriptEndsTheProcess(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a bad line":     {[]string{scriptFile(t, "# x\n{\"sya\":1}\n")}, "script.jsonl:2: names no step; "},
		"a missing file": {[]string{missing}, "cannot read the script: open " + missing + ": "},
		"a directory":    {[]string{t.TempDir()}, "cannot read the script "},
		"two arguments":  {[]string{"a", "b"}, "want at most one argument, a script file, not 2; usage: scriptedagent [FILE]"},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, test.args...)
			if out := c.end(2); out != "" {
				t.Errorf("the agent wrote %q", out)
			}
			stderr := c.stderr.String()
			if !strings.HasPrefix(stderr, "scriptedagent: ") || !strings.Contains(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("stderr is %q, want one line with %q", stderr, test.want)
			}
		})
	}
}

// A mistake that shows only when the line is played is named like any other.
func TestBadStepEndsTheProcess(t *testing.T) {
	for name, test := range map[string]struct {
		script []string
		want   string
	}{
		"no such message":      {[]string{onPrompt, `{"raw":"${id:acme/x}"}`}, "2: ${id:acme/x}: the client has sent 0 acme/x up to here"},
		"no second message":    {[]string{onPrompt, `{"raw":"${params:session/prompt#2.a}"}`}, "2: ${params:session/prompt#2.a}: the client has sent 1 session/prompt up to here"},
		"no message at all":    {[]string{`{"result":{}}`}, "1: ${id}: no message of the client is played here; name a method"},
		"a notification's id":  {[]string{`{"on":"acme/note"}`, `{"result":{}}`}, "2: ${id}: the client's acme/note is a notification and has no id"},
		"no session":           {[]string{`{"say":"early"}`, onPrompt, `{"on":"session/new"}`}, "1: ${session}: no session is open here"},
		"no directory":         {[]string{`{"raw":"${cwd}"}`, `{"on":"session/new"}`}, "1: ${cwd}: no session is open here"},
		"no variable":          {[]string{`{"raw":"${env:SCRIPTEDAGENT_TEST_NONE}"}`}, "1: ${env:SCRIPTEDAGENT_TEST_NONE}: the environment has no SCRIPTEDAGENT_TEST_NONE"},
		"a request never made": {[]string{onPrompt, `{"await":[5]}`}, "2: no request with the id 5 is open"},
	} {
		t.Run(name, func(t *testing.T) {
			c := play(t, test.script...)
			// The agent may be gone before it has read all of this.
			fmt.Fprintln(c.in, strings.Join([]string{
				newSession[2:], `{"jsonrpc":"2.0","method":"acme/note"}`, prompt[2:]}, "\n"))
			c.end(2)
			if stderr := c.stderr.String(); !strings.HasSuffix(stderr, "script.jsonl:"+test.want+"\n") {
				t.Errorf("stderr is %q, want %q", stderr, test.want)
			}
		})
	}
}

func TestAnswerIsAwaitedOnce(t *testing.T) {
	c := play(t, onPrompt, `{"call":"acme/x","id":"a"}`, `{"await":["a"]}`)
	c.open()
	c.prompt("s1", "go")
	c.read()
	c.write(`{"jsonrpc":"2.0","id":"a","result":{}}`)
	c.end(2)
	if got, want := c.stderr.String(), `script.jsonl:3: no request with the id "a" is open`+"\n"; !strings.HasSuffix(got, want) {
		t.Errorf("stderr is %q, want %q", got, want)
	}
}

func TestEOFEndsTheAgent(t *testing.T) {
	for name, test := range map[string]struct{ step, wrote string }{
		"while it waits for an answer":   {`{"call":"acme/x"}`, `"method":"acme/x"`},
		"while it waits for all answers": {`{"request":"acme/x"}` + "\n" + `{"await":[]}`, `"method":"acme/x"`},
		"while it waits for a cancel":    {`{"wait":"session/cancel"}`, ""},
		"while it pauses":                {`{"pause":60000}` + "\n" + `{"say":"up"}` + "\n" + `{"wait":"x"}`, `"text":"up"`},
		"between the turns":              {`{"silent":true}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := play(t, onPrompt, test.step, onPrompt)
			c.open()
			c.prompt("s1", "go")
			out := c.end(0)
			if !strings.Contains(out, test.wrote) || strings.Contains(out, "stopReason") {
				t.Errorf("the agent wrote %q, want %q and no answer to the prompt", out, test.wrote)
			}
		})
	}
}

func TestWhatCameBeforeEOFIsPlayed(t *testing.T) {
	c := play(t, onPrompt, `{"say":"${i}","repeat":1000}`)
	c.open()
	c.prompt("s1", "go")
	out := c.end(0)
	if got := strings.Count(out, "\n"); got != 1001 || !strings.HasSuffix(out, `"result":{"stopReason":"end_turn"}}`+"\n") {
		t.Errorf("the agent wrote %d lines, want 1000 and the answer", got)
	}
}

func TestAgentThatIgnoresEOFMustBeKilled(t *testing.T) {
	c := play(t, onPrompt, `{"ignore":"eof"}`, `{"wait":"acme/bye"}`)
	c.open()
	c.prompt("s1", "go")
	c.in.Close()
	// In the time of a whole other run it would have ended by itself.
	other := play(t)
	other.open()
	other.end(0)
	c.cmd.Process.Kill()
	c.end(-1)
}

func TestAgentEndsWhenNobodyReads(t *testing.T) {
	c := play(t, onPrompt, `{"send":{"x":"${fill:1000}"},"repeat":1000000}`)
	c.open()
	c.prompt("s1", "go")
	c.read()
	c.stdout.Close()
	c.cmd.Wait()
	if got := c.cmd.ProcessState.ExitCode(); got != 0 || c.stderr.Len() > 0 {
		t.Errorf("the agent ended with %v; stderr:\n%s", c.cmd.ProcessState, c.stderr.String())
	}
}

func TestCancelEndsARepetition(t *testing.T) {
	c := play(t, onPrompt, `{"say":"${i}","repeat":1000000000}`)
	c.open()
	c.prompt("s1", "go")
	c.read()
	c.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
	for line := c.read(); strings.Contains(line, "session/update"); line = c.read() {
	}
	c.end(0)
}

// Both sides write more than the pipes hold.
func TestManyRequestsAreAnswered(t *testing.T) {
	const n = 5_000
	c := play(t, onPrompt,
		fmt.Sprintf(`{"send":{"jsonrpc":"2.0","id":"x${i}","method":"acme/x","params":{"text":"${fill:256}"}},"repeat":%d}`, n),
		`{"await":[]}`)
	c.open()
	c.prompt("s1", "go")
	for i := range n {
		c.read()
		c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"x%d","result":{}}`, i))
	}
	if got, want := c.read(), `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c.end(0)
	if c.stderr.Len() > 0 {
		t.Errorf("stderr: %s", c.stderr.String())
	}
}
