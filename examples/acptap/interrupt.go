package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	acp "github.com/coder/acp-go-sdk"
)

// Why a run ends before its time.
var (
	errTimeout     = errors.New("the run took longer than --timeout")
	errInterrupted = errors.New("interrupted")
	errShowing     = errors.New("the output cannot be written")
)

// watch follows signals until the function it gives is called: an interrupt in a
// turn cancels the turn, any other one ends the run, and the agent with it. A
// broken pipe is an error of writing, not a death that leaves the agent behind.
func (r *runner) watch(stop context.CancelCauseFunc) func() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case sig := <-signals:
				if sig == syscall.SIGPIPE || sig == syscall.SIGINT && r.cancelTurn() {
					continue
				}
				stop(errInterrupted)
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// cancelTurn cancels the turn in flight, once.
func (r *runner) cancelTurn() bool {
	if !r.inTurn.CompareAndSwap(true, false) {
		return false
	}
	r.interrupted.Store(true)
	go r.agent.Cancel(context.Background(), acp.CancelNotification{SessionId: r.session})
	return true
}
