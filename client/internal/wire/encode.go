package wire

import "encoding/json"

// encode gives the JSON of an error, nil for none.
func (e *Error) encode() []byte {
	if e == nil {
		return nil
	}
	raw, err := json.Marshal(e)
	if err != nil { // its Data is no JSON
		raw, _ = json.Marshal(&Error{Code: e.Code, Message: e.Message})
	}
	return raw
}

// appendAnswer appends the frame of an answer: of an encoded error, or of result.
func appendAnswer(out, id, result, failure []byte) []byte {
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	if failure != nil {
		return append(append(append(out, `,"error":`...), failure...), '}')
	}
	out = append(out, `,"result":`...)
	if len(result) == 0 {
		return append(out, `null}`...)
	}
	return append(append(out, result...), '}')
}

// Call makes the frame of a request, or of a notification if id is nil.
func Call(id []byte, method string, params []byte) []byte {
	name, _ := json.Marshal(method)
	out := make([]byte, 0, len(`{"jsonrpc":"2.0","id":,"method":,"params":}`)+len(id)+len(name)+len(params)+1)
	out = append(out, `{"jsonrpc":"2.0"`...)
	if id != nil {
		out = append(append(out, `,"id":`...), id...)
	}
	out = append(append(out, `,"method":`...), name...)
	if len(params) > 0 {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}')
}
