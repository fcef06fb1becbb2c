package cursor_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/dialect/dialecttest"
	"github.com/acpdialects/acpdialects/dialect/rawjson"
	"github.com/acpdialects/acpdialects/dialects/cursor"
)

// cursor/task comes about 2 ms after its tool call's end, or before its
// beginning. Either order gives one record only if what both of them set is the
// same.
func TestReportAndToolCallAgree(t *testing.T) {
	d := cursor.Dialect()
	spec := d.Methods[0].Spec()
	p, err := spec.Decode(json.RawMessage(`{"toolCallId":"t1","agentId":"ag-1","description":"Summarise JS","prompt":"Summarise src/*.js","subagentType":{"custom":{"unspecified":{}}},"model":"fast-1","durationMs":4208}`))
	if err != nil {
		t.Fatal(err)
	}
	report := spec.Findings(p)[0].Event.(dialect.SubagentPatch)

	input := json.RawMessage(`{"_toolName":"task","description":"Summarise JS","prompt":"Summarise src/*.js","subagentType":{"custom":{"name":"reader"}}}`)
	both := 0
	for _, members := range []string{
		`"status":"pending"`,
		`"status":"in_progress"`,
		`"status":"completed","rawOutput":{"durationMs":4210,"isBackground":false}`,
		`"status":"completed","rawOutput":{"durationMs":142,"isBackground":true}`,
		`"status":"completed","rawOutput":{"error":"x"}`,
	} {
		f := dialecttest.Update("s1", `{"sessionUpdate":"tool_call_update","toolCallId":"t1",`+members+`}`)
		f.Call = dialect.ToolCall{SessionID: "s1", ID: "t1", RawInput: input, RawOutput: rawjson.Get(f.Raw, "rawOutput"), Status: rawjson.String(rawjson.Get(f.Raw, "status"))}
		frame := d.Observe(*f)[0].Event.(dialect.SubagentPatch)
		a, b := reflect.ValueOf(report), reflect.ValueOf(frame)
		for i := range a.NumField() {
			if absent(a.Field(i)) || absent(b.Field(i)) {
				continue
			}
			both++
			if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
				t.Errorf("%s: the report's %s is %+v, the tool call's %+v", members, a.Type().Field(i).Name, a.Field(i), b.Field(i))
			}
		}
	}
	if both == 0 {
		t.Error("the report and the tool call have no field in common")
	}
}

func absent(field reflect.Value) bool {
	return field.Interface().(interface{ Absent() bool }).Absent()
}
