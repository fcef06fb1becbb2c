package client

import (
	"context"
	"errors"

	acp "github.com/coder/acp-go-sdk"
)

// Sentinels, for errors.Is.
var (
	// ErrClosed is in the error of every call on a connection that Close ended.
	ErrClosed = errors.New("client: the connection is closed")
	// ErrDisconnected is in the error of every call that was pending when the
	// agent went away, and of every later one.
	ErrDisconnected = errors.New("client: the agent disconnected")
	// ErrEcho is in the error of a call that came back as it was sent, instead
	// of an answer: at the other end is no agent.
	ErrEcho = errors.New("client: the call came back as it was sent: that is no ACP agent")
	// ErrNotReading ends a connection whose agent leaves 64 MiB of answers
	// unread.
	ErrNotReading = errors.New("client: the agent does not read its input")
	// ErrNested refuses a Prompt made with the context of a callback: its own
	// session's callbacks could not run while it waits. Start it elsewhere,
	// with a context of your own.
	ErrNested = errors.New("client: Prompt called with the context of a callback")
	// ErrSettled refuses an answer to an ask that is answered already.
	ErrSettled = errors.New("client: the ask is settled already")
	// ErrNotOffered refuses an answer that the agent did not offer.
	ErrNotOffered = errors.New("client: the answer was not offered")
)

// requestError makes a JSON-RPC error of any error. A wrapped RequestError
// keeps its code, which the SDK's own conversion loses.
func requestError(err error) *acp.RequestError {
	var re *acp.RequestError
	switch {
	case errors.As(err, &re):
		return re
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return acp.NewRequestCancelled(map[string]any{"error": err.Error()})
	}
	return acp.NewInternalError(map[string]any{"error": err.Error()})
}
