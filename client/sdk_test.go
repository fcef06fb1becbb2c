package client_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"github.com/acpdialects/acpdialects/client"
)

// sdkMethods reads the SDK's own list of method names with a prefix, out of the
// module cache: an SDK bump must not silently lose a method.
func sdkMethods(t *testing.T, prefix string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/coder/acp-go-sdk").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(out)), "constants_gen.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			name, _ := strconv.Unquote(lit.Value)
			names = append(names, name)
		}
		return true
	})
	if len(names) < 10 {
		t.Fatalf("the SDK lists only %q under %s; has its constants file moved?", names, prefix)
	}
	return names
}

// wholeHost serves every method of the protocol and notes which was called.
type wholeHost struct {
	client.Base
	called chan string
}

func (h wholeHost) note(name string) { h.called <- name }

func (h wholeHost) SessionUpdate(context.Context, acp.SessionNotification) error {
	h.note("session/update")
	return nil
}

func (h wholeHost) RequestPermission(_ context.Context, p acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	h.note("session/request_permission")
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(p.Options[0].OptionId)}, nil
}

func (h wholeHost) ReadTextFile(context.Context, acp.ReadTextFileRequest) (r acp.ReadTextFileResponse, err error) {
	h.note("fs/read_text_file")
	return
}

func (h wholeHost) WriteTextFile(context.Context, acp.WriteTextFileRequest) (r acp.WriteTextFileResponse, err error) {
	h.note("fs/write_text_file")
	return
}

func (h wholeHost) CreateTerminal(context.Context, acp.CreateTerminalRequest) (r acp.CreateTerminalResponse, err error) {
	h.note("terminal/create")
	return
}

func (h wholeHost) KillTerminal(context.Context, acp.KillTerminalRequest) (r acp.KillTerminalResponse, err error) {
	h.note("terminal/kill")
	return
}

func (h wholeHost) TerminalOutput(context.Context, acp.TerminalOutputRequest) (r acp.TerminalOutputResponse, err error) {
	h.note("terminal/output")
	return
}

func (h wholeHost) ReleaseTerminal(context.Context, acp.ReleaseTerminalRequest) (r acp.ReleaseTerminalResponse, err error) {
	h.note("terminal/release")
	return
}

func (h wholeHost) WaitForTerminalExit(context.Context, acp.WaitForTerminalExitRequest) (r acp.WaitForTerminalExitResponse, err error) {
	h.note("terminal/wait_for_exit")
	return
}

func (h wholeHost) UnstableCreateElicitation(context.Context, acp.UnstableCreateElicitationRequest) (acp.UnstableCreateElicitationResponse, error) {
	h.note("elicitation/create")
	return acp.UnstableCreateElicitationResponse{Cancel: &acp.UnstableCreateElicitationCancel{Action: "cancel"}}, nil
}

func (h wholeHost) UnstableCompleteElicitation(context.Context, acp.UnstableCompleteElicitationNotification) error {
	h.note("elicitation/complete")
	return nil
}

func (h wholeHost) UnstableConnectMcp(context.Context, acp.UnstableConnectMcpRequest) (r acp.UnstableConnectMcpResponse, err error) {
	h.note("mcp/connect")
	return
}

func (h wholeHost) UnstableDisconnectMcp(context.Context, acp.UnstableDisconnectMcpRequest) (r acp.UnstableDisconnectMcpResponse, err error) {
	h.note("mcp/disconnect")
	return
}

func (h wholeHost) UnstableMessageMcp(context.Context, acp.UnstableMessageMcpRequest) (acp.UnstableMessageMcpResponse, error) {
	h.note("mcp/message")
	return map[string]any{}, nil
}

func (h wholeHost) UnstableMessageMcpNotification(context.Context, acp.UnstableMessageMcpNotification) error {
	h.note("mcp/message notification")
	return nil
}

// everyMember holds what any method of the protocol cannot do without.
const everyMember = `{"sessionId":"s","path":"/p","content":"c","command":"c","terminalId":"t","connectionId":"c","acpId":"a",` +
	`"elicitationId":"e","message":"m","mode":"form","method":"m","requestedSchema":{"type":"object","properties":{}},` +
	`"toolCall":{"toolCallId":"t"},"options":[{"optionId":"o","name":"n","kind":"allow_once"}],` +
	`"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}`

func TestEveryClientMethodOfTheSDKReachesTheHost(t *testing.T) {
	host := wholeHost{called: make(chan string, 1)}
	fromAgent, agentOut := io.Pipe()
	agentIn, toAgent := io.Pipe()
	conn := client.Connect(host, toAgent, fromAgent, nil)
	answers := bufio.NewReader(agentIn)
	defer func() {
		conn.Close()
		<-conn.Done()
	}()

	notifications := []string{"session/update", "elicitation/complete"}
	for i, method := range append(sdkMethods(t, "ClientMethod"), "mcp/message notification") {
		name, isNotification := strings.CutSuffix(method, " notification")
		if isNotification || slices.Contains(notifications, method) {
			fmt.Fprintf(agentOut, `{"jsonrpc":"2.0","method":%q,"params":%s}`+"\n", name, everyMember)
			if got := <-host.called; got != method {
				t.Errorf("%s reached the host as %q", method, got)
			}
			continue
		}
		fmt.Fprintf(agentOut, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", i, method, everyMember)
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-host.called:
			if got != method {
				t.Errorf("%s reached the host as %q", method, got)
			}
		default:
			t.Errorf("%s did not reach the host; the agent got %s", method, line)
		}
		if strings.Contains(line, `"error"`) {
			t.Errorf("%s: %s", method, line)
		}
	}
}

func TestEveryAgentMethodOfTheSDKIsOnConn(t *testing.T) {
	fromAgent, agentOut := io.Pipe()
	agentIn, toAgent := io.Pipe()
	conn := client.Connect(nil, toAgent, fromAgent, nil)
	var mu sync.Mutex
	sent := map[string]bool{}
	go func() {
		lines := bufio.NewScanner(agentIn)
		for lines.Scan() {
			var f struct {
				ID     json.RawMessage
				Method string
			}
			json.Unmarshal(lines.Bytes(), &f)
			mu.Lock()
			sent[f.Method] = true
			mu.Unlock()
			if f.ID != nil {
				fmt.Fprintf(agentOut, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", f.ID)
			}
		}
	}()
	samples := map[reflect.Type]any{
		reflect.TypeFor[acp.SetSessionConfigOptionRequest](): acp.SetSessionConfigOptionRequest{
			ValueId: &acp.SetSessionConfigOptionValueId{SessionId: "s", ConfigId: "c", Value: "v"},
		},
	}
	ctx := reflect.ValueOf(t.Context())
	value := reflect.ValueOf(conn)
	for i := range value.NumMethod() {
		method := value.Type().Method(i)
		typ := value.Method(i).Type()
		if typ.NumIn() != 2 || typ.In(0) != reflect.TypeFor[context.Context]() {
			continue
		}
		if typ.In(1).PkgPath() != reflect.TypeFor[acp.SessionId]().PkgPath() && typ.In(1) != reflect.TypeFor[client.DeleteSessionRequest]() {
			continue
		}
		arg := reflect.New(typ.In(1)).Elem()
		if sample, ok := samples[typ.In(1)]; ok {
			arg = reflect.ValueOf(sample)
		}
		out := value.Method(i).Call([]reflect.Value{ctx, arg})
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			t.Errorf("%s: %v", method.Name, err)
		}
	}
	conn.Close()
	<-conn.Done()
	mu.Lock()
	defer mu.Unlock()
	for _, method := range sdkMethods(t, "AgentMethod") {
		if !sent[method] {
			t.Errorf("no method of Conn sends %s", method)
		}
	}
}

// The names and types are the SDK's own, so that changing over is changing the
// constructor.
func TestConnHasTheMethodsOfTheSDKsConnection(t *testing.T) {
	theirs, ours := reflect.TypeFor[*acp.ClientSideConnection](), reflect.TypeFor[*client.Conn]()
	for i := range theirs.NumMethod() {
		want := theirs.Method(i)
		if want.Name == "SetLogger" {
			continue // Options.Logger
		}
		got, ok := ours.MethodByName(want.Name)
		if !ok {
			t.Errorf("Conn has no %s", want.Name)
			continue
		}
		for j := 1; j < want.Type.NumIn(); j++ {
			if got.Type.NumIn() != want.Type.NumIn() || !want.Type.In(j).AssignableTo(got.Type.In(j)) {
				t.Errorf("%s takes %v, the SDK's %v", want.Name, got.Type, want.Type)
			}
		}
		for j := range want.Type.NumOut() {
			if got.Type.NumOut() != want.Type.NumOut() || !got.Type.Out(j).AssignableTo(want.Type.Out(j)) {
				t.Errorf("%s gives %v, the SDK's %v", want.Name, got.Type, want.Type)
			}
		}
	}
}
