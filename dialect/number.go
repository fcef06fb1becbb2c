package dialect

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/acpdialects/acpdialects/dialect/rawjson"
)

// A Number is a vendor's number: an integer, a float, or either in a string. It
// never fails to decode; Valid says whether there was a number.
type Number struct {
	Value float64
	Valid bool
	Raw   json.RawMessage // as it came
}

// UnmarshalJSON implements json.Unmarshaler and never returns an error.
func (n *Number) UnmarshalJSON(raw []byte) error {
	*n = Number{Raw: bytes.Clone(raw)}
	text := string(raw)
	if s := rawjson.String(raw); s != "" {
		text = s
	}
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return nil // Go's numbers have more forms than JSON's
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		n.Value, n.Valid = v, true
	}
	return nil
}

// MarshalJSON returns the number as it came.
func (n Number) MarshalJSON() ([]byte, error) {
	switch {
	case len(n.Raw) > 0:
		return n.Raw, nil
	case !n.Valid:
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, n.Value, 'g', -1, 64), nil
}

// Int returns the number as an integer, towards zero and limited to the range of
// int64; 0 if there is none. An integer keeps every digit.
func (n Number) Int() int64 {
	if !n.Valid {
		return 0
	}
	text := string(n.Raw)
	if s := rawjson.String(n.Raw); s != "" {
		text = s
	}
	if v, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64); err == nil {
		return v
	}
	switch {
	case n.Value >= math.MaxInt64:
		return math.MaxInt64
	case n.Value <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n.Value)
}

// Duration returns the number as a duration in the given unit. A negative number
// is 0, and one beyond the range of a duration is the longest one.
func (n Number) Duration(unit time.Duration) time.Duration {
	d := n.Value * float64(unit)
	switch {
	case !n.Valid || d <= 0:
		return 0
	case d >= math.MaxInt64:
		return math.MaxInt64
	}
	return time.Duration(d)
}
