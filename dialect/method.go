package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Report is a method by which the agent tells. It is acknowledged with {}
// if it came as a request, and never answered if it came as a notification,
// whatever the vendor's pages call it.
type Report[P any] struct {
	Name    string
	Doc     string
	Source  string   // where the facts are from: page or package, version, date, how sure
	Aliases []string // other spellings seen on the wire; leading underscores need none

	// Decode reads the params. Nil means [Lenient]. An error made of
	// [*SoftError] leaves P usable; any other is hard, and the report is
	// refused with -32602.
	Decode func(json.RawMessage) (P, error)

	// Correlate says what the report means and where it belongs. A report
	// without findings still reaches the host, as [Other]. Required.
	Correlate func(P) []Finding
}

// Spec implements Method.
func (r Report[P]) Spec() Spec {
	s := Spec{Name: r.Name, Doc: r.Doc, Source: r.Source, Aliases: r.Aliases, Decode: decoder(r.Decode)}
	if r.Correlate == nil {
		s.missing = "Correlate"
		return s
	}
	s.Findings = func(p any) []Finding { return r.Correlate(p.(P)) }
	return s
}

func (Report[P]) sealed() {}

// An Ask is a method by which the agent asks and waits for R.
type Ask[P, R any] struct {
	Name    string
	Doc     string
	Source  string
	Aliases []string

	// Secret says that P or R holds a credential: neither is ever logged,
	// printed or recorded.
	Secret bool

	// Decode reads the params, as in Report. An ask that cannot be decoded
	// gets its decline, made from the zero P.
	Decode func(json.RawMessage) (P, error)

	// Correlate says what is asked and where it belongs. Required.
	Correlate func(P) (Link, Question)

	// Reply makes the vendor's result of an answer. The zero Answer is the
	// decline: what this vendor takes as "no decision". Where the vendor has
	// no such result, Reply returns [*NoAnswer] and the agent gets an error.
	// Reply is called only with answers that Question.Check lets pass, and
	// never with Answer.Result. Required.
	Reply func(P, Answer) (R, error)

	// Explain is the inverse of Reply, for tools that show recorded
	// conversations: the Answer that a result stands for. May be nil.
	Explain func(P, R) Answer
}

// Spec implements Method.
func (a Ask[P, R]) Spec() Spec {
	s := Spec{Name: a.Name, Doc: a.Doc, Source: a.Source, Aliases: a.Aliases, Ask: true, Secret: a.Secret, Decode: decoder(a.Decode)}
	switch {
	case a.Correlate == nil:
		s.missing = "Correlate"
	case a.Reply == nil:
		s.missing = "Reply"
	}
	if s.missing != "" {
		return s
	}
	s.Question = func(p any) (Link, Question) { return a.Correlate(p.(P)) }
	s.Reply = func(p any, ans Answer) (any, error) {
		switch r := ans.Result.(type) {
		case nil:
			v, _ := p.(P) // the zero P if it could not be decoded
			return a.Reply(v, ans)
		case R:
			return r, nil
		case *R:
			if r != nil {
				return *r, nil
			}
		}
		var want R
		return nil, fmt.Errorf("dialect: the result for %s must be a %T, not a %T", a.Name, want, ans.Result)
	}
	if a.Explain != nil {
		s.Explain = func(p any, raw json.RawMessage) (Answer, bool) {
			r, err := Lenient[R](raw)
			if err != nil {
				return Answer{}, false
			}
			return a.Explain(p.(P), r), true
		}
	}
	return s
}

func (Ask[P, R]) sealed() {}

func decoder[P any](decode func(json.RawMessage) (P, error)) func(json.RawMessage) (any, error) {
	if decode == nil {
		decode = Lenient[P]
	}
	return func(raw json.RawMessage) (any, error) {
		p, err := decode(raw)
		return p, err
	}
}

// NoAnswer is what Reply returns where the vendor knows no result that means
// "no decision": the agent gets this JSON-RPC error instead.
type NoAnswer struct {
	Code    int // 0 means -32603
	Message string
}

func (e *NoAnswer) Error() string {
	if e.Message == "" {
		return "dialect: no answer"
	}
	return "dialect: no answer: " + e.Message
}

// Usable reports whether an error of a decoder leaves the params usable: nil, or a
// [*SoftError] without a [*ParamsError] beside it.
func Usable(err error) bool {
	if err == nil {
		return true
	}
	var soft *SoftError
	var hard *ParamsError
	return errors.As(err, &soft) && !errors.As(err, &hard)
}
