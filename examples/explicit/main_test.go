package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTalk(t *testing.T) {
	agent := filepath.Join(t.TempDir(), "scriptedagent")
	if out, err := exec.Command("go", "build", "-o", agent, "../scriptedagent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := talk(ctx, &out, exec.Command(agent), "Hello!"); err != nil {
		t.Fatal(err)
	}
	want := `task "Count files" ran on composer-2.5-fast
task "Watch the tests" ran on composer-2.5-fast
question "Setup": accepted
plan "Add a cache": 
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
