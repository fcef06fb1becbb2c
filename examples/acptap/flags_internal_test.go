package main

import (
	"strings"
	"testing"

	_ "github.com/acpdialects/acpdialects/dialects/grok"
)

func TestDialectsPicksTheNamedOnes(t *testing.T) {
	for list, want := range map[string]bool{"": true, "cursor": true, "grok": false, "grok, cursor": true} {
		reg, err := pick(list)
		if err != nil {
			t.Fatalf("--dialects %q: %v", list, err)
		}
		if _, got := reg.Lookup("cursor/create_plan"); got != want {
			t.Errorf("--dialects %q knows cursor/create_plan: %v, want %v", list, got, want)
		}
	}
	if _, err := pick("cursor, grok,cursor"); err == nil || !strings.Contains(err.Error(), "cursor is named twice") {
		t.Errorf("a dialect named twice gives %v", err)
	}
	if _, err := pick("acme"); err == nil || !strings.Contains(err.Error(), `"acme"; there are `) || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("an unknown dialect gives %v, want an error that lists the known ones", err)
	}
}
