package dialect

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// nilPointers leaves a pointer nil where the value is not of the kind that it
// points to. A zero value there would say something that the agent did not.
type nilPointers struct {
	first string // JSON pointer of the first
	kind  jsontext.Kind
}

// unmarshal is called for every value, with a pointer to where it goes.
func (n *nilPointers) unmarshal(dec *jsontext.Decoder, into any) error {
	t, kind := reflect.TypeOf(into).Elem(), dec.PeekKind()
	if t.Kind() != reflect.Pointer || fits(t.Elem(), kind) {
		return errors.ErrUnsupported
	}
	if err := dec.SkipValue(); err != nil {
		return err
	}
	if n.kind == 0 {
		n.first, n.kind = string(dec.StackPointer()), kind
	}
	return nil
}

// soft gives the soft error for what was left nil.
func (n *nilPointers) soft(t reflect.Type) error {
	if n.kind == 0 {
		return nil
	}
	path := strings.ReplaceAll(strings.TrimPrefix(n.first, "/"), "/", ".")
	return &SoftError{Field: pointer(t, path), Err: fmt.Errorf("a JSON %v is not what was expected", n.kind)}
}

var decodesItself = []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[jsonv2.UnmarshalerFrom]()}

// fits reports whether a JSON value may be decoded into a type, by its kind.
func fits(t reflect.Type, kind jsontext.Kind) bool {
	for _, own := range decodesItself {
		if reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	text := reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) ||
		(t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() == reflect.Uint8
	if text && kind == '"' {
		return true
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strings.ContainsRune("0n", rune(kind))
	case reflect.Bool:
		return strings.ContainsRune("tfn", rune(kind))
	case reflect.String:
		return strings.ContainsRune("\"n", rune(kind))
	case reflect.Struct, reflect.Map:
		return strings.ContainsRune("{n", rune(kind))
	case reflect.Slice, reflect.Array:
		return strings.ContainsRune("[n", rune(kind))
	}
	return true
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
