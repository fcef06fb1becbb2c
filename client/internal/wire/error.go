package wire

import "encoding/json"

// Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// The codes of JSON-RPC and of the protocol.
const (
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeOverload       = -32000
)

// MethodNotFound is the error for a name nobody answers to.
func MethodNotFound(method string) *Error {
	data, _ := json.Marshal(map[string]string{"method": method})
	return &Error{Code: CodeMethodNotFound, Message: "Method not found", Data: data}
}

// InvalidParams is the error for params that cannot be used.
func InvalidParams(method, reason string) *Error {
	data, _ := json.Marshal(map[string]string{"method": method, "error": reason})
	return &Error{Code: CodeInvalidParams, Message: "Invalid params: " + method + ": " + reason, Data: data}
}

// Internal is the error for what went wrong on our side.
func Internal(reason string) *Error {
	return &Error{Code: CodeInternal, Message: "Internal error: " + reason}
}
