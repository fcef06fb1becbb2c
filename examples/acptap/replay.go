package main

import (
	"encoding/json"
	"fmt"
	"os"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/capture"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/lines"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/text"
	"github.com/acpdialects/acpdialects/registry"
)

func replay(args []string) int {
	fs := newFlags("replay")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	if code, done := parse(fs, args); done {
		return code
	}
	if fs.NArg() != 1 {
		return badUsage("replay", fmt.Errorf("want one capture, not %d", fs.NArg()))
	}
	file, err := os.Open(fs.Arg(0))
	if err != nil {
		return badUsage("replay", err)
	}
	defer file.Close()

	var broken error
	failed := func(err error) { broken = err }
	var r *client.Replay
	var v view
	if *asJSON {
		v = lines.New(os.Stdout, failed)
	} else {
		tv := text.NewView(text.NewScreen(os.Stdout, nil, failed))
		tv.Subagents = func(session string) []dialect.Subagent { return r.Subagents(acp.SessionId(session)) }
		v = tv
	}
	opts := &client.Options{Registry: registry.Default()}
	show(v, opts)
	r = client.NewReplay(opts)
	told := &answers{view: v}
	r.Answered = told.answered

	err = capture.Read(file, func(l capture.Line) {
		if l.Dir == capture.In {
			r.In(l.Wire)
			return
		}
		told.called(l.Wire)
		r.Out(l.Wire)
	}, func(err error) {
		v.Failed(err.Error())
		complain(fmt.Errorf("%s: %w", fs.Arg(0), err))
	})
	r.Close()
	if err == nil {
		err = broken
	}
	if err != nil {
		v.Failed(err.Error())
		complain(fmt.Errorf("%s: %w", fs.Arg(0), err))
		return exitFailed
	}
	return exitOK
}

// answers shows what the answers to initialize and to the calls that open a
// session say.
type answers struct {
	view   view
	loaded []string // sessions to be loaded or resumed, by the calls in flight
}

// called notes the session of a load.
func (a *answers) called(line []byte) {
	switch rawjson.String(rawjson.Get(line, "method")) {
	case "session/load", "session/resume":
		a.loaded = append(a.loaded, rawjson.String(rawjson.Get(line, "params", "sessionId")))
	}
}

func (a *answers) answered(method string, result json.RawMessage, err error) {
	var loaded string
	if (method == "session/load" || method == "session/resume") && len(a.loaded) > 0 {
		loaded, a.loaded = a.loaded[0], a.loaded[1:]
	}
	if err != nil {
		return
	}
	switch method {
	case "initialize":
		hello, _ := dialect.Lenient[struct {
			Version   dialect.Number `json:"protocolVersion"`
			AgentInfo struct {
				Name    string `json:"name"`
				Version string `json:"version"`
			} `json:"agentInfo"`
		}](result)
		a.view.Initialized(hello.AgentInfo.Name, hello.AgentInfo.Version, int(hello.Version.Int()))
	case "session/new", "session/fork":
		a.view.Session(rawjson.String(rawjson.Get(result, "sessionId")))
	case "session/load", "session/resume":
		a.view.Session(loaded)
	}
}
