package text

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
)

// A Console asks the person at the terminal, one thing at a time.
type Console struct {
	screen *Screen
	style  styles

	turn  chan struct{} // held by the one who asks
	lines chan typed
	once  sync.Once
	in    io.Reader

	mu     sync.Mutex
	number int // of the question that is open now, or the last
}

// A typed line belongs to the question that was open when it was entered: no
// line answers a question that its writer has not seen.
type typed struct {
	text   string
	number int
	err    error
}

// NewConsole asks on a screen and reads lines from in.
func NewConsole(screen *Screen, in io.Reader) *Console {
	return &Console{screen: screen, style: newStyles(screen.out), in: in, turn: make(chan struct{}, 1), lines: make(chan typed)}
}

// Prompt asks for the next prompt. At the end of the input it gives io.EOF, and
// when ctx ends, ctx's error; so do all the others.
func (c *Console) Prompt(ctx context.Context) (string, error) {
	return c.alone(ctx, "\n"+c.style.you("› "))
}

// alone asks for a line when nothing else is asked.
func (c *Console) alone(ctx context.Context, text string) (string, error) {
	done, err := c.begin(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return c.line(ctx, text)
}

// begin waits for its turn to ask.
func (c *Console) begin(ctx context.Context) (done func(), err error) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// line prints text and gives the line that is entered.
func (c *Console) line(ctx context.Context, text string) (string, error) {
	c.once.Do(func() { go c.read() })
	c.mu.Lock()
	c.number++
	number := c.number
	c.mu.Unlock()
	c.screen.beginAsking(text)
	for {
		select {
		case l := <-c.lines:
			if l.err == nil && l.number != number {
				continue
			}
			c.screen.endAsking(l.err != nil)
			return strings.TrimSpace(l.text), l.err
		case <-ctx.Done():
			c.screen.endAsking(true)
			return "", ctx.Err()
		}
	}
}

// read reads lines for as long as the program runs: a read of a terminal cannot
// be taken back.
func (c *Console) read() {
	br := bufio.NewReader(c.in)
	for {
		text, err := br.ReadString('\n')
		if text != "" {
			err = nil
		}
		c.mu.Lock()
		l := typed{text, c.number, err}
		c.mu.Unlock()
		c.lines <- l
	}
}
