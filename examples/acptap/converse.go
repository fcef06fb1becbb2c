package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// converse opens the session and sends the prompts, one turn each.
func (r *runner) converse(ctx context.Context) error {
	hello, err := r.agent.Initialize(ctx, acp.InitializeRequest{
		ClientInfo: &acp.Implementation{Name: "acptap", Version: "0.1.0"},
	})
	var version *client.VersionError
	if err == nil || errors.As(err, &version) {
		name, version := "", ""
		if info := hello.AgentInfo; info != nil {
			name, version = info.Name, info.Version
		}
		r.view.Initialized(name, version, int(hello.ProtocolVersion))
	}
	if err != nil {
		return err
	}
	if err := r.open(ctx); err != nil {
		return signIn(err, hello)
	}
	if len(r.prompts) == 0 {
		return r.chat(ctx)
	}
	for i, prompt := range r.prompts {
		if err := r.turn(ctx, prompt); err != nil {
			return err
		}
		if left := len(r.prompts) - i - 1; left > 0 && r.interrupted.Load() {
			if r.stopped {
				return nil // the turn's own end says it
			}
			return fmt.Errorf("%w: prompts not sent: %d", errInterrupted, left)
		}
	}
	return nil
}

func (r *runner) open(ctx context.Context) error {
	if r.load != "" {
		r.session = acp.SessionId(r.load)
		resp, err := r.agent.LoadSession(ctx, acp.LoadSessionRequest{SessionId: r.session, Cwd: r.cwd})
		r.modes = resp.Modes
		return r.shown(ctx, err)
	}
	resp, err := r.agent.NewSession(ctx, acp.NewSessionRequest{Cwd: r.cwd})
	if err == nil && resp.SessionId == "" {
		err = errors.New("the agent's answer to session/new has no sessionId")
	}
	r.session, r.modes = resp.SessionId, resp.Modes
	return r.shown(ctx, err)
}

// shown waits until the session is shown, so that a person is asked below it.
func (r *runner) shown(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	select {
	case <-r.host.opened:
	case <-r.agent.Done():
	case <-ctx.Done():
	}
	return nil
}

// signIn adds to an agent's refusal to open a session how it can be signed in to.
func signIn(err error, hello acp.InitializeResponse) error {
	const authRequired = -32000
	var refused *acp.RequestError
	if !errors.As(err, &refused) || refused.Code != authRequired || len(hello.AuthMethods) == 0 {
		return err
	}
	return fmt.Errorf("%w; sign in with the agent's own program first", err)
}

// turn sends one prompt. On a terminal an accepted plan is followed up: some
// agents end their turn once they have the answer, and wait to be told to begin.
func (r *runner) turn(ctx context.Context, prompt string) error {
	for {
		r.accepted.Store(false)
		r.inTurn.Store(true)
		resp, err := r.agent.Prompt(ctx, acp.PromptRequest{
			SessionId: r.session,
			Prompt:    []acp.ContentBlock{acp.TextBlock(prompt)},
		})
		r.inTurn.Store(false)
		if err != nil {
			return err
		}
		switch resp.StopReason {
		case acp.StopReasonCancelled, acp.StopReasonRefusal:
			r.stopped = true
		}
		if prompt, err = r.followUp(ctx); err != nil || prompt == "" {
			return err
		}
	}
}

// chat sends what is typed at the prompt line, until its end.
func (r *runner) chat(ctx context.Context) error {
	for {
		line, err := r.console.Prompt(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case line == "":
			continue
		}
		if err := r.turn(ctx, line); err != nil {
			var refused *acp.RequestError
			if !errors.As(err, &refused) {
				return err
			}
			r.fail(err) // the agent lives: go on
		}
	}
}

// followUp offers to go on after a plan was accepted: in which mode, and with
// which words. It gives the next prompt, or "".
func (r *runner) followUp(ctx context.Context) (string, error) {
	if r.console == nil || !r.accepted.Load() {
		return "", nil
	}
	if r.modes != nil && len(r.modes.AvailableModes) > 1 {
		mode, err := r.console.Mode(ctx, r.modes.AvailableModes)
		if err != nil {
			return "", ended(err)
		}
		if mode != "" {
			if _, err := r.agent.SetSessionMode(ctx, acp.SetSessionModeRequest{SessionId: r.session, ModeId: mode}); err != nil {
				return "", err
			}
		}
	}
	prompt, err := r.console.GoOn(ctx)
	return prompt, ended(err)
}

// ended forgives the end of the input.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
