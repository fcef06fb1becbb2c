package main

import (
	"errors"
	"fmt"
	"io"
)

// A player plays a script. One goroutine does it all, a step at a time; only
// the reading of stdin goes on beside it. So a script is played the same way
// however the client's messages arrive.
type player struct {
	script *script
	in     *mailbox
	out    *output
	stderr io.Writer

	queue    []message            // named by the script, not taken yet
	taken    map[string][]message // taken, by method, in order
	open     []message            // requests taken and not answered
	answers  map[string][]message // the client's answers, by id
	awaited  map[string]int       // how many of them were awaited
	missing  int                  // answers that did not come yet
	answerID string               // the last awaited
	played   map[string]int       // groups played, by method
	sessions int                  // opened by the default answer
	session  string               // the last that was opened or named
	cwd      string               // the last that was named
	nextID   int                  // of the agent's requests

	current   message // what the group is played for
	i         int     // the repetition
	silent    bool    // the group ends without default answers
	cancelled bool    // the turn ends at the next step
	ignoreEOF bool
}

// exit is the end that the script wants.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

var (
	errEOF       = errors.New("the client closed stdin")
	errCancelled = errors.New("the turn was cancelled")
)

func newPlayer(s *script, stdin io.Reader, stdout io.WriteCloser, stderr io.Writer) *player {
	p := &player{
		script: s, in: newMailbox(stdin), stderr: stderr,
		taken: map[string][]message{}, answers: map[string][]message{}, awaited: map[string]int{},
		played: map[string]int{},
	}
	p.out = &output{w: stdout, sent: map[string]int{}, requested: func() { p.missing++ }, answered: p.close}
	return p
}

// run plays until the client is gone or the script ends the agent, and gives
// the exit status.
func (p *player) run() (int, error) {
	err := p.play(p.script.start)
	for err == nil {
		for err == nil && len(p.queue) == 0 {
			err = p.receive(nil)
		}
		if err == nil {
			err = p.serve()
		}
	}
	var code exit
	switch {
	case errors.As(err, &code):
		return int(code), nil
	case errors.Is(err, errEOF), errors.As(err, new(gone)):
		return 0, nil
	}
	return 2, err
}

// serve takes the first message of the queue and plays its group. The groups of
// a method are played in turn, the last one again and again.
func (p *player) serve() error {
	m := p.queue[0]
	p.queue = p.queue[1:]
	p.take(m)
	groups := p.script.groups[m.method()]
	if len(groups) == 0 || m.cancelled {
		return p.finish(m.cancelled)
	}
	g := groups[min(p.played[m.method()], len(groups)-1)]
	p.played[m.method()]++
	p.current = m
	return p.play(g)
}

// play plays the steps of a group and gives the default answer to every request
// that it took and left open.
func (p *player) play(g *group) error {
	p.silent = false
	for _, s := range g.steps {
		err := p.poll()
		if err == nil {
			err = s.do(p)
		}
		if errors.Is(err, errCancelled) {
			break
		}
		if err != nil {
			return p.located(s, err)
		}
	}
	return p.finish(p.cancelled)
}

// located adds the script's line to what is wrong with the script.
func (p *player) located(s step, err error) error {
	if errors.As(err, new(exit)) || errors.As(err, new(gone)) || errors.Is(err, errEOF) {
		return err
	}
	return fmt.Errorf("%s:%d: %w", p.script.name, s.line, err)
}

// finish answers what is open, unless the script wants silence, and forgets it.
func (p *player) finish(cancelled bool) error {
	open := p.open
	p.open, p.cancelled, p.current = nil, false, message{}
	if p.silent {
		return nil
	}
	for _, m := range open {
		if err := p.answerByDefault(m, cancelled); err != nil {
			return err
		}
	}
	return nil
}

// take makes a message the script's: placeholders can name it from now on.
func (p *player) take(m message) {
	p.taken[m.method()] = append(p.taken[m.method()], m)
	if s := m.param("sessionId"); s != "" {
		p.session = s
	}
	if s := m.param("cwd"); s != "" {
		p.cwd = s
	}
	if m.isRequest() {
		p.open = append(p.open, m)
	}
}

// close takes a request out of the open ones: it was answered.
func (p *player) close(id string) {
	for i, m := range p.open {
		if string(m.ID) == id {
			p.open = append(p.open[:i:i], p.open[i+1:]...)
			return
		}
	}
}
