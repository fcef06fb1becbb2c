//go:build !race

package conformance

const slowed = 1
