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

// maxLine bounds the lines of a capture: a frame of 64 MiB fits, however it is
// written.
const maxLine = 512 << 20

// Read calls f with the lines of a capture, in their order. Empty lines are
// skipped; bad is told of those that are wrong, by an error that names the line,
// and reading goes on. The error of Read is that of the file.
func Read(r io.Reader, f func(Line), bad func(error)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		text, readErr := readLine(br)
		if readErr != nil && readErr != io.EOF {
			return fmt.Errorf("capture: after line %d: %w", n-1, readErr)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if line, err := parse(text); err != nil {
				bad(fmt.Errorf("capture: line %d: %w", n, err))
			} else {
				f(line)
			}
		}
		if readErr == io.EOF {
			return nil
		}
	}
}

// readLine reads to the next newline.
func readLine(br *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		chunk, err := br.ReadSlice('\n')
		line = append(line, chunk...)
		switch {
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line of more than %d bytes: this is no capture", maxLine)
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
		return Line{}, errors.New(`is not a capture's line, {"dir":"in","msg":{...}}`)
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
