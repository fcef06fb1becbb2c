package text

import (
	"strings"

	"github.com/acpdialects/acpdialects/client"
	"github.com/acpdialects/acpdialects/dialect"
)

// Event shows a neutral event.
func (v *View) Event(ev client.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch p := ev.Payload.(type) {
	case dialect.Subagent:
		v.subagent(ev.SessionID, p)
	case dialect.Todos:
		if list := v.todos(p.Items); list != v.listed[ev.SessionID] {
			v.listed[ev.SessionID] = list
			v.page.block("todos", list)
		}
	case dialect.Image:
		v.page.line("  " + v.style.name("image ") + oneLine(p.Description) + " " + v.style.dim(oneLine(p.Path)))
	case dialect.Notice:
		v.notice(p)
	case dialect.Usage:
		v.turn(ev.SessionID).usage = p
	case dialect.Other:
		v.page.line("  " + v.style.dim(oneLine(ev.Dialect+" "+ev.WireName)))
	}
}

func (v *View) notice(n dialect.Notice) {
	paint := v.style.dim
	switch n.Kind {
	case dialect.NoticeWarning, dialect.NoticeRateLimit, dialect.NoticeRetry, dialect.NoticeUndecodable:
		paint = v.style.warn
	case dialect.NoticeError:
		paint = v.style.bad
	case dialect.NoticeSignIn:
		paint = v.style.ask
	}
	text := "  " + paint("! "+oneLine(n.Message))
	if n.URL != "" {
		text += "\n    " + oneLine(n.URL)
	}
	v.page.line(text)
}

var todoMarks = map[dialect.TodoStatus]string{
	dialect.TodoPending:    "○ ",
	dialect.TodoInProgress: "◐ ",
	dialect.TodoCompleted:  "● ",
	dialect.TodoCancelled:  "⊘ ",
}

func (v *View) todos(items []dialect.Todo) string {
	out := []string{"  " + v.style.name("todos")}
	if len(items) == 0 {
		out = append(out, "  "+v.style.dim("none"))
	}
	for _, t := range items {
		mark, known := todoMarks[t.Status]
		text := oneLine(t.Content)
		if text == "" {
			text = oneLine(t.ID)
		}
		switch {
		case !known:
			mark, text = "· ", text+v.style.dim(" "+oneLine(string(t.Status)))
		case t.Status == dialect.TodoCompleted:
			mark, text = v.style.good(mark), v.style.dim(text)
		case t.Status == dialect.TodoInProgress:
			mark = v.style.warn(mark)
		}
		out = append(out, "  "+mark+text)
	}
	return strings.Join(out, "\n")
}
