package dialecttest_test

import (
	"encoding/json"
	"testing"

	"github.com/acpdialects/acpdialects/dialect/dialecttest"
)

type strictParams struct {
	ID    string `json:"id"`
	Inner struct {
		Name string `json:"name"`
	} `json:"inner"`
}

func TestStrictNamesUnknownFields(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{``, ``},
		{`null`, ``},
		{`{"id":"a","inner":{"name":"b"}}`, ``},
		{`{"id":"a","acme":1}`, `dialect: field "/acme" is not known`},
		{`{"inner":{"name":"b","acme":1}}`, `dialect: field "/inner/acme" is not known`},
		{`{"id":7,"acme":1}`, `dialect: field /id: a JSON number is not what was expected`},
		{`[]`, `dialect: params must be an object`},
	} {
		_, err := dialecttest.Strict[strictParams](json.RawMessage(c.raw))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: error %q, want %q", c.raw, got, c.want)
		}
	}
}
