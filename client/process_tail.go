package client

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"
)

// A tail keeps the end of what is written to it.
type tail struct {
	max int

	mu  sync.Mutex
	buf []byte // at most 2*max, so that cutting is rare
	cut bool   // something was dropped
}

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if over := len(b) - t.max; over > 0 {
		t.buf, t.cut, b = t.buf[:0], true, b[over:]
	}
	t.buf = append(t.buf, b...)
	if len(t.buf) > 2*t.max {
		t.trim()
	}
	return n, nil
}

func (t *tail) trim() {
	if over := len(t.buf) - t.max; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
}

// text gives what is kept, at most max bytes of valid UTF-8, and whether more
// was written than that. It begins and, unless it is final, ends with a whole
// character; what never was one shows as U+FFFD.
func (t *tail) text(final bool) (text string, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trim()
	kept := t.buf
	if t.cut {
		kept = fromCharacter(kept)
	}
	if !final {
		kept = kept[:len(kept)-unfinished(kept)]
	}
	text = strings.ToValidUTF8(string(kept), "\uFFFD")
	if over := len(text) - t.max; over > 0 { // the replacements are longer
		return string(fromCharacter([]byte(text[over:]))), true
	}
	return text, t.cut
}

// fromCharacter drops the rest of a character that b begins with.
func fromCharacter(b []byte) []byte {
	for i := range min(len(b), utf8.UTFMax) {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	if len(b) < utf8.UTFMax {
		return nil
	}
	return b // no text at all
}

// unfinished gives the length of the character that b ends in the middle of.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// lastLines gives the last n lines of a text.
func lastLines(text string, n int) string {
	text = strings.TrimRight(text, "\r\n")
	from := len(text)
	for ; n > 0 && from >= 0; n-- {
		from = strings.LastIndexByte(text[:from], '\n')
	}
	return text[from+1:]
}

// logLines is a writer that logs each line at debug level.
type logLines struct {
	log     hclog.Logger
	command string
	line    []byte
}

// longLine is where a line without an end is cut.
const longLine = 8 << 10

func (l *logLines) Write(b []byte) (int, error) {
	if !l.log.IsDebug() {
		return len(b), nil
	}
	n := len(b)
	for len(b) > 0 {
		part, after, ended := bytes.Cut(b, []byte("\n"))
		if room := longLine - len(l.line); len(part) > room {
			part, after, ended = part[:room], b[room:], true
		}
		l.line, b = append(l.line, part...), after
		if ended {
			l.flush()
		}
	}
	return n, nil
}

func (l *logLines) flush() {
	if text := strings.ToValidUTF8(strings.TrimRight(string(l.line), "\r"), "\uFFFD"); text != "" {
		l.log.Debug("agent's stderr", "command", l.command, "line", text)
	}
	l.line = l.line[:0]
}
