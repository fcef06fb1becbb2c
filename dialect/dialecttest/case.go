// Package dialecttest checks a dialect against the laws that clients rely on.
//
// A vendor's package has one table of cases, taken from the vendor's pages and
// from the wire, and two calls:
//
//	func TestDialect(t *testing.T) { dialecttest.Run(t, acme.Dialect(), cases) }
//	func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, acme.Dialect(), cases) }
package dialecttest

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// A Case is one message and what it must become. Either Method and Params are
// set, or Frame is.
type Case struct {
	Name string

	// Method is a name as it comes on the wire: the registered one, an alias,
	// or one with other leading underscores.
	Method string
	// Params is the params as JSON; "" means that they are absent.
	Params string

	// Refused, if set, is the field named by the hard error that these params
	// must give ("params" for the params as a whole). Nothing else is
	// compared, but for an ask's Decline.
	Refused string
	// Soft says that decoding must report a soft error.
	Soft bool
	// Want is what Decode must give; nil: not compared.
	Want any

	// Findings is what a report, or Observe for a Frame, must find.
	Findings []dialect.Finding

	// Link and Question are what an ask must give.
	Link     dialect.Link
	Question dialect.Question
	// Decline is the result, as JSON, that the zero Answer must give. Where
	// the vendor has no safe result, NoAnswer is the error's code instead.
	Decline  string
	NoAnswer int
	// Answers are answers on offer and what they must become.
	Answers []Answered
	// Refuses are answers that were not offered; Check must refuse each.
	Refuses []dialect.Answer

	// Frame is a standard frame for Observe. Call may be left zero: for a tool
	// call or permission frame the kit fills it from Raw.
	Frame *dialect.Frame
}

// Answered is an answer and the result, as JSON, that it must become.
type Answered struct {
	Answer dialect.Answer
	Result string
}

// Update makes the Frame of a session/update from the update object's JSON.
func Update(sessionID, update string) *dialect.Frame {
	return frame(sessionID, "", update)
}

// Permission makes the Frame of a session/request_permission from its params.
func Permission(params string) *dialect.Frame {
	return frame("", dialect.FramePermission, params)
}

// PromptResult makes the Frame of a prompt's result.
func PromptResult(sessionID, result string) *dialect.Frame {
	return frame(sessionID, dialect.FramePromptResult, result)
}

func frame(sessionID, kind, raw string) *dialect.Frame {
	f := &dialect.Frame{SessionID: sessionID, Kind: kind, Raw: json.RawMessage(raw)}
	if kind == "" {
		f.Kind = rawjson.String(rawjson.Get(f.Raw, "sessionUpdate"))
	}
	if kind == dialect.FramePermission {
		f.SessionID = rawjson.String(rawjson.Get(f.Raw, "sessionId"))
		f.Meta = rawjson.Get(f.Raw, "toolCall", "_meta")
		f.OuterMeta = rawjson.Get(f.Raw, "_meta")
		return f
	}
	f.Meta = rawjson.Get(f.Raw, "_meta")
	return f
}
