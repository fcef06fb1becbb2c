package client

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fileCase is one request over the wire, and what its answer must have.
type fileCase struct {
	method, params string
	want           string // the result as JSON, or the error's code
	says           string // in the error's message
}

func runFileCases(t *testing.T, l *loop, ws, out string, cases []fileCase) {
	t.Helper()
	for _, c := range cases {
		f := l.ask(c.method, params(c.params, ws, out))
		got := string(f.Result)
		if f.Error != nil {
			got = fmt.Sprint(f.Error.Code)
			if !strings.Contains(f.Error.Message, params(c.says, ws, out)) {
				t.Errorf("%s %s: %q does not say %q", c.method, c.params, f.Error.Message, c.says)
			}
			if strings.Contains(f.Error.Message, "secret text") {
				t.Errorf("%s %s: the message tells what is in the file: %q", c.method, c.params, f.Error.Message)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s:%s", c.method, c.params, diff)
		}
	}
}

const (
	fsRead  = "fs/read_text_file"
	fsWrite = "fs/write_text_file"
)

func readOf(path string) string { return `{"sessionId":"s1","path":"` + path + `"}` }
func writeOf(path string) string {
	return `{"sessionId":"s1","path":"` + path + `","content":"x"}`
}

// workspaceIn gives a workspace that may do all with files, its directory ws,
// and one beside it.
func workspaceIn(t *testing.T) (l *loop, ws, out string) {
	t.Helper()
	base := tempDir(t)
	ws, out = filepath.Join(base, "ws"), filepath.Join(base, "out")
	mkdir(t, ws)
	put(t, filepath.Join(out, "secret.txt"), "secret text")
	return looped(t, &Workspace{Files: ReadWriteFiles}, nil, ws), ws, out
}

func TestPathsOutsideAreRefused(t *testing.T) {
	l, ws, out := workspaceIn(t)
	put(t, ws+"-evil/secret.txt", "secret text")
	const refused = "-32602"
	runFileCases(t, l, ws, out, []fileCase{
		{fsRead, readOf("$WS-evil/secret.txt"), refused, "outside the session's directories"},
		{fsWrite, writeOf("$WS-evil/new.txt"), refused, "outside the session's directories"},
		{fsRead, readOf("$WS/../$BASE-evil/secret.txt"), refused, "outside"},
		{fsRead, readOf("$WS/sub/../../$BASE-evil/secret.txt"), refused, "outside"},
		{fsRead, readOf("$OUT/nodir/../../ws/x"), "-32002", "no such file"},
		{fsRead, readOf("relative.txt"), refused, "must be absolute"},
		{fsRead, readOf(""), refused, "empty"},
		{fsRead, readOf("$WS"), refused, "is a directory"},
		{fsRead, readOf("$WS/a\\u0000b"), refused, "NUL"},
		{fsRead, readOf("$OUT/secret.txt"), refused, "outside"},
		{fsRead, readOf("$OUT/is/not/there"), refused, "outside"},
		{fsWrite, writeOf("$OUT/new"), refused, "outside"},
		{fsRead, readOf("/"), refused, "outside"},
		{fsWrite, writeOf("C:\\\\repo\\\\a.txt"), refused, "Windows path"},
		{fsWrite, writeOf("c:/repo/a.txt"), refused, "Windows path"},
		{fsRead, readOf("/C:/repo/a.txt"), refused, "Windows path"},
		{fsWrite, writeOf("file://$WS/uri.txt"), refused, "URI"},
		{fsRead, readOf("\\\\\\\\server\\\\share\\\\x"), refused, "must be absolute"},
		{fsRead, readOf("~/x.txt"), refused, "must be absolute"},
	})
	if diff := cmp.Diff([]string{"out", "out/secret.txt", "ws", "ws-evil", "ws-evil/secret.txt"}, names(t, filepath.Dir(ws))); diff != "" {
		t.Error(diff)
	}
}

func TestSymlinksDoNotLeadOut(t *testing.T) {
	l, ws, out := workspaceIn(t)
	mkdir(t, filepath.Join(ws, "real", "deep"))
	put(t, filepath.Join(ws, "file"), "here")
	for name, to := range map[string]string{
		"link": out, "inner": filepath.Join(ws, "real"), "rel": "real/deep", "up": "..", "self": "../ws/file",
		"secret": filepath.Join(out, "secret.txt"), "dangling": filepath.Join(out, "made"), "hanging": "real/made",
		"chain": "chained", "chained": "link", "loop": "loop", "root": "/",
	} {
		if err := os.Symlink(to, filepath.Join(ws, name)); err != nil {
			t.Fatal(err)
		}
	}
	const refused, outside = "-32602", "outside the session's directories"
	runFileCases(t, l, ws, out, []fileCase{
		{fsRead, readOf("$WS/link/secret.txt"), refused, outside},
		{fsWrite, writeOf("$WS/link/new.txt"), refused, outside},
		{fsWrite, writeOf("$WS/link/sub/deep/new.txt"), refused, outside},
		{fsRead, readOf("$WS/chain/secret.txt"), refused, outside},
		{fsRead, readOf("$WS/secret"), refused, outside},
		{fsWrite, writeOf("$WS/secret"), refused, outside},
		{fsWrite, writeOf("$WS/dangling"), refused, outside},
		{fsRead, readOf("$WS/dangling"), refused, outside},
		{fsRead, readOf("$WS/up/out/secret.txt"), refused, outside},
		{fsRead, readOf("$WS/root$OUT/secret.txt"), refused, outside},
		{fsRead, readOf("$WS/root$WS/file"), `{"content":"here"}`, ""},
		{fsRead, readOf("$WS/self"), `{"content":"here"}`, ""},
		{fsRead, readOf("$WS/up/ws/file"), `{"content":"here"}`, ""},
		{fsRead, readOf("$WS/loop"), "-32603", "symbolic links: $WS/loop"},
		// rel/.. is real, not the workspace.
		{fsWrite, writeOf("$WS/rel/../beside"), `{}`, ""},
		{fsRead, readOf("$WS/real/beside"), `{"content":"x"}`, ""},
		{fsRead, readOf("$WS/link/../ws/file"), `{"content":"here"}`, ""},
		{fsWrite, writeOf("$WS/inner/ok.txt"), `{}`, ""},
		{fsRead, readOf("$WS/inner/ok.txt"), `{"content":"x"}`, ""},
		{fsWrite, writeOf("$WS/hanging"), `{}`, ""},
		{fsWrite, writeOf("$WS/self"), `{}`, ""},
	})
	if diff := cmp.Diff([]string{"secret.txt"}, names(t, out)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("secret text", content(t, filepath.Join(out, "secret.txt"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"beside", "deep", "made", "ok.txt"}, names(t, filepath.Join(ws, "real"))); diff != "" {
		t.Error(diff)
	}
	for name, to := range map[string]string{"self": "../ws/file", "hanging": "real/made"} {
		if is, err := os.Readlink(filepath.Join(ws, name)); is != to {
			t.Errorf("%s leads to %q, was %q: %v", name, is, to, err)
		}
	}
	if diff := cmp.Diff("x", content(t, filepath.Join(ws, "file"))); diff != "" {
		t.Error(diff)
	}
}

func TestMissingFileIsNotFoundAndNotEmpty(t *testing.T) {
	l, ws, _ := workspaceIn(t)
	put(t, filepath.Join(ws, "empty.txt"), "")
	put(t, filepath.Join(ws, "locked.txt"), "secret text")
	if err := os.Chmod(filepath.Join(ws, "locked.txt"), 0); err != nil {
		t.Fatal(err)
	}
	cases := []fileCase{
		{fsRead, readOf("$WS/nope.txt"), "-32002", "no such file or directory, resource not found: $WS/nope.txt"},
		{fsRead, readOf("$WS/nodir/nope.txt"), "-32002", "no such file or directory"},
		{fsRead, readOf("$WS/nodir/../empty.txt"), "-32002", "no such file or directory"},
		{fsRead, readOf("$WS/empty.txt"), `{"content":""}`, ""},
		{fsRead, readOf("$WS/empty.txt/child"), "-32603", "not a directory: $WS/empty.txt/child"},
		{fsRead, readOf("$WS/empty.txt/"), "-32603", "not a directory"},
		{fsRead, readOf("$WS/" + strings.Repeat("n", 300)), "-32603", "too long"},
	}
	if os.Geteuid() != 0 { // to whom no file is locked
		cases = append(cases, fileCase{fsRead, readOf("$WS/locked.txt"), "-32603", "permission denied: $WS/locked.txt"})
	}
	runFileCases(t, l, ws, "", cases)
}

func TestMissingFileIsEmptyForTheAgentThatNeedsIt(t *testing.T) {
	ws := tempDir(t)
	l := looped(t, &Workspace{Files: ReadFiles, MissingAsEmpty: true}, nil, ws)
	runFileCases(t, l, ws, filepath.Dir(ws), []fileCase{
		{fsRead, readOf("$WS/nope.txt"), `{"content":""}`, ""},
		{fsRead, readOf("$OUT/nope.txt"), "-32602", "outside"},
		{fsRead, readOf("$WS"), "-32602", "is a directory"},
	})
}

func TestWhatIsNoTextIsRefused(t *testing.T) {
	l, ws, _ := workspaceIn(t)
	put(t, ws+"/latin1", "caf\xe9 secret text")
	runFileCases(t, l, ws, "", []fileCase{
		{fsRead, readOf("$WS/latin1"), "-32602", "the file is not UTF-8 text: $WS/latin1"},
	})
}
