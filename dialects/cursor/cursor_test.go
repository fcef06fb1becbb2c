package cursor_test

import (
	"slices"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialects/cursor"
)

func TestDialect(t *testing.T) { dialecttest.Run(t, cursor.Dialect(), cases) }

func FuzzDialect(f *testing.F) { dialecttest.Fuzz(f, cursor.Dialect(), cases) }

var cases = slices.Concat(reports, asks, frames)

// patch gives one finding about a subagent.
func patch(link dialect.Link, p dialect.SubagentPatch) []dialect.Finding {
	return []dialect.Finding{{Link: link, Event: p}}
}
