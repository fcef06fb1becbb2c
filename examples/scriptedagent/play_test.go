package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A conversation is what a client and the agent write, in order.
type conversation struct {
	name   string
	script []string
	talk   []string // "> " the client writes, "< " the agent writes
	stderr string
	exit   int
}

const (
	initialize = `> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`
	newSession = `> {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/project","mcpServers":[]}}`
	opened     = `< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}`
	prompt     = `> {"jsonrpc":"2.0","id":"p<1>","method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"a \"b\""}]}}`
	ended      = `< {"jsonrpc":"2.0","id":"p<1>","result":{"stopReason":"end_turn"}}`
	onPrompt   = `{"on":"session/prompt"}`
)

var conversations = []conversation{{
	name: "an empty script answers by default",
	talk: []string{
		initialize,
		`< {"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"scriptedagent","version":"1.0.0"},"authMethods":[],"protocolVersion":1}}`,
		newSession, opened, prompt, ended,
		`> {"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/project"}}`,
		`< {"jsonrpc":"2.0","id":3,"result":{"sessionId":"s2"}}`,
		`> {"jsonrpc":"2.0","id":4,"method":"session/load","params":{"sessionId":"old","cwd":"/project"}}`,
		`< {"jsonrpc":"2.0","id":4,"result":{}}`,
		`> {"jsonrpc":"2.0","id":5,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"agent"}}`,
		`< {"jsonrpc":"2.0","id":5,"result":{}}`,
		`> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`,
		`> {"jsonrpc":"2.0","id":null,"method":"acme/x"}`,
		`< {"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found: acme/x"}}`,
	},
}, {
	name:   "the script names the agent and the sessions",
	script: []string{`{"agent":{"name":"acme","version":"2","capabilities":{},"sessions":["one"]}}`},
	talk: []string{
		initialize,
		`< {"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{},"agentInfo":{"name":"acme","version":"2"},"authMethods":[],"protocolVersion":1}}`,
		newSession, `< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"one"}}`,
		newSession, `< {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s2"}}`,
	},
}, {
	name: "the groups of a method are played in turn and the last again",
	script: []string{
		onPrompt, `{"say":"first"}`,
		onPrompt, `{"say":"${params.prompt.0.text}"}`,
		`{"on":"session/new"}`, `{"result":{"sessionId":"s1"}}`, `{"on":"session/new"}`, `{"error":{"code":-32000,"message":"full"}}`,
		`{"on":"acme/hi"}`, `{"say":"hi"}`,
	},
	talk: []string{
		newSession, opened, newSession, `< {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"full"}}`,
		prompt, chunk("first"), ended, prompt, chunk(`a \"b\"`), ended, prompt, chunk(`a \"b\"`), ended,
		`> {"jsonrpc":"2.0","method":"acme/hi","params":{"sessionId":"s9"}}`, strings.Replace(chunk("hi"), "s1", "s9", 1),
	},
}, {
	name: "steps before the first group are played at the start",
	script: []string{
		`# a banner`, `{"raw":"Loaded ${env:SCRIPTEDAGENT_TEST_WORD}"}`, ``, `{"raw":""}`,
		`{"wait":"initialize"}`, `{"raw":"{not json"}`, `{"result":{"protocolVersion":1},"to":"initialize"}`,
	},
	talk: []string{`< Loaded hello`, `< `, initialize, `< {not json`, `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`},
}, {
	name: "frames keep their bytes",
	script: []string{onPrompt,
		`{"send":{"big": 9007199254740993, "html":"<b>&", "esc":"\u00e9\n", "nul":null, "dollar":"$${x}", "id":"${id}", "mid":"_${id}_", "${fill:2}":"${i}"}}`},
	talk: []string{newSession, opened, prompt,
		`< {"big": 9007199254740993, "html":"<b>&", "esc":"\u00e9\n", "nul":null, "dollar":"${x}", "id":"p<1>", "mid":"_p<1>_", "xx":0}`, ended},
}, {
	name: "repetitions, chunks and ends",
	script: []string{onPrompt,
		`{"say":"${i}","repeat":2}`, `{"notify":"acme/n${i%2}","repeat":3}`,
		`{"raw":"one\ntwo ${rep:2:ab}","chunk":1}`, `{"hex":"61 62 0a"}`, `{"raw":"tail","end":"\r\n"}`},
	talk: []string{newSession, opened, prompt, chunk("0"), chunk("1"),
		`< {"jsonrpc":"2.0","method":"acme/n0"}`, `< {"jsonrpc":"2.0","method":"acme/n1"}`, `< {"jsonrpc":"2.0","method":"acme/n0"}`,
		"< one", "< two abab", "< ab", "< tail\r", ended},
}, {
	name: "answers are awaited and their fields used",
	script: []string{onPrompt,
		`{"request":"terminal/create","params":{"sessionId":"${session}","command":"ls","cwd":"${cwd}"}}`,
		`{"request":"acme/b","id":"b"}`, `{"request":"acme/b","id":"b"}`, `{"request":"acme/c","id":null}`,
		`{"await":["b",0]}`, `{"call":"terminal/output","params":{"terminalId":"${result.terminalId}","b":"${result:b.n}","none":"${result.x.y}"}}`,
		`{"await":[]}`, `{"say":"${error:null.code} ${result:b} ${result:b.x|none}"}`},
	talk: []string{newSession, opened, prompt,
		`< {"jsonrpc":"2.0","id":0,"method":"terminal/create","params":{"sessionId":"s1","command":"ls","cwd":"/project"}}`,
		`< {"jsonrpc":"2.0","id":"b","method":"acme/b"}`, `< {"jsonrpc":"2.0","id":"b","method":"acme/b"}`,
		`< {"jsonrpc":"2.0","id":null,"method":"acme/c"}`,
		`> {"jsonrpc":"2.0","id":0,"result":{"terminalId":"t1"}}`, `> {"jsonrpc":"2.0","id":"b","result":{"n":[1]}}`,
		`< {"jsonrpc":"2.0","id":1,"method":"terminal/output","params":{"terminalId":"t1","b":[1],"none":null}}`,
		`> {"jsonrpc":"2.0","id":1,"result":{}}`,
		`> {"jsonrpc":"2.0","id":null,"error":{"code":-7}}`, `> {"jsonrpc":"2.0","id":"b","result":{"n":2}}`,
		chunk(`-7 {\"n\":2} none`), ended},
}, {
	name:   "the agent uses the id of the client's prompt for a request of its own",
	script: []string{onPrompt, `{"call":"acme/x","id":"${id}"}`, `{"say":"still running"}`},
	talk: []string{newSession, opened, prompt, `< {"jsonrpc":"2.0","id":"p<1>","method":"acme/x"}`,
		`> {"jsonrpc":"2.0","id":"p<1>","result":null}`, chunk("still running"), ended},
}, {
	name: "an abandoned prompt is answered late",
	script: []string{onPrompt, `{"wait":"session/cancel"}`, `{"wait":"session/prompt"}`,
		`{"result":{"stopReason":"cancelled"},"to":"session/prompt#1"}`, `{"say":"two"}`},
	talk: []string{newSession, opened, prompt, `> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`,
		strings.Replace(prompt, "p<1>", "second", 1), `< {"jsonrpc":"2.0","id":"p<1>","result":{"stopReason":"cancelled"}}`,
		chunk("two"), strings.Replace(ended, "p<1>", "second", 1)},
}, {
	name:   "other calls are answered while a turn waits",
	script: []string{onPrompt, `{"call":"acme/x"}`},
	talk: []string{newSession, opened, prompt, `< {"jsonrpc":"2.0","id":0,"method":"acme/x"}`,
		`> {"jsonrpc":"2.0","id":8,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"m"}}`,
		`< {"jsonrpc":"2.0","id":8,"result":{}}`,
		`> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"another"}}`,
		`> {"jsonrpc":"2.0","id":0,"result":{}}`, ended},
}, {
	name:   "a prompt that waits is cancelled before it is played",
	script: []string{onPrompt, `{"call":"acme/x"}`},
	talk: []string{newSession, opened, prompt, `< {"jsonrpc":"2.0","id":0,"method":"acme/x"}`,
		`> {"jsonrpc":"2.0","id":"q","method":"session/prompt","params":{"sessionId":"s2"}}`,
		`> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s2"}}`,
		`> {"jsonrpc":"2.0","id":0,"result":{}}`, ended, `< {"jsonrpc":"2.0","id":"q","result":{"stopReason":"cancelled"}}`},
}, {
	name:   "a script that names session/cancel may ignore it",
	script: []string{`{"on":"session/cancel"}`, onPrompt, `{"call":"acme/x"}`, `{"say":"no"}`},
	talk: []string{newSession, opened, prompt, `< {"jsonrpc":"2.0","id":0,"method":"acme/x"}`,
		`> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`, `> {"jsonrpc":"2.0","id":0,"result":{}}`,
		chunk("no"), ended},
}, {
	name:   "what the client should not write is told on stderr",
	script: []string{onPrompt},
	talk:   []string{newSession, opened, `> rubbish`, `> {"jsonrpc":"2.0","id":77,"result":{}}`, prompt, ended},
	stderr: "scriptedagent: the client wrote a line that is no JSON-RPC message: \"rubbish\"\n" +
		"scriptedagent: the client answered 77, and no request with that id is open\n",
}, {
	name:   "silence leaves a request open for a later turn",
	script: []string{onPrompt, `{"silent":true}`, onPrompt, `{"result":{"late":true},"to":"session/prompt#1"}`},
	talk: []string{newSession, opened, prompt, strings.Replace(prompt, "p<1>", "second", 1),
		`< {"jsonrpc":"2.0","id":"p<1>","result":{"late":true}}`, strings.Replace(ended, "p<1>", "second", 1)},
}, {
	name:   "the last words have no newline and the agent exits",
	script: []string{onPrompt, `{"stderr":"fatal: ${session}"}`, `{"result":{"stopReason":"end_turn"},"end":""}`, `{"exit":3}`},
	talk:   []string{newSession, opened, prompt, ended},
	stderr: "fatal: s1\n",
	exit:   3,
}, {
	name:   "stdout is closed and the agent lives on",
	script: []string{onPrompt, `{"close":"stdout"}`, `{"say":"into the void"}`, `{"wait":"acme/bye"}`, `{"stderr":"bye"}`, `{"exit":4}`},
	talk:   []string{newSession, opened, prompt, `> {"jsonrpc":"2.0","method":"acme/bye"}`},
	stderr: "bye\n",
	exit:   4,
}, {
	name:   "the agent is killed",
	script: []string{onPrompt, `{"say":"working"}`, `{"kill":true}`, `{"say":"never"}`},
	talk:   []string{newSession, opened, prompt, chunk("working")},
	exit:   -1,
}}

func chunk(text string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":`+
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}`, text)
}

func TestConversations(t *testing.T) {
	for _, test := range conversations {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := play(t, test.script...)
			var want, got []string
			for i, line := range test.talk {
				if text, ok := strings.CutPrefix(line, "> "); ok {
					c.write(text)
					continue
				}
				want = append(want, line[2:])
				if i == len(test.talk)-1 && test.exit != 0 {
					break // the rest is read to the end, for it may lack its newline
				}
				got = append(got, c.read())
			}
			rest := c.end(test.exit)
			if rest != "" {
				got = append(got, strings.TrimSuffix(rest, "\n"))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the agent's lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stderr, c.stderr.String()); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
}
