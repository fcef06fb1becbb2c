package state

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// A todoList is a session's todos: the changes that made it, in the order in
// which they came. A report that waited for its tool call takes its place among
// them when it is delivered, so the list is the same whatever came first.
type todoList struct {
	changes []todoChange
}

type todoChange struct {
	dialect.Todos
	seq  uint64
	call *call // whose frame it was read from, where a report may still say better
}

// todos takes a change in and gives the whole list. It is false for one that the
// call's own report has told better.
func (s *State) todos(p place, src source, t dialect.Todos) ([]dialect.Todo, bool) {
	list := &p.session.todos
	change := todoChange{Todos: t, seq: src.seq}
	if p.call != nil && src.layer == layerObserved {
		if p.call.todosTold {
			return nil, false
		}
		change.call = p.call
	}
	if p.call != nil && src.layer == layerReport {
		p.call.todosTold = true
		list.changes = slices.DeleteFunc(list.changes, func(c todoChange) bool { return c.call == p.call })
	}
	at := len(list.changes)
	for at > 0 && list.changes[at-1].seq > change.seq {
		at--
	}
	list.changes = slices.Insert(list.changes, at, change)
	list.settle(s.oldestWaiting())
	return list.items(), true
}

// items gives the list that the changes come to.
func (l *todoList) items() []dialect.Todo {
	items := []dialect.Todo{}
	for _, c := range l.changes {
		items = bounded(mergeTodos(items, c.Todos))
	}
	return items
}

// bounded drops the oldest entries of a list that is longer than any list of a
// person's.
func bounded(items []dialect.Todo) []dialect.Todo {
	from, size := len(items), 0
	for from > 0 && len(items)-from < maxTodos {
		t := items[from-1]
		if size += len(t.ID) + len(t.Content) + len(t.Status) + len(t.Priority); size > maxTodoBytes {
			break
		}
		from--
	}
	return items[from:]
}

// settle joins the oldest changes that nothing can come between any more.
func (l *todoList) settle(oldest uint64) {
	for len(l.changes) > 1 {
		first, second := l.changes[0], l.changes[1]
		if len(l.changes) <= maxTodoChanges && (first.call != nil || second.call != nil || second.seq > oldest) {
			return
		}
		second.Todos = dialect.Todos{Items: bounded(mergeTodos(first.Items, second.Todos))}
		l.changes = slices.Delete(l.changes, 0, 1)
		l.changes[0] = second
	}
}

// mergeTodos applies a change to a list: entries with a known id are changed where
// they stand, and so are those with a known text where one of the two has no id.
func mergeTodos(have []dialect.Todo, t dialect.Todos) []dialect.Todo {
	if !t.Merge {
		return slices.Clone(t.Items)
	}
	out := slices.Clone(have)
	byID, byText := map[string]int{}, map[string]int{}
	place := func(i int, item dialect.Todo) {
		if _, known := byID[item.ID]; !known && item.ID != "" {
			byID[item.ID] = i
		}
		if _, known := byText[item.Content]; !known {
			byText[item.Content] = i
		}
	}
	for i, item := range out {
		place(i, item)
	}
	for _, item := range t.Items {
		i, known := byID[item.ID]
		if !known {
			i, known = byText[item.Content]
			known = known && (item.ID == "" || out[i].ID == "")
		}
		if !known {
			place(len(out), item)
			out = append(out, item)
			continue
		}
		to := &out[i]
		if to.ID == "" {
			to.ID = item.ID
			place(i, *to)
		}
		if item.Content != "" {
			to.Content = item.Content
		}
		if item.Status != "" {
			to.Status = item.Status
		}
		if item.Priority != "" {
			to.Priority = item.Priority
		}
	}
	return out
}
