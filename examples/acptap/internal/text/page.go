package text

import "strings"

// A page lays text out on a Screen: blocks of one kind stand together, an empty
// line is between those of different kinds, and streamed text flows on.
type page struct {
	screen *Screen
	kind   string // of what was printed last
	ends   int    // how many newlines it ends with, 2 at most
}

// line prints one line; those that follow each other stand together.
func (p *page) line(text string) {
	p.settle()
	p.print(p.begin("line", p.kind == "line") + text + "\n")
}

// block prints lines that belong together.
func (p *page) block(kind, text string) {
	p.settle()
	p.print(p.begin(kind, false) + strings.TrimRight(text, "\n") + "\n")
}

// stream prints a piece of text that more may follow, painted. It begins with a
// label where something else was printed before.
func (p *page) stream(kind, label, text string, paint paint) {
	p.settle()
	if p.kind != kind {
		if text = strings.TrimLeft(text, "\n"); text == "" {
			return
		}
		p.print(p.begin(kind, false) + label + paint(text))
		return
	}
	p.print(paint(text))
}

// settle begins anew after somebody was asked something.
func (p *page) settle() {
	if p.screen.wasAsked() {
		p.kind, p.ends = "line", 1
	}
}

// begin gives the room before something of a kind. Close things need no empty
// line.
func (p *page) begin(kind string, close bool) string {
	want := 2
	if close {
		want = 1
	}
	if p.kind == "" {
		want = 0
	}
	p.kind = kind
	return strings.Repeat("\n", max(0, want-p.ends))
}

func (p *page) print(text string) {
	if text == "" {
		return
	}
	ends := len(text) - len(strings.TrimRight(text, "\n"))
	if ends == len(text) {
		ends += p.ends
	}
	p.ends = min(ends, 2)
	p.screen.Print(text)
}
