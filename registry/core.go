package registry

import "strings"

// coreNames and coreNamespaces belong to the protocol, in every version of it.
var (
	coreNames      = []string{"initialize", "authenticate", "logout"}
	coreNamespaces = []string{"session/", "fs/", "terminal/", "elicitation/", "mcp/", "document/", "nes/", "providers/", "auth/", "$/"}
)

// Core reports whether the protocol keeps a method name for itself. A vendor's
// "authenticate/update" or "_session/list/changes" is not such a name.
func Core(name string) bool {
	for _, n := range coreNames {
		if name == n {
			return true
		}
	}
	for _, ns := range coreNamespaces {
		if strings.HasPrefix(name, ns) {
			return true
		}
	}
	return false
}
