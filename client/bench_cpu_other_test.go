//go:build !unix

package client_test

import "time"

func cpu() time.Duration { return 0 }
