package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// DEC-01: a kind of update that nobody knows comes out raw and disturbs nothing.
func TestDEC01UnknownUpdateKinds(t *testing.T) {
	var updates []client.Update
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: func(_ context.Context, u client.Update) { updates = append(updates, u) }}).open()
	p := r.prompt(t.Context(), "s1")
	bodies := []string{
		`{"sessionUpdate":"usage_update","used":11383,"size":262144}`,
		`{"sessionUpdate":"a_kind_from_2031","payload":{"deep":[1,2]}}`,
		`{"sessionUpdate":"config_option_update","configOptions":[]}`,
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"42"}}`,
	}
	for _, body := range bodies {
		r.write(update("s1", body))
	}
	p.ends("end_turn")
	var raw []string
	for _, u := range updates {
		raw = append(raw, string(u.Raw))
	}
	if diff := cmp.Diff(bodies, raw); diff != "" {
		t.Error(diff)
	}
	if got := updates[1]; got.SessionID != "s1" || got.Kind != "a_kind_from_2031" {
		t.Errorf("session %q, kind %q", got.SessionID, got.Kind)
	}
	if _, err := updates[1].Typed(); err == nil {
		t.Error("Typed takes a kind that the SDK does not know without a word")
	}
}

// DEC-04: an option of a kind that nobody knows reaches the host as it is, and
// can be chosen.
func TestDEC04UnknownPermissionOptionKind(t *testing.T) {
	var options []acp.PermissionOption
	host := permissionHost{decide: func(_ context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
		options = p.Options
		return choose("o2")
	}}
	r := newRig(t, host, nil).open()
	r.write(request(`7`, "session/request_permission", `{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[`+
		`{"optionId":"o1","name":"Once","kind":"allow_once"},{"optionId":"o2","name":"For ever","kind":"allow_persistent"},`+
		`{"optionId":"o3","name":"No","kind":"reject_once"},{"optionId":"o4","name":"?"}]}`))
	if got := string(r.answer(`7`).Result); got != `{"outcome":{"optionId":"o2","outcome":"selected"}}` {
		t.Errorf("answered with %s", got)
	}
	want := []acp.PermissionOption{
		{OptionId: "o1", Name: "Once", Kind: "allow_once"}, {OptionId: "o2", Name: "For ever", Kind: "allow_persistent"},
		{OptionId: "o3", Name: "No", Kind: "reject_once"}, {OptionId: "o4", Name: "?"},
	}
	if diff := cmp.Diff(want, options); diff != "" {
		t.Error(diff)
	}
}

// DEC-05: null is what absent is.
func TestDEC05NullForAbsent(t *testing.T) {
	var typed []acp.SessionUpdate
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: func(_ context.Context, u client.Update) {
		n, _ := u.Typed()
		typed = append(typed, n.Update)
	}})
	r.auto["initialize"] = `{"protocolVersion":1,"agentCapabilities":null,"authMethods":null,"agentInfo":null}`
	r.auto["session/new"] = `{"sessionId":"s1","modes":null,"configOptions":null,"models":{"currentModelId":null,` +
		`"availableModels":[{"modelId":"m","name":"M","description":null}]}}`
	init, err := r.conn.Initialize(t.Context(), acp.InitializeRequest{})
	if err != nil || init.AgentCapabilities.LoadSession || init.ProtocolVersion != 1 {
		t.Errorf("initialize: %+v, %v", init, err)
	}
	sess, err := r.conn.NewSession(t.Context(), acp.NewSessionRequest{Cwd: "/"})
	if err != nil || sess.SessionId != "s1" {
		t.Errorf("session/new: %+v, %v", sess, err)
	}
	p := r.prompt(t.Context(), "s1")
	r.write(
		update("s1", `{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"go","description":"d","input":null}]}`),
		update("s1", `{"sessionUpdate":"available_commands_update","availableCommands":null}`),
	)
	p.ends("end_turn")
	var commands [][]acp.AvailableCommand
	for _, u := range typed {
		if u.AvailableCommandsUpdate == nil {
			t.Fatalf("not typed: %+v", u)
		}
		commands = append(commands, u.AvailableCommandsUpdate.AvailableCommands)
	}
	want := [][]acp.AvailableCommand{{{Name: "go", Description: "d"}}, {}}
	if diff := cmp.Diff(want, commands, cmp.Transformer("len", func(list []acp.AvailableCommand) string {
		return fmt.Sprint(len(list), list)
	})); diff != "" {
		t.Error(diff)
	}
}

// DEC-08: _meta and fields nobody knows come out byte for byte, at every level.
func TestDEC08MetaIsKept(t *testing.T) {
	var updates []client.Update
	var events []client.Event
	r := newRig(t, nil, &client.Options{
		Registry: acme(),
		OnUpdate: func(_ context.Context, u client.Update) { updates = append(updates, u) },
		OnEvent:  func(_ context.Context, ev client.Event) { events = append(events, ev) },
	}).open()
	p := r.prompt(t.Context(), "s1")
	params := `{"sessionId":"s1","_meta":{"trace":"a"},"update":{"sessionUpdate":"tool_call","toolCallId":"t1","title":"x",` +
		`"_meta":{"acme":{"big":9007199254740993,"nul":null,"html":"<b>&"}},"content":[{"type":"content","content":` +
		`{"type":"text","text":"y","_meta":{"k":1}},"_meta":{"c":2}}],"futureField":{"z":[1]}}}`
	task := `{"toolCallId":"t1","agentId":"ag-1","description":"Summarise","_meta":{"p":"q"},"extra":{"deep":true}}`
	r.write(notification("session/update", params), request(`5`, "acme/task", task))
	p.ends("end_turn")
	if len(updates) != 1 || len(events) == 0 {
		t.Fatalf("%d updates, %d events", len(updates), len(events))
	}
	got := []string{
		string(updates[0].Params),
		string(rawjson.Get(updates[0].Raw, "_meta", "acme", "big")),
		string(updates[0].Call.Meta),
		string(rawjson.Get(updates[0].Raw, "futureField")),
		string(events[0].Raw),
	}
	want := []string{params, `9007199254740993`, `{"acme":{"big":9007199254740993,"nul":null,"html":"<b>&"}}`, `{"z":[1]}`, task}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// DEC-10: what has not the shape of an update is told as a stray or comes out
// raw, and is never answered.
func TestDEC10ShapelessUpdates(t *testing.T) {
	var got notes
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: got.noteUpdates, OnStray: got.noteStrays}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(`{"jsonrpc":"2.0","method":"session/update"}`)
	strays := []string{`null`, `[]`, `"x"`, `{"sessionId":"s1"}`, `{"sessionId":"s1","update":null}`, `{"sessionId":"s1","update":[]}`,
		`{"sessionId":7,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}`,
		`{"sessionId":"s1","type":"text","text":"flat"}`}
	for _, params := range strays {
		r.write(notification("session/update", params))
	}
	for _, body := range []string{`{"toolCallId":"t"}`, `{"sessionUpdate":9}`, `{"sessionUpdate":"tool_call"}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":5,"status":"completed"}`, `{"sessionUpdate":"agent_message_chunk"}`,
		`{"sessionUpdate":"agent_message_chunk","content":null}`} {
		r.write(update("s1", body))
	}
	r.write(chunk("s1", "good"))
	p.ends("end_turn")
	var want []string
	for range len(strays) + 1 {
		want = append(want, "stray session/update: a session/update without sessionId or update")
	}
	want = append(want, "", "", "tool_call", "tool_call_update", "agent_message_chunk", "", "good")
	list := got.all()
	var strayed, told []string
	for _, n := range list {
		if strings.HasPrefix(n, "stray") {
			strayed = append(strayed, n)
		} else {
			told = append(told, n)
		}
	}
	if diff := cmp.Diff(want, append(strayed, told...)); diff != "" {
		t.Error(diff)
	}
}

// One bad field never loses a frame: the good parts are typed, the rest is raw.
func TestGoodPartsAreTyped(t *testing.T) {
	var typed []acp.SessionUpdate
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: func(_ context.Context, u client.Update) {
		n, err := u.Typed()
		if err == nil {
			t.Errorf("Typed says nothing of what it left out of %s", u.Raw)
		}
		typed = append(typed, n.Update)
	}}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(
		update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t1","title":"x","kind":"other","status":"pending","locations":[{"path":"/a","line":"7"},null,{"path":"/b","line":1}]}`),
		update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"t1","title":["no"],"status":"completed"}`),
		update("s1", `{"sessionUpdate":"plan","entries":[{"content":"a","priority":"high","status":"pending"},{"content":9},null]}`),
	)
	p.ends("end_turn")
	if len(typed) != 3 || typed[0].ToolCall == nil || typed[1].ToolCallUpdate == nil || typed[2].Plan == nil {
		t.Fatalf("not typed: %+v", typed)
	}
	if c := typed[0].ToolCall; c.Title != "x" || len(c.Locations) != 1 || c.Locations[0].Path != "/b" {
		t.Errorf("tool_call: %+v", c)
	}
	if c := typed[1].ToolCallUpdate; c.Status == nil || *c.Status != "completed" {
		t.Errorf("tool_call_update: %+v", c)
	}
	if e := typed[2].Plan.Entries; len(e) != 1 || e[0].Content != "a" {
		t.Errorf("plan: %+v", e)
	}
}

// A stop reason nobody knows, and an answer with one odd field, come out.
func TestOddAnswers(t *testing.T) {
	r := newRig(t, nil, nil).open()
	r.prompt(t.Context(), "s1").ends("ran_out_of_patience")

	r.auto["session/new"] = `{"sessionId":"s2","modes":{"currentModeId":7,"availableModes":"none"}}`
	if sess, err := r.conn.NewSession(t.Context(), acp.NewSessionRequest{}); err != nil || sess.SessionId != "s2" {
		t.Errorf("session/new: %+v, %v", sess, err)
	}
	r.auto["session/list"] = `{"sessions":[{"sessionId":"a","cwd":"/"},{"sessionId":5},null]}`
	if list, err := r.conn.ListSessions(t.Context(), acp.ListSessionsRequest{}); err != nil || len(list.Sessions) != 1 {
		t.Errorf("session/list: %+v, %v", list, err)
	}
}

// An agent's error keeps its code and its data, whatever form it has.
func TestErrorsOfTheAgent(t *testing.T) {
	r := newRig(t, nil, nil)
	for i, tt := range []struct {
		err, text string
		code      int
	}{
		{`{"code":-32002,"message":"no such session","data":"s9"}`, "no such session", -32002},
		{`{"code":"400","message":"from the model","data":{"a":1}}`, "from the model", 400},
		{`"out of order"`, "no object", -32603},
	} {
		done := make(chan error)
		go func() {
			_, err := r.conn.Call(t.Context(), "session/set_model", map[string]any{"i": i})
			done <- err
		}()
		id := r.call("session/set_model", i+1).ID
		r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, tt.err))
		err := within(t, "the call", done)
		var re *acp.RequestError
		if !asRequestError(err, &re) || re.Code != tt.code || !contains(re.Message, tt.text) {
			t.Errorf("%s came out as %v", tt.err, err)
		}
	}
	// A null error beside a result is none.
	done := make(chan json.RawMessage)
	go func() {
		raw, _ := r.conn.Call(t.Context(), "session/set_model", nil)
		done <- raw
	}()
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":null,"result":{"a":1}}`, r.call("session/set_model", 4).ID))
	if got := string(within(t, "the call", done)); got != `{"a":1}` {
		t.Errorf("the result beside a null error came out as %s", got)
	}
}
