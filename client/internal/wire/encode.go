package wire

import "encoding/json"

// Answer makes the frame of an answer: of e, or of result.
func Answer(id, result []byte, e *Error) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if e != nil {
		raw, err := json.Marshal(e)
		if err != nil { // its Data is no JSON
			raw, _ = json.Marshal(&Error{Code: e.Code, Message: e.Message})
		}
		out = append(append(out, `,"error":`...), raw...)
		return append(out, '}')
	}
	if len(result) == 0 {
		result = []byte("null")
	}
	out = append(append(out, `,"result":`...), result...)
	return append(out, '}')
}

// Call makes the frame of a request, or of a notification if id is nil.
func Call(id []byte, method string, params []byte) []byte {
	name, _ := json.Marshal(method)
	out := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		out = append(append(out, `,"id":`...), id...)
	}
	out = append(append(out, `,"method":`...), name...)
	if len(params) > 0 {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}')
}
