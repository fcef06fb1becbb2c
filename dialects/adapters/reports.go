package adapters

import (
	"encoding/json"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

func decodeAuth(raw json.RawMessage) (AuthStatusUpdate, error) {
	p, err := dialect.Lenient[AuthStatusUpdate](raw)
	if dialect.Usable(err) && p.AuthStatus == (AuthStatus{}) {
		return p, dialect.MissingField("authStatus")
	}
	return p, err
}

// auth tells the account without naming its owner.
func auth(p AuthStatusUpdate) []dialect.Finding {
	s := p.AuthStatus
	notice := dialect.Notice{Kind: dialect.NoticeInfo, Message: "The agent uses " + describe(s)}
	if s.Kind == "none" {
		notice.Kind = dialect.NoticeSignIn
		notice.Message = "The agent is not signed in"
	}
	return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: notice}}
}

// describe gives the label with its detail. Neither is ever an email address as
// far as is known; one that looks like it is left out.
func describe(s AuthStatus) string {
	label, detail := public(s.Label), public(s.Detail)
	switch {
	case label == "" && s.Kind == "account":
		return "a subscription"
	case label == "":
		return "an account of its own"
	case detail != "":
		return label + " (" + detail + ")"
	}
	return label
}

func public(text string) string {
	if strings.Contains(text, "@") {
		return ""
	}
	return dialect.OneLine(text)
}

func listChanges(p ListChanges) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: dialect.Other{Value: p}}}
}
