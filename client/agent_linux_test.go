package client

import (
	"errors"
	"syscall"
	"testing"
)

// Here the processes that have left the group are found too.
func TestCloseEndsWhatHasLeftTheGroup(t *testing.T) {
	c := crewOf(t, "wrapper/agent/child:detached:stubborn")
	a := crewed(t, c, nil, nil, quick)
	c.wait(3)
	if got, err := syscall.Getpgid(c.pids["child"]); err != nil || got != c.pids["child"] {
		t.Fatalf("the child has not left the group: %d, %v", got, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	c.gone()
}

// A process that has left the group holds the agent's streams after its death,
// and nobody waits for it.
func TestStreamsThatAreHeldDoNotHideADeath(t *testing.T) {
	c := crewOf(t, "agent/child:detached:stubborn")
	a, failed := holding(t, c, quick)
	c.wait(2)
	if err := syscall.Kill(c.pids["agent"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var exit *ExitError
	if err := <-failed; !errors.As(err, &exit) || exit.Signal != "SIGKILL" {
		t.Errorf("%v", err)
	}
	<-a.Done()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	noGoroutines(t)
	if err := syscall.Kill(c.pids["child"], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}
