package main

import (
	"errors"
	"fmt"
	"time"
)

var errTimeout = errors.New("the time is over")

// poll takes in what has come, without waiting.
func (p *player) poll() error {
	messages, _ := p.in.take()
	return p.route(messages)
}

// receive waits for something to come and takes it in. It ends with errTimeout
// when timeout fires, and with errEOF when nothing can come any more.
func (p *player) receive(timeout <-chan time.Time) error {
	for {
		messages, ended := p.in.take()
		switch {
		case len(messages) > 0:
			return p.route(messages)
		case ended && !p.ignoreEOF:
			return errEOF
		case ended && timeout == nil:
			forever()
		}
		select {
		case <-p.in.wake:
		case <-timeout:
			return errTimeout
		}
	}
}

// route sorts what came: answers to their requests, what the script names to
// the queue. The rest is answered by default on the spot. It tells a turn that
// it was cancelled.
func (p *player) route(messages []message) error {
	for _, m := range messages {
		switch {
		case m.noise != "":
			fmt.Fprintf(p.stderr, "scriptedagent: the client wrote a line that is no JSON-RPC message: %.100q\n", m.noise)
		case m.Method == nil:
			p.answered(m)
		case p.script.named[m.method()]:
			p.queue = append(p.queue, m)
		case m.method() == "session/cancel":
			p.cancel(m.param("sessionId"))
		case m.isRequest():
			p.take(m)
			if err := p.answerByDefault(m, false); err != nil {
				return err
			}
		}
	}
	if p.cancelled {
		return errCancelled
	}
	return nil
}

// answered files an answer of the client.
func (p *player) answered(m message) {
	id := string(m.ID)
	if len(p.answers[id]) == p.out.sent[id] {
		fmt.Fprintf(p.stderr, "scriptedagent: the client answered %.100s, and no request with that id is open\n", id)
		return
	}
	p.answers[id] = append(p.answers[id], m)
	p.missing--
}

// cancel ends the session's turn at the next step, and its waiting prompts as
// soon as it is their turn.
func (p *player) cancel(session string) {
	isPrompt := func(m message) bool {
		return m.method() == "session/prompt" && m.param("sessionId") == session
	}
	for _, m := range p.open {
		p.cancelled = p.cancelled || isPrompt(m)
	}
	for i, m := range p.queue {
		p.queue[i].cancelled = m.cancelled || isPrompt(m)
	}
}

// wait takes the client's next message of the method, which may be there
// already.
func (p *player) wait(method string) error {
	for {
		for i, m := range p.queue {
			if m.method() == method {
				p.queue = append(p.queue[:i:i], p.queue[i+1:]...)
				p.take(m)
				return nil
			}
		}
		if err := p.receive(nil); err != nil {
			return err
		}
	}
}

// await waits for the answers to the agent's requests with these ids, or, if
// there are none, to all that are open. Each call takes one more answer of an
// id that was used more than once.
func (p *player) await(ids []string) error {
	for _, id := range ids {
		if p.out.sent[id] == p.awaited[id] {
			return fmt.Errorf("no request with the id %s is open", id)
		}
		for len(p.answers[id]) == p.awaited[id] {
			if err := p.receive(nil); err != nil {
				return err
			}
		}
		p.awaited[id]++
		p.answerID = id
	}
	for len(ids) == 0 && p.missing > 0 {
		if err := p.receive(nil); err != nil {
			return err
		}
	}
	return nil
}

// pause lets time pass, but does not keep a client that is gone.
func (p *player) pause(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		err := p.receive(timer.C)
		if errors.Is(err, errTimeout) || errors.Is(err, errEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
