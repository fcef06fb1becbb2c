package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/acpdialects/acpdialects/client"
)

// Whatever the params of a session/update are: nothing panics, the SDK's types
// included, and what has a session and an update comes out once, with that
// session, that kind and those bytes.
func FuzzSessionUpdate(f *testing.F) {
	for _, params := range []string{
		`{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}`,
		`{"sessionId":"s\n","update":{"sessionUpdate":"tool_call","toolCallId":"t","status":7,"content":[null,{"type":"diff"}],"locations":[]},"_meta":{}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"a"},null]}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"subagent_update","sessionId":"c","state":{"state":"idle"}}}`,
		`{"update":{"sessionUpdate":"a"},"sessionId":"a","sessionId":"b","update":{"b":1}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":"1","size":2.5}}`, `[]`, `null`, `{"sessionId":7}`,
	} {
		f.Add([]byte(params))
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		if bytes.ContainsAny(params, "\n") || !json.Valid(params) {
			return // such is no frame, which is another fuzz target's business
		}
		var got []client.Update
		replay := client.NewReplay(&client.Options{Registry: acme(), OnUpdate: func(_ context.Context, u client.Update) { got = append(got, u) }})
		replay.In([]byte(`{"jsonrpc":"2.0","method":"session/update","params":` + string(params) + `}`))
		replay.Close()

		var members, update map[string]json.RawMessage
		json.Unmarshal(params, &members)
		json.Unmarshal(members["update"], &update)
		session, named := text(members["sessionId"])
		if !named || update == nil {
			if len(got) > 0 {
				t.Fatalf("%s became %+v", params, got[0])
			}
			return
		}
		if len(got) != 1 {
			t.Fatalf("%s came out %d times", params, len(got))
		}
		u := got[0]
		kind, _ := text(update["sessionUpdate"])
		if clean(u.SessionID) != session || clean(u.Kind) != kind || !bytes.Equal(u.Raw, members["update"]) || !bytes.Equal(bytes.TrimSpace(params), u.Params) {
			t.Fatalf("%s came out as session %q, kind %q, %s", params, u.SessionID, u.Kind, u.Raw)
		}
		typed, err := u.Typed()
		if clean(string(typed.SessionId)) != session {
			t.Fatalf("%s is typed with session %q, error %v", params, typed.SessionId, err)
		}
	})
}

func text(raw json.RawMessage) (s string, ok bool) {
	ok = len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// clean is what encoding/json makes of bytes that are no text.
func clean(s string) string { return string([]rune(s)) }
