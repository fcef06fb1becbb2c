package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acpdialects/acpdialects/dialect"
)

func TestOneLine(t *testing.T) {
	for _, tt := range []struct {
		want, what string
		why        []string
	}{
		{"", "", nil},
		{"a b c", " a\n\tb  c ", nil},
		{"what", "what", []string{"", " \n"}},
		{"what: one, two three", "what", []string{"one", "", "two\nthree"}},
	} {
		if got := dialect.OneLine(tt.what, tt.why...); got != tt.want {
			t.Errorf("OneLine(%q, %q) = %q, want %q", tt.what, tt.why, got, tt.want)
		}
	}
}

func TestUniqueIDs(t *testing.T) {
	got := dialect.UniqueIDs([]string{"a", "b", "a", "a#2", "a", ""})
	if diff := cmp.Diff([]string{"a", "b", "a#3", "a#2", "a#4", "#1"}, got); diff != "" {
		t.Error(diff)
	}
}
