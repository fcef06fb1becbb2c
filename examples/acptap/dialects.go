package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

// A registered method, as dialects lists it.
type registered struct {
	Dialect string   `json:"dialect"`
	Method  string   `json:"method"`
	Aliases []string `json:"aliases,omitempty"`
	Kind    string   `json:"kind"`
	Decline any      `json:"decline,omitempty"` // of an ask: a result, or an error
	Source  string   `json:"source,omitempty"`
	Doc     string   `json:"doc,omitempty"`
}

func dialects(args []string) int {
	fs := newFlags("dialects")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	if code, done := parse(fs, args); done {
		return code
	}
	if fs.NArg() != 0 {
		return badUsage("dialects", errors.New("takes no arguments"))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, d := range registry.Default().Dialects() {
		if !*asJSON {
			fmt.Fprintf(&out, "%s\n  %s\n", d.Name, d.Doc)
		}
		for _, m := range d.Methods {
			line := describe(d.Name, m.Spec())
			if !*asJSON {
				out.WriteString(line.text())
			} else if err := enc.Encode(line); err != nil {
				complain(err)
				return exitFailed
			}
		}
		if !*asJSON {
			out.WriteByte('\n')
		}
	}
	if _, err := out.WriteTo(os.Stdout); err != nil {
		complain(err)
		return exitFailed
	}
	return exitOK
}

func describe(owner string, s dialect.Spec) registered {
	out := registered{Dialect: owner, Method: s.Name, Aliases: s.Aliases, Kind: "report", Source: s.Source, Doc: s.Doc}
	if s.Ask {
		out.Kind, out.Decline = "ask", decline(s)
	}
	return out
}

// decline gives what an ask is answered with when nobody decides.
func decline(s dialect.Spec) any {
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	params, err := s.Decode(nil)
	if err == nil || params != nil {
		var result any
		if result, err = s.Reply(params, dialect.Answer{}); err == nil {
			return result
		}
	}
	const internal = -32603
	none := new(dialect.NoAnswer)
	if errors.As(err, &none) && none.Code != 0 {
		return map[string]failure{"error": {none.Code, none.Message}}
	}
	if none.Message == "" {
		none.Message = err.Error()
	}
	return map[string]failure{"error": {internal, none.Message}}
}

func (r registered) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n  %s  (%s)\n", r.Method, r.Kind)
	if len(r.Aliases) > 0 {
		fmt.Fprintf(&out, "    also     %s\n", strings.Join(r.Aliases, ", "))
	}
	fmt.Fprintf(&out, "    doc      %s\n", r.Doc)
	if r.Kind == "ask" {
		raw, _ := json.Marshal(r.Decline)
		fmt.Fprintf(&out, "    decline  %s\n", raw)
	}
	fmt.Fprintf(&out, "    source   %s\n", r.Source)
	return out.String()
}
