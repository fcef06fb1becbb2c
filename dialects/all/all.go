// Package all registers every dialect of this module. It is for a host that
// does not know beforehand which agents it will meet:
//
//	import _ "github.com/acpdialects/acpdialects/dialects/all"
package all

import (
	_ "github.com/acpdialects/acpdialects/dialects/adapters"
	_ "github.com/acpdialects/acpdialects/dialects/claude"
	_ "github.com/acpdialects/acpdialects/dialects/cline"
	_ "github.com/acpdialects/acpdialects/dialects/codex"
	_ "github.com/acpdialects/acpdialects/dialects/copilot"
	_ "github.com/acpdialects/acpdialects/dialects/cursor"
	_ "github.com/acpdialects/acpdialects/dialects/grok"
	_ "github.com/acpdialects/acpdialects/dialects/kiro"
	_ "github.com/acpdialects/acpdialects/dialects/opencode"
	_ "github.com/acpdialects/acpdialects/dialects/qwen"
)
