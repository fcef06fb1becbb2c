package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/go-cmp/cmp"
)

func TestWritingMakesFilesAndDirectories(t *testing.T) {
	l, ws, _ := workspaceIn(t)
	runFileCases(t, l, ws, "", []fileCase{
		{fsWrite, `{"sessionId":"s1","path":"$WS/new.txt","content":"hello"}`, `{}`, ""},
		{fsWrite, `{"sessionId":"s1","path":"$WS/a/b/c/new.txt","content":"deep"}`, `{}`, ""},
		{fsWrite, `{"sessionId":"s1","path":"$WS/empty.txt","content":""}`, `{}`, ""},
		{fsWrite, `{"sessionId":"s1","path":"$WS/nocontent.txt"}`, "-32602", ""},
		{fsWrite, writeOf("$WS/new.txt/child"), "-32603", "not a directory"},
		{fsWrite, writeOf("$WS/a/b"), "-32602", "is a directory"},
		{fsWrite, writeOf("$WS/nodir/"), "-32002", "no such file or directory"},
		{fsWrite, writeOf("$WS"), "-32602", "is a directory"},
	})
	want := []string{"a", "a/b", "a/b/c", "a/b/c/new.txt", "empty.txt", "new.txt"}
	if diff := cmp.Diff(want, names(t, ws)); diff != "" {
		t.Error(diff)
	}
	got := []string{content(t, ws+"/new.txt"), content(t, ws+"/a/b/c/new.txt"), content(t, ws+"/empty.txt")}
	if diff := cmp.Diff([]string{"hello", "deep", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDirectoriesAreNotMadeIfTheHostForbidsIt(t *testing.T) {
	ws := tempDir(t)
	l := looped(t, &Workspace{Files: ReadWriteFiles, NoCreateDirs: true}, nil, ws)
	runFileCases(t, l, ws, "", []fileCase{
		{fsWrite, writeOf("$WS/new"), `{}`, ""},
		{fsWrite, writeOf("$WS/dir/new"), "-32002", "no such file or directory, resource not found: $WS/dir"},
	})
	if diff := cmp.Diff([]string{"new"}, names(t, ws)); diff != "" {
		t.Error(diff)
	}
}

func TestWritingKeepsTheBytesAndTheMode(t *testing.T) {
	ws := tempDir(t)
	w := &Workspace{Files: ReadWriteFiles, Roots: []string{ws}}
	path := filepath.Join(ws, "tool.sh")
	put(t, path, "old")
	if err := os.Chmod(path, 0o751); err != nil {
		t.Fatal(err)
	}
	text := "\ufeff#!/bin/sh\r\n\tprintf 'é\x01'\r\n\n\rno end"
	if _, err := w.WriteTextFile(t.Context(), acp.WriteTextFileRequest{Path: path, Content: text}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, content(t, path)); diff != "" {
		t.Error(diff)
	}
	resp, err := w.ReadTextFile(t.Context(), acp.ReadTextFileRequest{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, resp.Content); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("-rwxr-x--x", info.Mode().String()); diff != "" {
		t.Error(diff)
	}
}

func TestReadersSeeTheOldTextOrTheNew(t *testing.T) {
	ws := tempDir(t)
	w := &Workspace{Files: ReadWriteFiles, Roots: []string{ws}}
	path := filepath.Join(ws, "file")
	texts := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 100_000)}
	put(t, path, texts[0])
	var writers sync.WaitGroup
	for _, text := range texts {
		writers.Go(func() {
			for range 50 {
				if _, err := w.WriteTextFile(t.Context(), acp.WriteTextFileRequest{Path: path, Content: text}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if text := content(t, path); text != texts[0] && text != texts[1] {
			t.Fatalf("a reader saw %d bytes that nobody wrote", len(text))
		}
	}
	writers.Wait()
	if diff := cmp.Diff([]string{"file"}, names(t, ws)); diff != "" {
		t.Error(diff)
	}
}

func TestSizeIsBounded(t *testing.T) {
	ws := tempDir(t)
	l := looped(t, &Workspace{Files: ReadWriteFiles, MaxFileSize: 4}, nil, ws)
	put(t, ws+"/4", "1234")
	put(t, ws+"/5", "12345")
	runFileCases(t, l, ws, "", []fileCase{
		{fsRead, readOf("$WS/4"), `{"content":"1234"}`, ""},
		{fsRead, readOf("$WS/5"), "-32602", "the file has 5 bytes, and 4 may be read: $WS/5"},
		{fsWrite, `{"sessionId":"s1","path":"$WS/new","content":"1234"}`, `{}`, ""},
		{fsWrite, `{"sessionId":"s1","path":"$WS/4","content":"12345"}`, "-32602", "the text has 5 bytes, and 4 may be written: $WS/4"},
	})
	if diff := cmp.Diff("1234", content(t, ws+"/4")); diff != "" {
		t.Error(diff)
	}
}

func TestFilesOverTheWireAreAnsweredOnce(t *testing.T) {
	l, ws, _ := workspaceIn(t)
	var answers []<-chan loopFrame
	for i := range 50 {
		content, err := json.Marshal(strings.Repeat(fmt.Sprint(i), 1000))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, l.start(fsWrite, params(fmt.Sprintf(`{"sessionId":"s1","path":"$WS/d%d/f","content":%s}`, i, content), ws, "")))
	}
	for i, answer := range answers {
		if f := <-answer; f.Error != nil {
			t.Error(f.Error)
		}
		if diff := cmp.Diff(strings.Repeat(fmt.Sprint(i), 1000), content(t, fmt.Sprintf("%s/d%d/f", ws, i))); diff != "" {
			t.Error(diff)
		}
	}
	// One more round trip, so that a second answer would have come.
	l.ask(fsRead, params(readOf("$WS/d0/f"), ws, ""))
	for i, answer := range answers {
		if len(answer) > 0 {
			t.Errorf("request %d was answered twice", i)
		}
	}
}
