package lines

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// harmless escapes in a line of JSON what JSON does not: characters that some
// readers take for the end of a line or a terminal for a command, and bytes that
// are no UTF-8. They can only stand in strings.
func harmless(line []byte) []byte {
	if !strings.ContainsFunc(string(line), harmful) {
		return line
	}
	var out strings.Builder
	for _, r := range string(line) {
		if harmful(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return []byte(out.String())
}

func harmful(r rune) bool {
	return r == utf8.RuneError || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029'
}
