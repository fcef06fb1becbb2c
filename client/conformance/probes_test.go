package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	acp "github.com/coder/acp-go-sdk"
)

// A probe fails by calling failf.
type probe struct {
	name string
	run  func(connect)
}

var probes = slices.Concat(names, frames, order, ids, ends)

const someTask = `{"toolCallId":"t1","prompt":"find it"}`

var names = []probe{
	{"bare name", func(c connect) {
		r := start(c, &host{})
		r.write(request(`1`, "acme/task", someTask))
		r.errorOf(`1`, 0)
		r.conclude()
		r.told("task find it")
	}},
	{"underscored name", func(c connect) {
		r := start(c, &host{})
		r.write(request(`1`, "_acme/task", someTask))
		r.errorOf(`1`, 0)
		r.conclude()
		r.told("task find it")
	}},
	{"unknown request, bare", func(c connect) {
		r := start(c, &host{})
		r.write(request(`"x"`, "acme/unknown", `{}`))
		r.errorOf(`"x"`, -32601)
	}},
	{"unknown request, underscored", func(c connect) {
		r := start(c, &host{})
		r.write(request(`"x"`, "_acme/unknown", `{}`))
		r.errorOf(`"x"`, -32601)
	}},
	{"unknown notifications", func(c connect) {
		r := start(c, &host{})
		r.write(`{"jsonrpc":"2.0","method":"acme/unknown","params":{}}`, `{"jsonrpc":"2.0","method":"_acme/unknown"}`)
		r.alive()
		for _, f := range r.got {
			if f.Method == "" && string(f.ID) != `"alive"` {
				failf("a notification was answered")
			}
		}
	}},
	{"handler panic", func(c connect) {
		r := start(c, &host{permit: func(context.Context, acp.RequestPermissionRequest) { panic("the handler") }})
		r.write(permission(`1`, "s1"))
		r.answers(`1`, 1)
		r.alive()
	}},
	{"callback panic", func(c connect) {
		r := start(c, &host{update: func(_, text string) {
			if text == "boom" {
				panic("the callback")
			}
		}})
		r.write(chunk("s1", "boom"))
		r.alive()
	}},
	{"undecodable params", func(c connect) {
		r := start(c, &host{})
		r.write(request(`1`, "_acme/task", `"text"`), request(`2`, "fs/read_text_file", `["list"]`))
		r.errorOf(`1`, -32602)
		r.errorOf(`2`, -32602)
		r.alive()
	}},
}

var frames = []probe{
	{"malformed line", func(c connect) {
		r := start(c, &host{})
		r.write("a banner", `{"jsonrpc":"2.0","method":`, "\xff", `[]`, `{}`)
		r.alive()
	}},
	large(9), large(11), large(33), large(60),
	{"request of 200 MB", func(c connect) {
		r := start(c, &host{})
		r.write(request(`1`, "acme/large", `"`+strings.Repeat("x", 200<<20)+`"`))
		r.answers(`1`, 1)
		r.alive()
	}},
	{"batch", func(c connect) {
		r := start(c, &host{})
		r.write(`[` + request(`1`, "acme/x", `{}`) + `,` + chunk("s1", "in a batch") + `,` + request(`2`, "acme/y", `{}`) + `]`)
		r.errorOf(`1`, -32601)
		r.errorOf(`2`, -32601)
		r.told("s1 in a batch")
	}},
}

func large(megabytes int) probe {
	size := megabytes << 20 / slowed
	return probe{fmt.Sprintf("update of %d MB", megabytes), func(c connect) {
		r := start(c, &host{})
		r.write(chunk("s1", strings.Repeat("x", size)))
		r.told(fmt.Sprintf("s1 %d bytes", size))
		r.alive()
	}}
}

var order = []probe{
	{"2,000 notifications in order", func(c connect) {
		r := start(c, &host{})
		r.flood(2000)
	}},
	{"a request after 500 notifications has seen them", func(c connect) {
		var seen atomic.Int64
		counts := make(chan int64, 20)
		h := &host{
			update: func(_, _ string) { seen.Add(1) },
			permit: func(context.Context, acp.RequestPermissionRequest) { counts <- seen.Load() },
		}
		r := start(c, h)
		for i := range 20 { // who overtakes does so now and then
			for range 500 {
				r.write(chunk("s1", "x"))
			}
			r.write(permission(fmt.Sprint(i), "s1"))
			if n := within("handler", counts); n != int64(500*(i+1)) {
				failf("the handler has seen %d of %d", n, 500*(i+1))
			}
		}
	}},
	{"3,000 notifications while a callback is busy", func(c connect) {
		gate := make(chan struct{})
		r := start(c, &host{update: func(_, text string) {
			if text == "0" {
				<-gate
			}
		}})
		done := make(chan struct{})
		go func() {
			for i := range 3000 {
				r.write(chunk("s1", fmt.Sprint(i)))
			}
			r.write(request(`1`, "acme/x", `{}`))
			close(done)
		}()
		r.errorOf(`1`, -32601)
		close(gate)
		within("end of the burst", done)
		r.inOrder(3000)
		r.alive()
	}},
	{"a slow request beside a fast one", func(c connect) {
		gate := make(chan struct{})
		defer close(gate)
		r := start(c, &host{permit: func(_ context.Context, p acp.RequestPermissionRequest) {
			if p.SessionId == "slow" {
				<-gate
			}
		}})
		r.write(permission(`1`, "slow"), permission(`2`, "fast"))
		r.errorOf(`2`, 0)
	}},
	{"a blocked session beside a free one", func(c connect) {
		gate := make(chan struct{})
		defer close(gate)
		r := start(c, &host{update: func(session, _ string) {
			if session == "blocked" {
				<-gate
			}
		}})
		r.write(chunk("blocked", "x"), chunk("free", "x"))
		r.told("free x")
	}},
	{"2,000 turns end after their last report", func(c connect) {
		r := start(c, &host{})
		early := 0
		for i := range 2000 {
			done := r.prompt()
			r.write(request(fmt.Sprint(i), "_acme/task", fmt.Sprintf(`{"prompt":"%d"}`, i)),
				fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, r.call("session/prompt", i+1)))
			if err := within("end of the turn", done); err != nil {
				failf("prompt: %v", err)
			}
			r.host.mu.Lock()
			if !slices.Contains(r.host.notes, fmt.Sprint("task ", i)) {
				early++
			}
			r.host.notes = nil
			r.host.mu.Unlock()
			r.forget()
		}
		if early > 0 {
			failf("Prompt returned before the report in %d turns", early)
		}
	}},
}

var ids = []probe{
	idProbe("string", `"6f1d-x"`), idProbe("null", `null`), idProbe("fractional", `1.5`), idProbe("zero", `0`),
	{"the same id twice in flight", func(c connect) {
		gate := make(chan struct{})
		entered := make(chan struct{}, 2)
		r := start(c, &host{permit: func(context.Context, acp.RequestPermissionRequest) {
			entered <- struct{}{}
			<-gate
		}})
		r.write(permission(`1`, "s1"), permission(`1`, "s1"))
		within("first handler", entered)
		within("second handler", entered)
		close(gate)
		r.answers(`1`, 2)
	}},
	{"$/cancel_request of an id that is twice in flight", func(c connect) {
		ended := make(chan struct{}, 2)
		entered := make(chan struct{}, 2)
		r := start(c, &host{permit: func(ctx context.Context, _ acp.RequestPermissionRequest) {
			entered <- struct{}{}
			<-ctx.Done()
			ended <- struct{}{}
		}})
		r.write(permission(`1`, "s1"), permission(`1`, "s1"))
		within("first handler", entered)
		within("second handler", entered)
		r.write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		within("end of the first", ended)
		within("end of the second", ended)
		r.answers(`1`, 2)
	}},
	{"$/cancel_request of a request in flight", func(c connect) {
		ended := make(chan struct{})
		entered := make(chan struct{})
		r := start(c, &host{permit: func(ctx context.Context, _ acp.RequestPermissionRequest) {
			close(entered)
			<-ctx.Done()
			close(ended)
		}})
		r.write(permission(`"a"`, "s1"))
		within("handler", entered)
		r.write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"a"}}`)
		within("end of the handler's context", ended)
		r.answers(`"a"`, 1)
		r.alive()
	}},
}

func idProbe(kind, id string) probe {
	return probe{kind + " id", func(c connect) {
		r := start(c, &host{})
		r.write(permission(id, "s1"), request(id, "acme/unknown", `{}`))
		r.answers(id, 2)
	}}
}

var ends = []probe{
	{"end of the agent with a reply owed", func(c connect) {
		gate := make(chan struct{})
		r := start(c, &host{update: func(_, text string) {
			if text == "0" {
				<-gate
			}
		}})
		done := r.prompt()
		r.call("session/prompt", 1)
		for i := range 100 {
			r.write(chunk("s1", fmt.Sprint(i)))
		}
		r.out.Close()
		select {
		case <-done:
			failf("Prompt failed before what had arrived was told")
		case <-r.conn.Done():
			failf("Done is closed before what had arrived was told")
		case gate <- struct{}{}:
		}
		if err := within("end of Prompt", done); err == nil {
			failf("Prompt gave no error")
		}
		r.inOrder(100)
		within("Done", r.conn.Done())
	}},
}
