package client

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestZeroWorkspaceGrantsNothing(t *testing.T) {
	dir := tempDir(t)
	l := looped(t, &Workspace{}, nil, dir)
	got := map[string]any{}
	for _, r := range []struct{ method, params string }{
		{"fs/read_text_file", `{"sessionId":"s1","path":"$WS/x"}`},
		{"fs/write_text_file", `{"sessionId":"s1","path":"$WS/x","content":"x"}`},
		{"terminal/create", `{"sessionId":"s1","command":"touch","args":["$WS/y"]}`},
		{"terminal/output", `{"sessionId":"s1","terminalId":"term-1"}`},
		{"terminal/wait_for_exit", `{"sessionId":"s1","terminalId":"term-1"}`},
		{"terminal/kill", `{"sessionId":"s1","terminalId":"term-1"}`},
		{"terminal/release", `{"sessionId":"s1","terminalId":"term-1"}`},
	} {
		got[r.method] = l.ask(r.method, params(r.params, dir, "")).Error.Code
	}
	want := map[string]any{
		"fs/read_text_file": -32601, "fs/write_text_file": -32601, "terminal/create": -32601, "terminal/output": -32601,
		"terminal/wait_for_exit": -32601, "terminal/kill": -32601, "terminal/release": -32601,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	f := l.ask("session/request_permission", `{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[
		{"optionId":"yes","name":"Allow once","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}`)
	if diff := cmp.Diff(`{"outcome":{"optionId":"no","outcome":"selected"}}`, string(f.Result)); diff != "" {
		t.Error(diff)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("the agent made %q", left)
	}
	for _, word := range []string{"readTextFile", "writeTextFile", `"terminal":true`} {
		if strings.Contains(string(l.greet), word) {
			t.Errorf("initialize offers %s: %s", word, l.greet)
		}
	}
}

func TestCapabilitiesAreWhatTheWorkspaceGrants(t *testing.T) {
	for _, c := range []struct {
		host *Workspace
		want string
	}{
		{&Workspace{}, `{}`},
		{&Workspace{Files: ReadFiles}, `{"readTextFile":true}`},
		{&Workspace{Files: ReadWriteFiles}, `{"readTextFile":true,"writeTextFile":true}`},
		{&Workspace{Terminal: true}, `{"terminal":true}`},
	} {
		caps := c.host.ClientCapabilities()
		got := map[string]bool{}
		for word, granted := range map[string]bool{"readTextFile": caps.Fs.ReadTextFile, "writeTextFile": caps.Fs.WriteTextFile, "terminal": caps.Terminal} {
			if granted {
				got[word] = true
			}
		}
		raw, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(raw)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSessionsHaveTheirOwnDirectories(t *testing.T) {
	base := tempDir(t)
	for _, name := range []string{"one", "two", "more", "all"} {
		put(t, filepath.Join(base, name, "file"), name)
	}
	w := &Workspace{Files: ReadFiles, Roots: []string{"", ".", filepath.Join(base, "all")}}
	w.SessionOpened("s1", filepath.Join(base, "one"), []string{filepath.Join(base, "more")})
	w.SessionOpened("s2", filepath.Join(base, "two"), nil)
	w.SessionChild("kid", "s1")
	w.SessionChild("grandkid", "kid")
	w.SessionChild("ring1", "ring2")
	w.SessionChild("ring2", "ring1")

	readable := func() map[acp.SessionId]string {
		got := map[acp.SessionId]string{}
		for _, id := range []acp.SessionId{"s1", "s2", "kid", "grandkid", "ring1", "unknown"} {
			for _, name := range []string{"one", "two", "more", "all"} {
				resp, err := w.ReadTextFile(t.Context(), acp.ReadTextFileRequest{SessionId: id, Path: filepath.Join(base, name, "file")})
				if err == nil {
					got[id] += " " + resp.Content
				}
			}
		}
		return got
	}
	want := map[acp.SessionId]string{
		"s1": " one more all", "s2": " two all", "kid": " one more all", "grandkid": " one more all", "ring1": " all", "unknown": " all",
	}
	if diff := cmp.Diff(want, readable()); diff != "" {
		t.Error(diff)
	}
	w.SessionClosed("s1")
	w.SessionClosed("ring1")
	want["s1"], want["kid"], want["grandkid"] = " all", " all", " all"
	if diff := cmp.Diff(want, readable()); diff != "" {
		t.Error("after s1 was closed:", diff)
	}
	if len(w.sessions) != 1 {
		t.Errorf("%d sessions are remembered, one is open", len(w.sessions))
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	want["s2"] = " all"
	if diff := cmp.Diff(want, readable()); diff != "" {
		t.Error("after Close:", diff)
	}
}

func TestEmptyRootIsNoRoot(t *testing.T) {
	dir := tempDir(t)
	t.Chdir(dir)
	put(t, filepath.Join(dir, "file"), "text")
	l := looped(t, &Workspace{Files: ReadWriteFiles, Roots: []string{""}}, nil, "")
	for _, path := range []string{"$WS/file", "$WS", "/", "file", ""} {
		if f := l.ask("fs/read_text_file", params(`{"sessionId":"s1","path":"`+path+`"}`, dir, "")); f.Error == nil {
			t.Errorf("%s was read: %s", path, f.Result)
		}
	}
}

func TestBuffersOfAnEditorComeFirst(t *testing.T) {
	dir := tempDir(t)
	put(t, filepath.Join(dir, "saved"), "on disk\n")
	if err := os.Symlink("saved", filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	buffers := map[string]string{filepath.Join(dir, "open"): "one\ntwo\n"}
	var seen []File
	broken := errors.New("the buffer is broken")
	w := &Workspace{
		Files: ReadWriteFiles, Roots: []string{dir},
		ReadBuffer: func(_ context.Context, f File) (string, bool, error) {
			seen = append(seen, f)
			if filepath.Base(f.Path) == "broken" {
				return "", false, broken
			}
			text, ok := buffers[f.Resolved]
			return text, ok, nil
		},
		WriteBuffer: func(_ context.Context, f File, text string) (bool, error) {
			_, ok := buffers[f.Resolved]
			if ok {
				buffers[f.Resolved] = text
			}
			return ok, nil
		},
	}
	read := func(name string, line int) string {
		resp, err := w.ReadTextFile(t.Context(), acp.ReadTextFileRequest{SessionId: "s", Path: filepath.Join(dir, name), Line: &line})
		if err != nil {
			return err.Error()
		}
		return resp.Content
	}
	write := func(name, text string) {
		if _, err := w.WriteTextFile(t.Context(), acp.WriteTextFileRequest{SessionId: "s", Path: filepath.Join(dir, name), Content: text}); err != nil {
			t.Error(err)
		}
	}
	got := []string{read("open", 2), read("alias", 1)}
	if diff := cmp.Diff([]string{"two\n", "on disk\n"}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(File{"s", filepath.Join(dir, "alias"), filepath.Join(dir, "saved")}, seen[1]); diff != "" {
		t.Error(diff)
	}
	if text := read("broken", 1); !strings.Contains(text, broken.Error()) {
		t.Errorf("the buffer's error became %q", text)
	}
	write("open", "three\n")
	write("saved", "written\n")
	if diff := cmp.Diff([]string{"three\n", "written\n"}, []string{buffers[filepath.Join(dir, "open")], content(t, filepath.Join(dir, "saved"))}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"alias", "saved"}, names(t, dir)); diff != "" {
		t.Error("the disk was not left alone:", diff)
	}
	n := len(seen)
	read("../elsewhere", 1)
	if len(seen) != n {
		t.Error("a path outside the roots reached the editor")
	}
}
