package dialect

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// A SoftError says that a part of the params was not understood. What was
// understood is usable, and the event that comes of it carries the error.
type SoftError struct {
	Field string // a JSON pointer, or empty
	Err   error
}

func (e *SoftError) Error() string {
	if e.Field == "" {
		return "dialect: " + e.Err.Error()
	}
	return fmt.Sprintf("dialect: field %s: %v", e.Field, e.Err)
}

func (e *SoftError) Unwrap() error { return e.Err }

// softError gives the soft error for what a lenient decoder says, nil if that
// is about the JSON itself.
func softError(t reflect.Type, err error) error {
	var wrong *jsonv1.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ") // the rest is what the agent sent
		return &SoftError{Field: pointer(t, wrong.Field), Err: fmt.Errorf("a JSON %s is not what was expected", kind)}
	}
	var other *jsonv2.SemanticError
	if errors.As(err, &other) {
		return &SoftError{Err: errors.New("a value is not what was expected")}
	}
	return nil
}

// pointer gives the JSON pointer for a path with dots, as far as the type knows
// its names: the keys of a map are the agent's, and no error repeats them.
func pointer(t reflect.Type, path string) string {
	var out strings.Builder
	for path != "" {
		switch t.Kind() {
		case reflect.Pointer:
			t = t.Elem()
		case reflect.Slice, reflect.Array:
			index, rest, _ := strings.Cut(path, ".")
			if _, err := strconv.Atoi(index); err != nil {
				return out.String()
			}
			out.WriteString("/" + index)
			t, path = t.Elem(), rest
		case reflect.Struct:
			name, field := member(t, path)
			if field == nil {
				return out.String()
			}
			out.WriteString("/" + name)
			t, path = field, strings.TrimPrefix(path[len(name):], ".")
		default:
			return out.String()
		}
	}
	return out.String()
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// member finds the field that a path begins with, and its name as it stands in
// a pointer. Names may hold dots.
func member(t reflect.Type, path string) (string, reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		name = escape.Replace(name)
		if path == name || strings.HasPrefix(path, name+".") {
			return name, f.Type
		}
	}
	return "", nil
}
