package conformance

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/acpdialects/acpdialects/client"
)

var table = flag.Bool("table", false, "run the probes against the SDK's connection too, and print the table of both")

// probing, in the environment, names the probe that this process runs against
// the SDK's connection: some of them end the process.
const probing = "ACMEDIALECTS_CONFORMANCE_PROBE"

func init() {
	name := os.Getenv(probing)
	for _, p := range probes {
		if p.name == name {
			time.AfterFunc(time.Minute, func() { os.Exit(1) }) // whatever becomes of who started this
			fmt.Print(outcome(p, theirs))
			os.Exit(0)
		}
	}
}

// outcome runs a probe and gives how it failed, "" if it did not.
func outcome(p probe, c connect) (failed string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			failed = string(v)
		default:
			panic(v)
		}
	}()
	p.run(c)
	return ""
}

// TestProbes runs every probe against our connection, which must pass.
func TestProbes(t *testing.T) {
	results := map[string]string{}
	for _, p := range probes {
		t.Run(p.name, func(t *testing.T) {
			var conns []*client.Conn
			results[p.name] = outcome(p, func(h *host, w io.Writer, r io.Reader) connection {
				conns = append(conns, ours(h, w, r))
				return conns[len(conns)-1]
			})
			if results[p.name] != "" {
				t.Error(results[p.name])
			}
			for _, c := range conns {
				c.Close()
				<-c.Done()
			}
		})
	}
	if !*table {
		return
	}
	fmt.Printf("\n%-52s %-6s %s\n", "probe", "ours", "the SDK's")
	held := 0
	for _, p := range probes {
		theirs := inAnotherProcess(p)
		if theirs == "" {
			held++
		}
		fmt.Printf("%-52s %-6s %s\n", p.name, verdict(results[p.name]), verdict(theirs))
	}
	fmt.Printf("\n%d probes; the SDK's connection passes %d\n\n", len(probes), held)
}

func verdict(failed string) string {
	if failed == "" {
		return "ok"
	}
	return "FAILS: " + failed
}

// inAnotherProcess runs a probe against the SDK's connection.
func inAnotherProcess(p probe) string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), probing+"="+p.name)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return err.Error()
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			return out.String()
		}
		first, _, _ := strings.Cut(errs.String(), "\n")
		return "the process ended: " + first
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		<-ended
		return "it hangs: the agent cannot write any more"
	}
}
