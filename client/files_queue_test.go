package client

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	acp "github.com/coder/acp-go-sdk"
)

// A slow host asks somebody before a file is written.
type slowHost struct {
	*Workspace
	asked, may chan struct{}
}

func (h slowHost) WriteTextFile(ctx context.Context, req acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	h.asked <- struct{}{}
	<-h.may
	return h.Workspace.WriteTextFile(ctx, req)
}

// A read sees the writes of the same file that came before it, however long they
// take, and none that came after; other files do not wait.
func TestReadsStayBehindWrites(t *testing.T) {
	ws := t.TempDir()
	host := slowHost{&Workspace{Files: ReadWriteFiles}, make(chan struct{}, 9), make(chan struct{})}
	l := looped(t, host, nil, ws)
	path := filepath.Join(ws, "f")
	write := func(path, text string) <-chan loopFrame {
		return l.start(fsWrite, fmt.Sprintf(`{"sessionId":"s1","path":%q,"content":%q}`, path, text))
	}
	read := func(path string) <-chan loopFrame {
		return l.start(fsRead, fmt.Sprintf(`{"sessionId":"s1","path":%q}`, path))
	}
	put(t, path, "old")
	put(t, path+"2", "other")

	first := write(path, "one")
	behind := read(ws + "/./f")
	second := write(path, "two")
	last := read(path)
	if f := <-read(path + "2"); string(f.Result) != `{"content":"other"}` {
		t.Errorf("another file gives %s, %v", f.Result, f.Error)
	}
	<-host.asked
	<-host.asked
	if len(behind) > 0 || len(last) > 0 {
		t.Error("a read did not wait for a write before it")
	}
	close(host.may)
	for _, answer := range []<-chan loopFrame{first, second} {
		if f := <-answer; f.Error != nil {
			t.Error(f.Error)
		}
	}
	if f := <-behind; string(f.Result) != `{"content":"one"}` {
		t.Errorf("between the writes there is %s, %v", f.Result, f.Error)
	}
	if f := <-last; string(f.Result) != `{"content":"two"}` {
		t.Errorf("after them there is %s, %v", f.Result, f.Error)
	}
	if n := len(host.files.visits); n != 0 {
		t.Errorf("%d files are still visited", n)
	}
}

// Who waits for a turn waits no longer than anybody wants to know.
func TestWaitingForAFileEnds(t *testing.T) {
	var q fileQueue
	_, leave := q.enter(t.Context(), acp.WriteTextFileRequest{Path: "/f"})
	defer leave()
	ctx, cancel := context.WithCancel(t.Context())
	ctx, leaveToo := q.enter(ctx, acp.ReadTextFileRequest{Path: "/f"})
	defer leaveToo()
	cancel()
	if err := inTurn(ctx); err != context.Canceled {
		t.Errorf("waiting gave %v", err)
	}
}
