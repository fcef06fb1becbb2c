package grok

import (
	"encoding/json"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// methodNotFound is what the agent is told where nobody handles its request.
const methodNotFound = -32601

func asks() []dialect.Method {
	return []dialect.Method{askUserQuestion(), exitPlanMode(), folderTrust(), hooksRun(), sdkCall()}
}

// The folder trust question has options, the safe one first, so that "yes" alone
// trusts nothing.
const (
	trustItem   = "trust"
	trustOption = "trust"
	keepOption  = "reject"
)

func folderTrust() dialect.Method {
	const name = "_x.ai/folder_trust/request"
	return dialect.Ask[FolderTrust, FolderTrustDecision]{
		Name:   name,
		Doc:    "whether what the folder configures may run; declined with an error, which leaves it off and undecided",
		Source: noCapture,
		Decode: decode[FolderTrust](name),
		Correlate: func(p FolderTrust) (dialect.Link, dialect.Question) {
			return inSession(p.SessionID), dialect.Question{
				Kind:  dialect.KindChoice,
				Title: "Trust this folder?",
				Text:  dialect.OneLine("The folder brings configuration that would run on this machine", p.ConfigKinds...),
				Items: []dialect.Item{{
					ID:   trustItem,
					Text: dialect.OneLine("Trust the folder", p.Workspace), Required: true,
					Options: []dialect.Option{
						{ID: keepOption, Label: "Do not trust", Description: "leave the folder's configuration off"},
						{ID: trustOption, Label: "Trust", Description: "let the folder's configuration run, now and later"},
					},
				}},
				Outcomes: []dialect.Outcome{dialect.OutcomeAccepted, dialect.OutcomeRejected},
			}
		},
		Reply: func(_ FolderTrust, a dialect.Answer) (FolderTrustDecision, error) {
			if a.Outcome == dialect.OutcomeDeclined {
				// "reject" would be remembered as the user's decision.
				return FolderTrustDecision{}, &dialect.NoAnswer{Code: methodNotFound, Message: "nobody decided; the folder is not trusted"}
			}
			pick := a.Picks[trustItem].Options
			if a.Outcome == dialect.OutcomeAccepted && len(pick) == 1 && pick[0] == trustOption {
				return FolderTrustDecision{Outcome: "trust"}, nil
			}
			return FolderTrustDecision{Outcome: "reject"}, nil
		},
		Explain: func(_ FolderTrust, r FolderTrustDecision) dialect.Answer {
			if r.Outcome != "trust" {
				return dialect.Answer{Outcome: dialect.OutcomeRejected}
			}
			return dialect.Answer{
				Outcome: dialect.OutcomeAccepted,
				Picks:   map[string]dialect.Pick{trustItem: {Options: []string{trustOption}}},
			}
		},
	}
}

func hooksRun() dialect.Method {
	const name = "_x.ai/hooks/run"
	lenient := decode[HookRun](name)
	return dialect.Ask[HookRun, HookDecision]{
		Name:   name,
		Doc:    "run a hook that session/new registered; declined as no decision, and the agent goes on",
		Source: noCapture,
		Decode: func(raw json.RawMessage) (HookRun, error) {
			p, err := lenient(raw)
			if dialect.Usable(err) && strings.TrimSpace(p.HookCallbackID) == "" {
				return p, dialect.MissingField("hookCallbackId")
			}
			if dialect.Usable(err) {
				p.Payload, _ = unwrap(name, raw)
			}
			return p, err
		},
		Correlate: func(p HookRun) (dialect.Link, dialect.Question) {
			return inSession(p.SessionID), dialect.Question{Kind: dialect.KindRequest, Title: "Run a hook", Text: p.HookCallbackID}
		},
		Reply: func(HookRun, dialect.Answer) (HookDecision, error) { return HookDecision{}, nil },
	}
}

func sdkCall() dialect.Method {
	const name = "_x.ai/mcp/sdk_call"
	lenient := decode[SDKCall](name)
	return dialect.Ask[SDKCall, json.RawMessage]{
		Name:   name,
		Doc:    "a message for an MCP server that the client is; declined with an error, which fails the tool",
		Source: noCapture,
		Decode: func(raw json.RawMessage) (SDKCall, error) {
			p, err := lenient(raw)
			switch {
			case !dialect.Usable(err):
			case p.ServerID == "":
				return p, dialect.MissingField("serverId")
			case len(p.Message) == 0:
				return p, dialect.MissingField("message")
			}
			return p, err
		},
		Correlate: func(p SDKCall) (dialect.Link, dialect.Question) {
			return dialect.Link{}, dialect.Question{Kind: dialect.KindRequest, Title: "Call an MCP server of the client", Text: p.ServerID}
		},
		Reply: func(SDKCall, dialect.Answer) (json.RawMessage, error) {
			return nil, &dialect.NoAnswer{Code: methodNotFound, Message: "no such MCP server here"}
		},
	}
}
