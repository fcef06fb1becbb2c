package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// badLines are lines that are refused, with the reason that is given.
var badLines = []struct{ line, want string }{
	{`{"say":"x"`, `not JSON: unexpected end of JSON input`},
	{`{"say":"x"} {"say":"y"}`, `not JSON: invalid character '{' after top-level value`},
	{`hello`, `not JSON: invalid character 'h' looking for beginning of value`},
	{`["say"]`, `not a JSON object`},
	{`null`, `not a JSON object`},
	{`{"say":"x","say":"y"}`, `the key "say" comes twice`},
	{`{"say":"x","exit":0}`, `two steps on one line, "exit" and "say"; give each a line of its own`},
	{`{"jsonrpc":"2.0","method":"acme/x"}`, `names no step; want one of agent, await, call, close, error, exit, hex, ` +
		`ignore, kill, notify, on, pause, raw, request, result, say, send, silent, stderr, update, wait; a whole frame goes into "send"`},
	{`{"wait":"x","repeat":2}`, `"repeat" does not go with "wait", which takes nothing beside it`},
	{`{"call":"x","to":"y"}`, `"to" does not go with "call", which takes params, id beside it`},
	{`{"agent":{"nam":"x"}}`, `"agent" takes name, version, capabilities and sessions: json: unknown field "nam"`},
	{`{"agent":{"name":7}}`, `"agent" takes name, version, capabilities and sessions: json: cannot unmarshal number into Go struct field agent.name of type string`},
	{`{"agent":[]}`, `"agent": not a JSON object`},
	{`{"on":7}`, `"on" takes a text that is not empty, not 7`},
	{`{"wait":""}`, `"wait" takes a text that is not empty, not ""`},
	{`{"request":null}`, `"request" takes a text that is not empty, not null`},
	{`{"call":{}}`, `"call" takes a text that is not empty, not {}`},
	{`{"notify":1}`, `"notify" takes a text that is not empty, not 1`},
	{`{"result":1,"to":2}`, `"to" takes a text that is not empty, not 2`},
	{`{"result":1,"to":"x#0"}`, `${id:x#0}: "x#0": want METHOD, or METHOD#1 for the first, METHOD#2 for the second`},
	{`{"say":null}`, `"say" takes a text, not null`},
	{`{"raw":["a"]}`, `"raw" takes a text, not ["a"]`},
	{`{"stderr":{"a":"0123456789012345678901234567890123456789"}}`, `"stderr" takes a text, not {"a":"0123456789012345678901234567890123...`},
	{`{"hex":"6"}`, `"hex" takes pairs of hexadecimal digits: encoding/hex: odd length hex string`},
	{`{"hex":""}`, `"hex" takes a text that is not empty, not ""`},
	{`{"send":{},"repeat":0}`, `"repeat" takes a whole number from 1 to 1000000000, not 0`},
	{`{"send":{},"chunk":1.5}`, `"chunk" takes a whole number from 1 to 1073741824, not 1.5`},
	{`{"send":{},"end":null}`, `"end" takes a text, not null`},
	{`{"pause":-1}`, `"pause" takes a whole number from 0 to 60000, not -1`},
	{`{"exit":256}`, `"exit" takes a whole number from 0 to 255, not 256`},
	{`{"await":"0"}`, `"await" takes a list of request ids, not "0"; [] is every request that is open`},
	{`{"silent":false}`, `"silent" takes true, not false`},
	{`{"kill":1}`, `"kill" takes true, not 1`},
	{`{"ignore":"int"}`, `"ignore" takes "eof", not "int"`},
	{`{"close":"stdin"}`, `"close" takes "stdout", not "stdin"`},
	{`{"say":"a ${session"}`, `a placeholder without its closing brace: ${session; write $${ for a plain ${`},
	{`{"send":{"a":"${sesion}"}}`, `unknown placeholder ${sesion}; want session, cwd, id, next, params, result, error, i, fill, rep or env, or $${ for a plain ${`},
	{`{"raw":"${i%0}"}`, `${i%0}: want a whole number from 1 after i%`},
	{`{"raw":"${fill:-1}"}`, `${fill:-1}: want fill:N or rep:N:TEXT with at most 268435456 bytes in all`},
	{`{"raw":"${rep:200000000:ab}"}`, `${rep:200000000:ab}: want fill:N or rep:N:TEXT with at most 268435456 bytes in all`},
	{`{"await":["${id:x#y}"]}`, `${id:x#y}: "x#y": want METHOD, or METHOD#1 for the first, METHOD#2 for the second`},
}

func TestBadLineIsNamed(t *testing.T) {
	for _, test := range badLines {
		text := "# a script\n{\"agent\":{\"name\":\"acme\"}}\n\n" + test.line + "\n{\"also\":\"bad\"}\n"
		if strings.HasPrefix(test.line, `{"agent"`) {
			text = strings.Replace(text, `{"agent":{"name":"acme"}}`, `{"say":"x"}`, 1)
		}
		s, err := parseScript("x.jsonl", strings.NewReader(text))
		if err == nil {
			t.Errorf("%s was taken: %v", test.line, s)
			continue
		}
		if diff := cmp.Diff("x.jsonl:4: "+test.want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}

func TestScriptNamesOneAgent(t *testing.T) {
	_, err := parseScript("x.jsonl", strings.NewReader("{\"agent\":{}}\n{\"agent\":{}}"))
	if want := `x.jsonl:2: a second "agent" line; one script is one agent`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestScriptMayHaveABOMAndCRLF(t *testing.T) {
	s, err := parseScript("x.jsonl", strings.NewReader("\ufeff{\"agent\":{\"name\":\"acme\"}}\r\n\r\n{\"on\":\"x\"}\r\n{\"say\":\"y\"}"))
	if err != nil {
		t.Fatal(err)
	}
	if s.agent.Name != "acme" || len(s.groups["x"]) != 1 || s.groups["x"][0].steps[0].line != 4 {
		t.Errorf("parsed as %+v", s)
	}
}

// docLines are the lines of the package comment that are steps.
func docLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "An example:")
	example, _, _ := strings.Cut(text2, "# Groups")
	var lines []string
	for line := range strings.Lines(example) {
		if step, ok := strings.CutPrefix(line, "//\t"); ok {
			lines = append(lines, strings.TrimSpace(step))
		}
	}
	return lines
}

func TestDocumentedExamplePlays(t *testing.T) {
	c := play(t, docLines(t)...)
	c.open()
	c.prompt("s1", "hello")
	got := c.readAll(3)
	c.write(`{"jsonrpc":"2.0","id":0,"result":{"confirmed":"yes"}}`)
	got = append(got, c.readAll(2)...)
	c.prompt("s1", "again")
	got = append(got, c.read())
	c.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
	got = append(got, c.read())
	want := []string{
		chunk("You said: hello")[2:],
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"Deploy","kind":"execute"}}}`,
		`{"jsonrpc":"2.0","id":0,"method":"acme/confirm","params":{"toolCallId":"t1","text":"Deploy now?"}}`,
		chunk("Confirmed: yes")[2:],
		`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`,
		chunk("Working. Please cancel.")[2:],
		`{"jsonrpc":"2.0","id":4,"result":{"stopReason":"cancelled"}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.end(0)
}

func FuzzScript(f *testing.F) {
	f.Add(string(tour))
	for _, test := range badLines {
		f.Add(test.line)
	}
	for _, test := range conversations {
		f.Add(strings.Join(test.script, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseScript("x.jsonl", strings.NewReader(text))
		if (s == nil) == (err == nil) {
			t.Fatalf("parsed as %v with the error %v", s, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x.jsonl:") {
			t.Errorf("the error names no line: %v", err)
		}
	})
}
