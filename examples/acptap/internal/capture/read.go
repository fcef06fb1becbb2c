package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Line is one line of the wire, without its newline.
type Line struct {
	Dir  string
	Wire []byte
}

// Read calls f with the lines of a capture, in their order. Empty lines are
// skipped; the first one that is wrong ends it with an error that names it.
func Read(r io.Reader, f func(Line)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		text, readErr := br.ReadBytes('\n')
		if readErr != nil && readErr != io.EOF {
			return fmt.Errorf("capture: after line %d: %w", n-1, readErr)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			line, err := parse(text)
			if err != nil {
				return fmt.Errorf("capture: line %d: %w", n, err)
			}
			f(line)
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

func parse(text []byte) (Line, error) {
	var l struct {
		Dir string          `json:"dir"`
		Msg json.RawMessage `json:"msg"`
		Raw *string         `json:"raw"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return Line{}, fmt.Errorf(`is not a capture's line, {"dir":"in","msg":{...}}: %w`, err)
	}
	switch {
	case l.Dir != In && l.Dir != Out:
		return Line{}, fmt.Errorf(`"dir" must be "in" or "out", not %q`, l.Dir)
	case l.Msg != nil && l.Raw == nil:
		return Line{l.Dir, l.Msg}, nil
	case l.Raw != nil && l.Msg == nil:
		return Line{l.Dir, []byte(*l.Raw)}, nil
	}
	return Line{}, errors.New(`needs one of "msg" and "raw"`)
}
