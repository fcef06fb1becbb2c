//go:build race

package conformance

// slowed is how many times smaller large frames are: the race detector makes the
// scanning of a megabyte a matter of a second.
const slowed = 10
