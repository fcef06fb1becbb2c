package grok

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// report makes a Report that takes the wrapped form too.
func report[P any](name, doc, source string, correlate func(P) []dialect.Finding) dialect.Method {
	return dialect.Report[P]{Name: name, Doc: doc, Source: source, Decode: decode[P](name), Correlate: correlate}
}

// decode gives the lenient decoder of a method, for both forms of its params.
func decode[P any](name string) func(json.RawMessage) (P, error) {
	return func(raw json.RawMessage) (P, error) {
		inner, err := unwrap(name, raw)
		if err != nil {
			var zero P
			return zero, err
		}
		return dialect.Lenient[P](inner)
	}
}

// unwrap gives the params of {"method": name, "params": {...}}, and anything
// else as it is. A wrapper around another method is refused: taking its params
// for ours would answer a question that was not asked.
func unwrap(name string, raw json.RawMessage) (json.RawMessage, error) {
	if rawjson.Get(raw, "params") == nil {
		return raw, nil
	}
	outer, _ := rawjson.Members(raw)
	method := outer["method"]
	if len(method) == 0 || method[0] != '"' {
		return raw, nil
	}
	if bare(rawjson.String(method)) != bare(name) {
		return nil, &dialect.ParamsError{Field: "method", Reason: "names another method than the frame"}
	}
	return outer["params"], nil
}

func bare(name string) string { return strings.TrimLeft(name, "_") }

// notice makes a Notice of one line: what, and after a colon why.
func notice(link dialect.Link, kind dialect.NoticeKind, what string, why ...string) []dialect.Finding {
	return []dialect.Finding{{Link: link, Event: dialect.Notice{Kind: kind, Message: dialect.OneLine(what, why...)}}}
}

// count words a number and what there is of it.
func count(n dialect.Number, one string) string {
	if n.Int() == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n.Int(), one)
}

// millis gives a duration of milliseconds; what is negative or absent is 0.
func millis(n dialect.Number) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(max(n.Int(), 0), most)) * time.Millisecond
}

// other hands a value on that has no neutral form.
func other(link dialect.Link, value any) []dialect.Finding {
	return []dialect.Finding{{Link: link, Event: dialect.Other{Value: value}}}
}

func inSession(id string) dialect.Link { return dialect.Link{SessionID: id} }
