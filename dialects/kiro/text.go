package kiro

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

func inSession(id string) dialect.Link { return dialect.Link{SessionID: id} }

func one(link dialect.Link, e dialect.Event) []dialect.Finding {
	return []dialect.Finding{{Link: link, Event: e}}
}

// other hands a value on that has no neutral form.
func other(link dialect.Link, value any) []dialect.Finding {
	return one(link, dialect.Other{Value: value})
}

// notice makes a Notice of one line: what, and after a colon why.
func notice(link dialect.Link, kind dialect.NoticeKind, what string, why ...string) []dialect.Finding {
	return one(link, dialect.Notice{Kind: kind, Message: dialect.OneLine(what, why...)})
}

// count words a number and what there is of it.
func count(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// millis gives a duration of milliseconds; what is negative or absent is 0.
func millis(n dialect.Number) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(max(n.Int(), 0), most)) * time.Millisecond
}

// need wraps a decoder's result with a hard error for a text that is missing.
func need[P any](field string, get func(P) string) func(json.RawMessage) (P, error) {
	return func(raw json.RawMessage) (P, error) {
		p, err := dialect.Lenient[P](raw)
		if dialect.Usable(err) && get(p) == "" {
			return p, dialect.MissingField(field)
		}
		return p, err
	}
}

// Status is a word with a reason. Where the vendor sends the word alone, it is
// the type.
type Status struct {
	Type    string
	Message string
	Error   string
	Raw     json.RawMessage // as it came
}

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (s *Status) UnmarshalJSON(raw []byte) error {
	*s = Status{Type: rawjson.String(raw), Raw: append(json.RawMessage(nil), raw...)}
	if m, ok := rawjson.Members(raw); ok {
		s.Type = rawjson.String(m["type"])
		s.Message = rawjson.String(m["message"])
		s.Error = rawjson.String(m["error"])
	}
	return nil
}

// Unread is a report that needs no reading: what it brings is the host's to look
// up in the event's raw params.
type Unread struct {
	SessionID string `json:"sessionId"`
}

// unread makes the Report of one.
func unread(name, doc, source string) dialect.Method {
	return dialect.Report[Unread]{
		Name: name, Doc: doc, Source: source,
		Correlate: func(p Unread) []dialect.Finding { return other(inSession(p.SessionID), p) },
	}
}

func report[P any](name, doc, source string, correlate func(P) []dialect.Finding) dialect.Method {
	return dialect.Report[P]{Name: name, Doc: doc, Source: source, Correlate: correlate}
}
