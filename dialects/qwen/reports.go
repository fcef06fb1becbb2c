package qwen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
)

// of gives an event of a session.
func of(sessionID string, e dialect.Event) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{SessionID: sessionID}, Event: e}}
}

// line gives text in one line, or what stands for it if there is none.
func line(text, instead string) string {
	return cmp.Or(dialect.OneLine(text), instead)
}

func startTurn(p StartTurn) []dialect.Finding {
	return of(p.SessionID, dialect.TurnMark{ID: p.TurnID, Began: true})
}

func endTurn(p EndTurn) []dialect.Finding {
	id := p.TurnID
	if id == "" {
		id = p.PromptID
	}
	return of(p.SessionID, dialect.TurnMark{ID: id, StopReason: p.Reason})
}

func slashCommand(p SlashCommand) []dialect.Finding {
	text := strings.TrimSpace(p.Message)
	head, _, more := strings.Cut(text, "\n")
	if text == "" {
		return of(p.SessionID, dialect.Other{Value: p})
	}
	notice := dialect.Notice{Kind: dialect.NoticeInfo, Message: line(head, "")}
	if p.MessageType == "error" {
		notice.Kind = dialect.NoticeError
	}
	if more {
		notice.Detail = text
	}
	return of(p.SessionID, notice)
}

func decodeAuthenticate(raw json.RawMessage) (AuthenticateUpdate, error) {
	p, err := dialect.Lenient[AuthenticateUpdate](raw)
	if dialect.Usable(err) && p.Meta.AuthURI == "" {
		return p, dialect.MissingField("_meta.authUri")
	}
	return p, err
}

func authenticate(p AuthenticateUpdate) []dialect.Finding {
	return []dialect.Finding{{
		Link:  dialect.Link{Connection: true},
		Event: dialect.Notice{Kind: dialect.NoticeSignIn, Message: "Open the page to sign in", URL: p.Meta.AuthURI},
	}}
}

func titleUpdate(p TitleUpdate) []dialect.Finding { return of(p.SessionID, dialect.Other{Value: p}) }

func prBinding(p PRBinding) []dialect.Finding {
	message := "The session opened a pull request"
	if p.PR.Number.Valid {
		message = fmt.Sprintf("The session opened pull request %d", p.PR.Number.Int())
	}
	return of(p.SessionID, dialect.Notice{Kind: dialect.NoticeInfo, Message: message, URL: p.PR.URL})
}

func recordingDegraded(p RecordingDegraded) []dialect.Finding {
	return of(p.SessionID, dialect.Notice{
		Kind:    dialect.NoticeWarning,
		Message: "The session's record has a gap: " + line(p.Reason, "no reason given"),
	})
}

func modeUpdate(p ModeUpdate) []dialect.Finding {
	return of(p.SessionID, dialect.Notice{Kind: dialect.NoticeMode, Message: "Mode: " + line(p.CurrentModeID, "unknown")})
}

func modelUpdate(p ModelUpdate) []dialect.Finding {
	return of(p.SessionID, dialect.Notice{Kind: dialect.NoticeModel, Message: "Model: " + line(p.CurrentModelID, "unknown")})
}

func promptSuggestion(p PromptSuggestion) []dialect.Finding {
	return of(p.SessionID, dialect.Other{Value: p})
}

// artifactEvent leaves the tool call out of the link: the artifacts are those of a
// hook, which may run for a call that is not shown.
func artifactEvent(p ArtifactEvent) []dialect.Finding {
	return of(p.SessionID, dialect.Other{Value: p})
}

func terminalSequence(p TerminalSequence) []dialect.Finding {
	return of(p.SessionID, dialect.Other{Value: p})
}

func mcpBudget(p MCPBudget) []dialect.Finding {
	notice := dialect.Notice{
		Kind:    dialect.NoticeMCP,
		Message: fmt.Sprintf("%d of at most %d MCP servers are running", p.LiveCount.Int(), p.Budget.Int()),
	}
	if p.Kind == "refused_batch" {
		var names []string
		for _, s := range p.RefusedServers {
			names = append(names, line(s.Name, "one without a name"))
		}
		notice.Message = "MCP servers were not started: " + line(strings.Join(names, ", "), "too many are running")
	}
	return of(p.SessionID, notice)
}

func sourcesChanged(p SourcesChanged) []dialect.Finding {
	return of(p.SessionID, dialect.Other{Value: p})
}

func generation(p Generation) []dialect.Finding { return of(p.SessionID, dialect.Other{Value: p}) }

func workspaceGeneration(p Generation) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: dialect.Other{Value: p}}}
}

func activeWork(p ActiveWork) []dialect.Finding {
	return []dialect.Finding{{Link: dialect.Link{Connection: true}, Event: dialect.Other{Value: p}}}
}
