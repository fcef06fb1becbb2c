package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/acpdialects/acpdialects/dialect/rawjson"
	acp "github.com/coder/acp-go-sdk"
)

// A partialError says which members of a message the SDK's types refused.
type partialError struct {
	members []string
	err     error
}

func (e *partialError) Error() string {
	return fmt.Sprintf("client: the SDK's types refuse %q: %v", e.members, e.err)
}

func (e *partialError) Unwrap() error { return e.err }

// decodeTyped decodes into a type of the SDK as far as it goes. Those types
// refuse a message whole for one odd word or one null in a list; here the members
// they take are kept, and of a list the elements they take.
func decodeTyped[T any](raw json.RawMessage) (T, error) {
	var v T
	err := json.Unmarshal(raw, &v)
	if err == nil {
		return v, nil
	}
	members, ok := rawjson.Members(raw)
	if !ok {
		var zero T
		return zero, err
	}
	kept, lost := salvage(members, func(name string, value json.RawMessage) bool {
		var one T
		return json.Unmarshal(object(map[string]json.RawMessage{name: value}), &one) == nil
	})
	var out T
	if json.Unmarshal(object(kept), &out) != nil {
		var zero T
		return zero, err
	}
	return out, &partialError{lost, err}
}

// sdkKinds are the kinds of update that the SDK has types for. Of any other it
// would make what the members look like.
var sdkKinds = map[string]bool{
	"user_message_chunk": true, "agent_message_chunk": true, "agent_thought_chunk": true,
	"tool_call": true, "tool_call_update": true, "plan": true, "plan_update": true, "plan_removed": true,
	"available_commands_update": true, "current_mode_update": true, "config_option_update": true,
	"session_info_update": true, "usage_update": true,
}

var errKind = errors.New("client: the SDK does not know this kind of update")

// typeUpdate decodes a session/update into the SDK's types, as far as they go.
func typeUpdate(word string, params, update json.RawMessage) (acp.SessionNotification, error) {
	var n acp.SessionNotification
	err := errKind
	if sdkKinds[word] {
		if err = json.Unmarshal(params, &n); err == nil {
			return n, nil
		}
	}
	n = acp.SessionNotification{SessionId: acp.SessionId(rawjson.String(rawjson.Get(params, "sessionId")))}
	json.Unmarshal(rawjson.Get(params, "_meta"), &n.Meta)
	if err == errKind {
		return n, err
	}
	members, _ := rawjson.Members(update)
	kind := members["sessionUpdate"]
	kept, lost := salvage(members, func(name string, value json.RawMessage) bool {
		one := skeleton(word)
		one["sessionUpdate"], one[name] = kind, value
		var u acp.SessionUpdate
		return u.UnmarshalJSON(object(one)) == nil
	})
	for name, value := range skeleton(word) {
		if kept[name] == nil {
			kept[name] = value
		}
	}
	if n.Update.UnmarshalJSON(object(kept)) != nil {
		n.Update = acp.SessionUpdate{}
	}
	return n, &partialError{lost, err}
}

// skeleton gives the least that the SDK needs to take a kind of update.
func skeleton(kind string) map[string]json.RawMessage {
	switch kind {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
		return map[string]json.RawMessage{"content": json.RawMessage(`{"type":"text","text":""}`)}
	}
	return map[string]json.RawMessage{}
}

// salvage keeps the members that are taken by themselves, and of a list that is
// not the elements that are.
func salvage(members map[string]json.RawMessage, takes func(name string, value json.RawMessage) bool) (kept map[string]json.RawMessage, lost []string) {
	kept = map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		if takes(name, value) {
			kept[name] = value
			continue
		}
		lost = append(lost, name)
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) != nil || elements == nil {
			continue
		}
		elements = slices.DeleteFunc(elements, func(e json.RawMessage) bool {
			return string(e) == "null" || !takes(name, list(e))
		})
		if all := list(elements...); takes(name, all) {
			kept[name] = all
		}
	}
	return kept, lost
}

func object(members map[string]json.RawMessage) json.RawMessage {
	raw, err := json.Marshal(members)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}

func list(elements ...json.RawMessage) json.RawMessage {
	return slices.Concat([]byte{'['}, bytes.Join(asBytes(elements), []byte{','}), []byte{']'})
}

func asBytes(elements []json.RawMessage) [][]byte {
	out := make([][]byte, len(elements))
	for i, e := range elements {
		out[i] = e
	}
	return out
}

// refused names a required member that the SDK's types did not take, or what is
// wrong with the params as a whole.
func refused(raw json.RawMessage, err error, required []string) string {
	var part *partialError
	if !errors.As(err, &part) {
		return "not what the protocol says"
	}
	for _, name := range required {
		// A list may have lost elements and still serve.
		if slices.Contains(part.members, name) && rawjson.Get(raw, name)[0] != '[' {
			return name + " has the wrong type"
		}
	}
	return ""
}
