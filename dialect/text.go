package dialect

import (
	"strconv"
	"strings"
)

// OneLine makes a text fit for Notice.Message: what, and after a colon the
// reasons why that are not blank, each without line breaks and runs of space.
func OneLine(what string, why ...string) string {
	var reasons []string
	for _, w := range why {
		if w = OneLine(w); w != "" {
			reasons = append(reasons, w)
		}
	}
	line := strings.Join(strings.Fields(what), " ")
	if reasons == nil {
		return line
	}
	return line + ": " + strings.Join(reasons, ", ")
}

// UniqueIDs gives every name an id of its own, for the items and options of a
// vendor that names two alike, or one not at all: the name, and for one that is
// taken, or empty, the name with a number that makes it none of the others ("a",
// "a#2"; "#1").
func UniqueIDs(names []string) []string {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		taken[name] = true
	}
	ids := make([]string, len(names))
	count := make(map[string]int, len(names))
	for i, name := range names {
		count[name]++
		ids[i] = name
		for name == "" || count[name] > 1 {
			ids[i] = name + "#" + strconv.Itoa(count[name])
			if !taken[ids[i]] {
				taken[ids[i]] = true
				break
			}
			count[name]++
		}
	}
	return ids
}
