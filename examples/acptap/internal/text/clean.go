package text

import (
	"strings"
	"unicode"
)

// Clean makes an agent's text harmless to a terminal: control characters are
// shown, not obeyed, and so are the marks that change the direction of writing.
// Newlines and tabs stay.
func Clean(s string) string {
	if !strings.ContainsFunc(s, shown) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var out strings.Builder
	for _, r := range s {
		switch {
		case !shown(r):
			out.WriteRune(r)
		case r < 0x20:
			out.WriteRune('\u2400' + r) // the pictures of the control characters
		case r == 0x7f:
			out.WriteRune('\u2421')
		default:
			out.WriteRune(unicode.ReplacementChar)
		}
	}
	return out.String()
}

func shown(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', '\u061c', '\u200e', '\u200f':
		return true
	}
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// oneLine is Clean for where there is room for a line only.
func oneLine(s string) string {
	return strings.Join(strings.Fields(Clean(s)), " ")
}

// head gives the first lines of a text, and says if there were more.
func head(s string, lines int) string {
	all := strings.Split(strings.TrimSpace(Clean(s)), "\n")
	if len(all) > lines {
		all = append(all[:lines], "…")
	}
	return strings.Join(all, "\n")
}

// indent begins every line of a text with something.
func indent(s, with string) string {
	return with + strings.ReplaceAll(s, "\n", "\n"+with)
}
