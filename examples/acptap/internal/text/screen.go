package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// A Screen is where text goes. What is printed stays; below it, on a terminal, a
// live part is redrawn as it changes. While somebody is asked something the rest
// waits, so that nothing is written into what is typed.
type Screen struct {
	mu   sync.Mutex
	out  io.Writer
	size func() (width, height int) // nil: no terminal
	err  error

	broken func(error)

	column int      // where the printed text ends
	live   []string // the live part, one line each
	drawn  int      // how many of them stand on the terminal
	asking bool
	asked  bool            // since the page last looked
	held   strings.Builder // printed while asking
}

// NewScreen writes to out. If it is a terminal, size gives its size; otherwise
// size is nil. The first time that a write fails, broken is called.
func NewScreen(out io.Writer, size func() (width, height int), broken func(error)) *Screen {
	return &Screen{out: out, size: size, broken: broken}
}

// Print adds text, which stays.
func (s *Screen) Print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asking {
		s.held.WriteString(text)
		return
	}
	s.write(s.erase() + s.advance(text) + s.draw())
}

// Live replaces the live part.
func (s *Screen) Live(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	if s.size == nil || slices.Equal(lines, s.live) {
		return
	}
	erase := ""
	if !s.asking {
		erase = s.erase()
	}
	s.live = lines
	if !s.asking {
		s.write(erase + s.draw())
	}
}

// beginAsking prints what is asked and holds everything else back.
func (s *Screen) beginAsking(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(s.erase() + text)
	s.asking, s.asked = true, true
}

// wasAsked reports whether something was asked since the last call, so that what
// is printed now stands below an answer.
func (s *Screen) wasAsked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = false
	return asked
}

// endAsking goes on with what was held back. The cursor is at the beginning of a
// line: whoever answered ended the line, or fresh says that nobody did.
func (s *Screen) endAsking(fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := ""
	if fresh {
		text = "\n"
	}
	s.asking = false
	s.column = 0
	held := s.held.String()
	s.held.Reset()
	s.write(text + s.advance(held) + s.draw())
}

// advance follows the cursor over a text that is printed.
func (s *Screen) advance(text string) string {
	if s.size == nil {
		return text
	}
	width, _ := s.size()
	last := text
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		last, s.column = text[i+1:], 0
	}
	s.column += ansi.StringWidth(strings.ReplaceAll(last, "\t", "        "))
	if s.column > 0 && s.column%width == 0 {
		text += "\n" // the terminal would wrap with the next character only
	}
	s.column %= width
	return text
}

// draw gives the live part, below the text.
func (s *Screen) draw() string {
	if len(s.live) == 0 || s.size == nil {
		return ""
	}
	width, height := s.size()
	lines := s.live
	if room := max(1, height-2); len(lines) > room {
		lines = append(lines[:room-1:room-1], fmt.Sprintf("… %d more lines", len(lines)-room+1))
	}
	s.drawn = len(lines)
	var out strings.Builder
	for i, line := range lines {
		if i > 0 || s.column > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(ansi.Truncate(line, width-1, "…"))
	}
	return out.String()
}

// erase takes the live part off the terminal and puts the cursor back to where
// the text ends.
func (s *Screen) erase() string {
	if s.drawn == 0 {
		return ""
	}
	up := s.drawn - 1
	if s.column > 0 {
		up++
	}
	s.drawn = 0
	out := "\r"
	if up > 0 {
		out += ansi.CursorUp(up)
	}
	if s.column > 0 {
		out += ansi.CursorForward(s.column)
	}
	return out + ansi.EraseScreenBelow
}

func (s *Screen) write(text string) {
	if s.err != nil || text == "" {
		return
	}
	if _, s.err = io.WriteString(s.out, text); s.err != nil {
		s.broken(s.err)
	}
}
