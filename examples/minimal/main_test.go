package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMinimalShowsTheTour(t *testing.T) {
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, ".", "../scriptedagent")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "minimal"), filepath.Join(dir, "scriptedagent")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"Welcome to the tour.",
		`[subagent started: Count files, model "", prompt "Count the *.go files and say how many there are."]`,
		`[subagent ended: Count files`,
		`[subagent updated: Count files, model "composer-2.5-fast"`,
		"That was the tour.",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestMinimalWithoutAnAgentSaysHowItIsCalled(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "minimal")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(bin).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "usage: minimal AGENT") {
		t.Errorf("it ended with %v and said %q", err, out)
	}
}
