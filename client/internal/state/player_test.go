package state

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/acpdialects/acpdialects/client/internal/wire"
	"github.com/acpdialects/acpdialects/registry"
)

// A line is one frame: the agent's, or after ">" the client's.
//
//	s1 KIND {…}        a session/update, without its sessionUpdate
//	acme/x {…}         a private notification
//	acme/x#7 {…}       a request
//	session/…#7 {…}    a request of the protocol
//	=7 {…}             an answer to the client's request 7; =7! is an error
//	> session/…#7 {…}  a request of the client's; without # a notification
//	> end s1           EndTurn
//	> expire 3
type player struct {
	t testing.TB
	*State
	effects []Effect
	panics  []any
}

func newPlayer(t testing.TB, reg *registry.Registry) *player {
	p := &player{t: t}
	p.State = New(reg, Config{OnHookPanic: func(_, _ string, v any, _ []byte) { p.panics = append(p.panics, v) }})
	return p
}

// opened gives a player with sessions of ours.
func opened(t testing.TB, sessions ...string) *player {
	p := newPlayer(t, acme())
	p.play(`> initialize#0 {}`, `=0 {"protocolVersion":1,"agentInfo":{"name":"agent"}}`)
	for i, id := range sessions {
		p.play(fmt.Sprintf(`> session/new#%d {"cwd":"/"}`, 100+i), fmt.Sprintf(`=%d {"sessionId":%q}`, 100+i, id))
	}
	p.effects = nil
	return p
}

// play takes lines in and notes what follows. Ends are carried out.
func (p *player) play(lines ...string) *player {
	for _, line := range lines {
		p.do(p.one(line))
	}
	return p
}

func (p *player) do(effects []Effect) {
	for _, e := range append([]Effect(nil), effects...) {
		p.effects = append(p.effects, e)
		if e.End != nil {
			more, _ := p.Settle(e.End.Request, Settled{Reason: e.End.Reason})
			p.do(more)
		}
	}
}

func (p *player) one(line string) []Effect {
	p.t.Helper()
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "> "); ok {
		head, body, _ := strings.Cut(rest, " ")
		switch head {
		case "end":
			return p.EndTurn(body)
		case "expire":
			var token uint64
			fmt.Sscan(body, &token)
			return p.Expire(token)
		case "abandon":
			return p.Abandon(body)
		case "withdraw":
			return p.Withdraw(body)
		case "disconnect":
			return p.Disconnect()
		}
		if method, id, ok := strings.Cut(head, "#"); ok {
			return p.Call(id, method, json.RawMessage(body))
		}
		return p.Notify(head, json.RawMessage(body))
	}
	return p.In(parse(p.t, line))
}

func parse(t testing.TB, line string) *wire.Frame {
	t.Helper()
	f, err := wire.Parse([]byte(frame(line)))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return &f
}

// frame gives the JSON of a line of the agent's.
func frame(line string) string {
	head, body, _ := strings.Cut(line, " ")
	if id, ok := strings.CutPrefix(head, "="); ok {
		if id, failed := strings.CutSuffix(id, "!"); failed {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no"}}`, id)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, body)
	}
	if method, id, ok := strings.Cut(head, "#"); ok {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, body)
	}
	if strings.Contains(head, "/") {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, head, body)
	}
	kind, body, _ := strings.Cut(body, " ")
	update := fmt.Sprintf(`{"sessionUpdate":%q`, kind)
	if rest := strings.TrimPrefix(body, "{"); rest != "}" && rest != "" {
		update += "," + rest
	} else {
		update += "}"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, head, update)
}

func (p *player) lookup(method string) *registry.Method {
	m, _ := p.reg.Lookup(method)
	return m
}
