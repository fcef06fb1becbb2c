package text

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// styles are the colours of a View. On anything but a terminal, and where
// NO_COLOR or CI is set, they change nothing.
type styles struct {
	plain, dim, bold, you, name, good, bad, warn, ask paint
}

// A paint colours a text, line by line, and leaves its layout alone.
type paint func(string) string

func newStyles(w io.Writer) styles {
	r := lipgloss.NewRenderer(w)
	style := r.NewStyle
	return styles{
		plain: func(s string) string { return s },
		dim:   painter(style().Faint(true)),
		bold:  painter(style().Bold(true)),
		you:   painter(style().Foreground(lipgloss.Color("6")).Bold(true)),
		name:  painter(style().Foreground(lipgloss.Color("5"))),
		good:  painter(style().Foreground(lipgloss.Color("2"))),
		bad:   painter(style().Foreground(lipgloss.Color("1"))),
		warn:  painter(style().Foreground(lipgloss.Color("3"))),
		ask:   painter(style().Foreground(lipgloss.Color("4")).Bold(true)),
	}
}

func painter(style lipgloss.Style) paint {
	style = style.Inline(true).TabWidth(lipgloss.NoTabConversion)
	return func(s string) string {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			if line != "" {
				lines[i] = style.Render(line)
			}
		}
		return strings.Join(lines, "\n")
	}
}
