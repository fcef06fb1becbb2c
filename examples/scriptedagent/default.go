package main

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// answerByDefault answers a request of the client as the script does not.
func (p *player) answerByDefault(m message, cancelled bool) error {
	switch m.method() {
	case "initialize":
		return p.respond(m, "result", map[string]any{
			"protocolVersion":   1,
			"agentCapabilities": p.script.agent.Capabilities,
			"agentInfo":         map[string]string{"name": p.script.agent.Name, "version": p.script.agent.Version},
			"authMethods":       []string{},
		})
	case "session/new":
		p.session = p.newSession()
		return p.respond(m, "result", map[string]string{"sessionId": p.session})
	case "session/load", "session/set_mode":
		return p.respond(m, "result", struct{}{})
	case "session/prompt":
		reason := "end_turn"
		if cancelled {
			reason = "cancelled"
		}
		return p.respond(m, "result", map[string]string{"stopReason": reason})
	}
	return p.respond(m, "error", map[string]any{"code": -32601, "message": "Method not found: " + m.method()})
}

// newSession gives the script's session ids and then s1, s2 and so on, counted
// over all sessions.
func (p *player) newSession() string {
	p.sessions++
	if ids := p.script.agent.Sessions; p.sessions <= len(ids) {
		return ids[p.sessions-1]
	}
	return "s" + strconv.Itoa(p.sessions)
}

// respond answers m with its id as it came, which json.Marshal would not keep.
func (p *player) respond(m message, member string, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return p.out.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", m.ID, member, b), 0)
}
