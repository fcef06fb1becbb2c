package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/capture"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/lines"
	"github.com/acpdialects/acpdialects/examples/acptap/internal/text"
)

// A runner is one run.
type runner struct {
	config
	view    view
	console *text.Console   // nil: there is nobody to ask
	capture *capture.Writer // nil: nothing is recorded
	host    *host
	agent   *client.Agent

	session     acp.SessionId
	modes       *acp.SessionModeState
	accepted    atomic.Bool // a plan, in this turn
	inTurn      atomic.Bool // a turn that can be cancelled
	interrupted atomic.Bool // a person cancelled a turn
	stopped     bool        // a turn ended cancelled or refusal
	failure     error       // the last one

	started atomic.Pointer[client.Agent] // agent, for callbacks
}

func run(args []string) int {
	r := new(runner)
	var dialects string
	fs := runFlags(&r.config, &dialects)
	if code, done := parse(fs, args); done {
		return code
	}
	term := openTerminal(r.json)
	if err := r.check(fs, dialects, term.person); err != nil {
		return badUsage("run", err)
	}
	if r.record != "" {
		file, err := os.Create(r.record)
		if err != nil {
			return badUsage("run", fmt.Errorf("--record: %w", err))
		}
		defer file.Close()
		r.capture = capture.NewWriter(file)
	}

	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	broken := func(err error) { stop(fmt.Errorf("%w: %w", errShowing, err)) }
	screen := text.NewScreen(term.out, term.size, broken)
	if term.person {
		r.console = text.NewConsole(screen, os.Stdin)
	}
	if r.json {
		r.view = lines.New(os.Stdout, broken)
	} else {
		v := text.NewView(screen)
		v.Subagents, v.Typed, v.Asked = r.subagents, len(r.prompts) == 0, r.ask == "ask"
		r.view = v
	}
	defer r.watch(stop)()
	return r.run(ctx)
}

// run starts the agent, talks to it and ends it, and gives the exit code.
func (r *runner) run(ctx context.Context) int {
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.timeout, errTimeout)
		defer cancel()
	}
	opts := r.options()
	endTurns := show(r.view, opts)
	r.notePlans(opts)

	adoptOrphans()
	cmd := exec.Command(r.command[0], r.command[1:]...)
	cmd.Dir = r.cwd
	r.host = r.newHost()
	agent, err := client.Start(context.Background(), cmd, r.host, opts)
	if err != nil {
		r.fail(err)
		return r.code()
	}
	r.agent = agent
	r.started.Store(agent)
	defer context.AfterFunc(ctx, r.lastResort(ctx))()
	err = r.converse(ctx)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	r.finish()
	endTurns()
	if err != nil {
		r.fail(err)
	}
	r.recorded()
	if exit := r.agent.Exit(); exit != nil {
		r.view.Closed(exit.Code, exit.Signal)
	}
	return r.code()
}

// finish ends the agent and shows what it still says.
func (r *runner) finish() {
	if err := r.agent.Shutdown(); err != nil {
		complain(err)
	}
	endOrphans()
}

// lastResort ends a run that was told to end and does not, because nobody reads
// what it prints. The agent has had its time by then; what it and its commands
// left running is ended first.
func (r *runner) lastResort(ctx context.Context) func() {
	return func() {
		time.AfterFunc(15*time.Second, func() {
			var ended sync.WaitGroup
			ended.Go(func() { r.host.Close() })
			ended.Go(func() { r.agent.Close() })
			all := make(chan struct{})
			go func() { ended.Wait(); close(all) }()
			select {
			case <-all:
			case <-time.After(15 * time.Second):
			}
			endOrphans()
			os.Exit(exitFor(context.Cause(ctx)))
		})
	}
}

func (r *runner) options() *client.Options {
	opts := &client.Options{
		Registry:   r.registry,
		OnAsk:      explained(r.answers),
		AskTimeout: r.askTimeout,
		MaxFrame:   r.maxFrame,
	}
	if r.ask == "ask" {
		opts.OnAsk = r.console.Ask
	}
	if r.capture != nil {
		opts.Tap = r.capture.Line
	}
	return opts
}

// notePlans notes that a plan was accepted, besides showing it.
func (r *runner) notePlans(opts *client.Options) {
	settled := opts.OnSettled
	opts.OnSettled = func(ctx context.Context, s client.Settled) {
		if s.Question.Kind == dialect.KindPlan && s.Answer.Outcome == dialect.OutcomeAccepted {
			r.accepted.Store(true)
		}
		settled(ctx, s)
	}
}

func (r *runner) subagents(session string) []dialect.Subagent {
	agent := r.started.Load()
	if agent == nil {
		return nil // it speaks before Start has returned
	}
	return agent.Subagents(acp.SessionId(session))
}

// fail tells an error, and that the run has failed.
func (r *runner) fail(err error) {
	r.failure = err
	r.view.Failed(err.Error())
	complain(err)
}

// recorded tells if the recording is not whole, which is a failure where nothing
// else is.
func (r *runner) recorded() {
	if r.capture == nil || r.capture.Err() == nil {
		return
	}
	err := fmt.Errorf("the recording is not whole: %w", r.capture.Err())
	if r.failure == nil && !r.stopped {
		r.fail(err)
	} else {
		complain(err)
	}
}

// code gives the exit code.
func (r *runner) code() int {
	if r.failure == nil && r.stopped {
		return exitStopped
	}
	return exitFor(r.failure)
}

func exitFor(err error) int {
	switch {
	case errors.Is(err, errTimeout):
		return exitTimeout
	case err != nil:
		return exitFailed
	}
	return exitOK
}
