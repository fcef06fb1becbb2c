package qwen

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// Queued gives the answer to craft/drainMidTurnQueue that hands over messages, as
// an Answer.Result. Without a message it is the decline.
func Queued(messages ...string) Drained {
	d := Drained{Items: []QueuedItem{}}
	for _, m := range messages {
		text, err := json.Marshal(struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}{"text", m})
		if err == nil {
			d.Items = append(d.Items, QueuedItem{Content: []json.RawMessage{text}})
		}
	}
	return d
}

// MarshalJSON writes a list where there is none: the agent takes nothing else.
func (d Drained) MarshalJSON() ([]byte, error) {
	type plain Drained
	if d.Items == nil {
		d.Items = []QueuedItem{}
	}
	return json.Marshal(plain(d))
}

func drain(p DrainMidTurnQueue) (dialect.Link, dialect.Question) {
	return dialect.Link{SessionID: p.SessionID}, dialect.Question{
		Kind:  dialect.KindRequest,
		Title: "Messages typed during the turn",
	}
}

func replyDrain(DrainMidTurnQueue, dialect.Answer) (Drained, error) { return Queued(), nil }

func explainDrain(_ DrainMidTurnQueue, r Drained) dialect.Answer {
	if len(r.Items) == 0 && r.HasQueuedPrompt == nil {
		return dialect.Answer{}
	}
	return dialect.Answer{Result: r}
}

func claim(p ClaimContinuation) (dialect.Link, dialect.Question) {
	return dialect.Link{SessionID: p.SessionID}, dialect.Question{
		Kind:  dialect.KindRequest,
		Title: "Go on with open todos",
	}
}

func replyClaim(ClaimContinuation, dialect.Answer) (Claimed, error) { return Claimed{}, nil }

func explainClaim(_ ClaimContinuation, r Claimed) dialect.Answer {
	if r == (Claimed{}) {
		return dialect.Answer{}
	}
	return dialect.Answer{Result: r}
}
