package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/client"
)

// FRM-01: what is no JSON-RPC is skipped, told, and never answered.
func TestFRM01Noise(t *testing.T) {
	var got notes
	strays := 0
	r := newRig(t, client.Base{}, &client.Options{OnUpdate: got.noteUpdates, OnStray: func(s client.Stray) {
		if s.Method == "acme/last" {
			return // the rig's own, to see that the connection lives
		}
		if s.Method != "" || s.Request || len(s.Raw) == 0 {
			t.Errorf("noise came out as %+v", s)
		}
		strays++
	}}).open()
	p := r.prompt(t.Context(), "s1")
	r.write("[Acme Agent] factory initialised", "Loaded cached credentials.", "", "   ", "\x1b[32m[tool]\x1b[0m deliberating...",
		"{not json", `migrating {"a":1} done`, chunk("s1", "hello"), `[]`, `[1,{"a":1}]`, `{"id":4}`,
		`{"method":7}`, `{"method":""}`, `{"jsonrpc":"2.0","method":"acme/x"} trailing`, `"text"`, `17`, "\xff\xfe", "\x00")
	r.raw(`{"id":{},"method":"acme/x"}` + "\n")
	for i := range 50 {
		r.write(fmt.Sprintf("noise line %d", i))
	}
	p.ends("end_turn")
	if diff := cmp.Diff([]string{"hello"}, got.all()); diff != "" {
		t.Error(diff)
	}
	if want := 5 + 1 + 2 + 4 + 5 + 50; strays != want {
		t.Errorf("%d strays, want %d", strays, want)
	}
}

// FRM-03: what a frame is does not depend on how it is cut into reads.
func TestFRM03Chunks(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates}).open()
	p := r.prompt(t.Context(), "s1")
	for _, b := range []byte(chunk("s1", "café 世界 🚀") + "\n") {
		r.raw(string([]byte{b}))
	}
	r.write(chunk("s1", "a"), chunk("s1", "b"), request(`1`, "acme/unknown", `{}`))
	p.ends("end_turn")
	if diff := cmp.Diff([]string{"café 世界 🚀", "a", "b"}, got.all()); diff != "" {
		t.Error(diff)
	}
	if e := r.answer(`1`).Error; e == nil || e.Code != -32601 {
		t.Errorf("the request got %+v", e)
	}
}

// FRM-05: a frame of 20 MiB comes through; one above the limit is told and
// skipped to its newline.
func TestFRM05LargeFrames(t *testing.T) {
	body := `{"sessionUpdate":"tool_call","toolCallId":"big","title":"read","rawOutput":{"text":"` + strings.Repeat("x", 20<<20) + `"}}`
	for _, tt := range []struct {
		name string
		max  int64
		want []string
	}{
		{"default", 0, []string{"tool_call", "after 20 MiB"}},
		{"1 MiB", 1 << 20, []string{fmt.Sprintf("stray : a frame of %d bytes is larger than the limit of 1048576", len(update("s1", body))), "after 20 MiB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got notes
			r := newRig(t, nil, &client.Options{OnStray: got.noteStrays, MaxFrame: tt.max, OnUpdate: func(ctx context.Context, u client.Update) {
				if u.Kind != "tool_call" {
					got.noteUpdates(ctx, u)
					return
				}
				if got.add("tool_call"); string(u.Raw) != body {
					t.Error("the large frame is not intact")
				}
			}}).open()
			p := r.prompt(t.Context(), "s1")
			r.raw(update("s1", body) + "\n" + chunk("s1", "after 20 MiB") + "\n")
			p.ends("end_turn")
			if diff := cmp.Diff(tt.want, got.all()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A request that is too large is answered by its id, wherever that stands; an
// answer that is too large fails its call.
func TestOversizedRequestsAndAnswers(t *testing.T) {
	r := newRig(t, nil, &client.Options{MaxFrame: 1 << 20})
	fill := strings.Repeat(`{"id":99,"method":"inner"},`, 80<<10)
	r.write(
		`{"jsonrpc":"2.0","id":"head","method":"acme/x","params":[`+fill+`1]}`,
		`{"jsonrpc":"2.0","method":"acme/x","params":[`+fill+`1],"id":"tail"}`,
		`{"params":["\"id\":\\",`+fill+`"\\\"",1],"id":"both","x":{"id":3},"method":"acme/x"}`,
		`{"jsonrpc":"2.0","id":7,"method":"acme/x","params":"`+strings.Repeat("x", 2<<20)+`\"id\":9"}`,
	)
	for _, id := range []string{`"head"`, `"tail"`, `"both"`, `7`} {
		if e := r.answer(id).Error; e == nil || e.Code != -32600 {
			t.Errorf("%s got %+v, want -32600", id, e)
		}
	}
	r.raw(`{"jsonrpc":"2.0","method":"acme/x","params":[` + fill + `1]}` + "\n") // a notification is not answered

	for i, form := range []string{`{"jsonrpc":"2.0","id":%s,"result":[%s1]}`, `{"result":[%[2]s1],"id":%[1]s,"jsonrpc":"2.0"}`} {
		done := make(chan error)
		go func() {
			_, err := r.conn.Call(t.Context(), "session/list", nil)
			done <- err
		}()
		r.raw(fmt.Sprintf(form+"\n", r.call("session/list", i+1).ID, fill))
		if err := within(t, "the call", done); err == nil || !contains(err.Error(), "larger than the limit") {
			t.Errorf("the call gave %v", err)
		}
	}
}

// FRM-08: a last line without its newline counts; one that is cut is told.
func TestFRM08LastLine(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates}).open()
	p := r.prompt(t.Context(), "s1")
	r.write(chunk("s1", "last words"))
	r.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, p.id))
	r.hangUp()
	if resp, err := p.wait(); err != nil || resp.StopReason != "end_turn" {
		t.Errorf("Prompt gave %+v, %v", resp, err)
	}
	within(t, "Done", r.conn.Done())

	r = newRig(t, nil, nil).open()
	p = r.prompt(t.Context(), "s1")
	r.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopRea`, p.id))
	r.hangUp()
	if _, err := p.wait(); !errors.Is(err, client.ErrDisconnected) || !contains(err.Error(), "truncated") {
		t.Errorf("Prompt gave %v", err)
	}
}

// A BOM, CRLF, white space, invalid UTF-8, escapes in names and a batch are no
// reason to lose a frame.
func TestFramesInOtherDress(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnUpdate: got.noteUpdates})
	r.count(request(`1`, "acme/x", `{}`))
	r.raw("\xef\xbb\xbf" + request(`1`, "acme/x", `{}`) + "\r\n")
	r.raw("  \t" + chunk("s1", "spaced") + " \r\n")
	r.raw(`{"jsonrpc":"2.0","m\u0065thod":"session\/update","params":{"sessionId":"s1","\ud800":1,"update":{"sessionUpdate":` +
		`"agent_message_chunk","content":{"type":"text","text":"` + "\xff" + `odd"}}}}` + "\n")
	r.raw(`{"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"no version"}}}}` + "\n")
	r.write(`[` + request(`2`, "acme/x", `{}`) + `,` + chunk("s1", "in a batch") + `,7,` + request(`3`, "acme/y", `{}`) + `]`)
	for _, id := range []string{`1`, `2`, `3`} {
		r.answer(id)
	}
	got.await(t, "in a batch")
	if diff := cmp.Diff([]string{"spaced", "\ufffdodd", "no version", "in a batch"}, got.all()); diff != "" {
		t.Error(diff)
	}
}

// A request whose method is no name is answered too, and told; what has no id, or
// looks like an answer, is only told.
func TestRequestsWithoutAName(t *testing.T) {
	var got notes
	r := newRig(t, nil, &client.Options{OnStray: got.noteStrays})
	r.write(`{"jsonrpc":"2.0","id":13,"method":"","params":{}}`, `{"jsonrpc":"2.0","method":7,"id":"a"}`)
	for _, id := range []string{`13`, `"a"`} {
		if a := r.answer(id); !contains(a.Line, "-32600") {
			t.Errorf("%s was answered with %s", id, a.Line)
		}
	}
	r.raw(`{"jsonrpc":"2.0","method":""}` + "\n" + `{"jsonrpc":"2.0","id":14,"method":null,"result":{}}` + "\n")
	r.write(notification("acme/last", `{}`))
	got.await(t, "stray acme/last: nobody registered this method")
	if n := len(got.all()); n != 5 {
		t.Errorf("%d strays: %q", n, got.all())
	}
}

// What the host does not serve is told, as well as answered.
func TestUnservedMethodsAreTold(t *testing.T) {
	for name, host := range map[string]acp.Client{"a host that has no such method": client.Base{}, "no host": nil} {
		t.Run(name, func(t *testing.T) {
			var got notes
			r := newRig(t, host, &client.Options{OnStray: got.noteStrays})
			r.write(request(`1`, "elicitation/create", `{"sessionId":"s1"}`))
			if a := r.answer(`1`); !contains(a.Line, "-32601") {
				t.Errorf("answered with %s", a.Line)
			}
			got.await(t, "stray elicitation/create: the host does not serve this method")
		})
	}
}

// Nesting is bounded, and what is deeper is noise.
func TestDeepNesting(t *testing.T) {
	var got notes
	var last json.RawMessage
	r := newRig(t, client.Base{}, &client.Options{OnStray: got.noteStrays, OnUpdate: func(ctx context.Context, u client.Update) {
		last = u.Raw
		got.noteUpdates(ctx, u)
	}}).open()
	p := r.prompt(t.Context(), "s1")
	deep := func(n int) string {
		return update("s1", `{"sessionUpdate":"tool_call","toolCallId":"t","rawInput":`+strings.Repeat("[", n)+strings.Repeat("]", n)+`}`)
	}
	r.write(deep(100_000), strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000), deep(9_000))
	p.ends("end_turn")
	if list := got.all(); len(list) != 4 || list[3] != "tool_call" || len(last) < 18_000 {
		t.Errorf("got %.200q", list)
	}
}
