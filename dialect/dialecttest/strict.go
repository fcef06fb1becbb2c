package dialecttest

import (
	"bytes"
	"encoding/json"
	"errors"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/acpdialects/acpdialects/dialect"
)

// Strict decodes like [dialect.Lenient], but a member that P does not declare is a
// [*dialect.ParamsError] that names it. It is for tests that notice when a vendor
// adds or renames a member.
func Strict[P any](raw json.RawMessage) (P, error) {
	p, err := dialect.Lenient[P](raw)
	if err != nil || len(bytes.TrimSpace(raw)) == 0 {
		return p, err
	}
	var again P
	err = jsonv2.Unmarshal(raw, &again, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsonv2.RejectUnknownMembers(true))
	var unknown *jsonv2.SemanticError
	if errors.As(err, &unknown) && errors.Is(err, jsonv2.ErrUnknownName) {
		return p, &dialect.ParamsError{Field: string(unknown.JSONPointer), Reason: "is not known"}
	}
	return p, nil
}
