// Package conformance holds probes of what a connection does with what agents
// write. They run over OS pipes against the connection of package client, which
// must pass all of them, and against the SDK's own, for comparison:
//
//	cd client/conformance && go test -count=1 -table
package conformance
