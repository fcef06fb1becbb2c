package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// A ParamsError is hard: the params cannot be used. Its text names the field and
// what is wrong with it, and never repeats what the agent sent.
type ParamsError struct {
	Field  string // empty: the params as a whole
	Reason string
}

func (e *ParamsError) Error() string {
	if e.Field == "" {
		return "dialect: params " + e.Reason
	}
	return fmt.Sprintf("dialect: field %q %s", e.Field, e.Reason)
}

// MissingField is the hard error for a field the method cannot do without.
func MissingField(field string) error { return &ParamsError{Field: field, Reason: "is missing"} }

// exact gives exact names, unknown fields ignored and any bytes in strings. It
// stops at the first error.
var exact = jsonv2.JoinOptions(
	jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true),
)

// lenient is exact with v1's way with a type error: skip the value, go on, report
// the first. It reads the bytes twice, so it is for what exact has refused.
var lenient = jsonv2.JoinOptions(exact, jsonv1.ReportErrorsWithLegacySemantics(true))

// Lenient decodes params the way an agent's bytes should be: field names match
// exactly, unknown fields are ignored, and a wrongly typed field is left zero (a
// pointer nil) and never loses the ones beside it; that is a [*SoftError]. Absent
// params, null and {} give the zero P. Params that are no object are a
// [*ParamsError].
func Lenient[P any](raw json.RawMessage) (P, error) {
	var p P
	raw = bytes.TrimLeft(raw, space)
	if len(raw) == 0 || raw[0] == 'n' && string(bytes.TrimRight(raw, space)) == "null" {
		return p, nil
	}
	if raw[0] != '{' {
		return p, &ParamsError{Reason: "must be an object"}
	}
	if jsonv2.Unmarshal(raw, &p, exact) == nil {
		return p, nil
	}
	var again P // what exact left in p ends at its first error
	var nils nilPointers
	err := jsonv2.Unmarshal(raw, &again, lenient, jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(nils.unmarshal)))
	if err == nil {
		return again, nils.soft(reflect.TypeFor[P]())
	}
	if soft := softError(reflect.TypeFor[P](), err); soft != nil {
		return again, soft
	}
	return *new(P), &ParamsError{Reason: "are not valid JSON"}
}

const space = " \t\r\n"
