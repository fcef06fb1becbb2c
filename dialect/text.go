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
// vendor that names two alike: the name, and for one that is taken the name with
// a number ("a", "a#2").
func UniqueIDs(names []string) []string {
	ids := make([]string, len(names))
	taken := make(map[string]bool, len(names))
	last := map[string]int{}
	for i, name := range names {
		id := name
		for n := max(last[name], 1); taken[id]; last[name] = n {
			n++
			id = name + "#" + strconv.Itoa(n)
		}
		taken[id] = true
		ids[i] = id
	}
	return ids
}
