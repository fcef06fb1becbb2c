package dialect

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
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
	if s := Text(raw); s != "" {
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

// MarshalJSON gives back what came.
func (n Number) MarshalJSON() ([]byte, error) {
	switch {
	case len(n.Raw) > 0:
		return n.Raw, nil
	case !n.Valid:
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, n.Value, 'g', -1, 64), nil
}

// Int gives the number as an integer, cut to the range of int64 and towards
// zero; 0 if there is none.
func (n Number) Int() int64 {
	switch {
	case !n.Valid:
		return 0
	case n.Value >= math.MaxInt64:
		return math.MaxInt64
	case n.Value <= math.MinInt64:
		return math.MinInt64
	}
	return int64(n.Value)
}
