package client

import (
	"context"
	"fmt"
	"slices"

	acp "github.com/coder/acp-go-sdk"
)

// A Decision is what a policy says to a permission request.
type Decision int

// The decisions.
const (
	// Reject takes the option reject_once, else reject_always, else answers
	// that the request was cancelled.
	Reject Decision = iota
	// AllowOnce takes the option allow_once, and never one that allows more. A
	// request that offers several of them asks a question; it is for Ask.
	AllowOnce
	// AskHost asks the policy's Ask. Without it, it is Reject.
	AskHost
)

// A Policy answers permission requests. The first rule that fits decides; if
// none does, Ask is asked. The zero value rejects, and so does a policy without
// Ask whose rules do not fit.
type Policy struct {
	Rules []Rule

	// Ask decides, usually by asking a person: it gives the id of one of the
	// options, whatever its kind. An error rejects. When ctx ends, the request
	// was cancelled and nobody waits for the answer.
	Ask func(ctx context.Context, req acp.RequestPermissionRequest) (acp.PermissionOptionId, error)
}

// A Rule decides for some permission requests. The agent's word is all there is
// on kinds and paths. Where that leaves open whether a rule fits, as when the
// request names no path, the rule fits unless it would allow.
type Rule struct {
	// Kinds are the kinds of tool call that the rule is for. Nil: all.
	Kinds []acp.ToolKind

	// Under are directories, as absolute paths. Nil: all. To allow, each
	// location of the tool call must be in one of them; otherwise one of the
	// locations is enough.
	Under []string

	Decision Decision
}

// decide gives the decision of the first rule that fits.
func (p Policy) decide(call acp.ToolCallUpdate) Decision {
	for _, r := range p.Rules {
		if r.fits(call) {
			return r.Decision
		}
	}
	return AskHost
}

func (r Rule) fits(call acp.ToolCallUpdate) bool {
	allow := r.Decision == AllowOnce
	if r.Kinds != nil {
		if call.Kind == nil {
			if allow {
				return false
			}
		} else if !slices.Contains(r.Kinds, *call.Kind) {
			return false
		}
	}
	if r.Under == nil {
		return true
	}
	if len(call.Locations) == 0 {
		return !allow
	}
	under := func(l acp.ToolCallLocation) bool { return r.under(l.Path) }
	if allow {
		return !slices.ContainsFunc(call.Locations, func(l acp.ToolCallLocation) bool { return !under(l) })
	}
	return slices.ContainsFunc(call.Locations, under)
}

// under reports whether a path leads under one of the rule's directories. A path
// that leads nowhere does so unless the rule would allow it.
func (r Rule) under(path string) bool {
	if checkPath(path) != nil {
		return r.Decision != AllowOnce
	}
	at, err := resolve(path)
	if err != nil {
		return r.Decision != AllowOnce
	}
	return slices.ContainsFunc(r.Under, func(dir string) bool {
		if checkPath(dir) != nil {
			return false
		}
		root, err := resolve(dir)
		if err != nil {
			return false
		}
		_, ok := inside(root.path, at.path)
		return ok
	})
}

// RequestPermission implements acp.Client: it answers as w.Permission says.
func (w *Workspace) RequestPermission(ctx context.Context, req acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	decision := w.Permission.decide(req.ToolCall)
	if decision == AllowOnce {
		if id, ok := allowOnce(req.Options); ok && ctx.Err() == nil {
			return selected(id), nil
		}
		decision = AskHost
	}
	if decision == AskHost && w.Permission.Ask != nil && ctx.Err() == nil {
		id, err := w.Permission.Ask(ctx, req)
		switch {
		case ctx.Err() != nil:
		case err == nil && !offered(req.Options, id):
			return acp.RequestPermissionResponse{}, fmt.Errorf("client: permission option %q: %w", id, ErrNotOffered)
		case err == nil:
			return selected(id), nil
		}
	}
	return denial(ctx, req.Options), nil
}

// allowOnce gives the option that allows once, if it is plain which: several are
// the answers to a question.
func allowOnce(options []acp.PermissionOption) (id acp.PermissionOptionId, ok bool) {
	found := 0
	for _, o := range options {
		if o.Kind == acp.PermissionOptionKindAllowOnce {
			found++
			id = o.OptionId
		}
	}
	return id, found == 1 && unique(options, id)
}

// denial gives the answer that grants nothing.
func denial(ctx context.Context, options []acp.PermissionOption) acp.RequestPermissionResponse {
	if ctx.Err() == nil {
		for _, kind := range []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways} {
			if i := slices.IndexFunc(options, func(o acp.PermissionOption) bool { return o.Kind == kind && unique(options, o.OptionId) }); i >= 0 {
				return selected(options[i].OptionId)
			}
		}
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}
}

// unique reports whether an id names one option, so that it cannot be taken for
// another.
func unique(options []acp.PermissionOption, id acp.PermissionOptionId) bool {
	named := 0
	for _, o := range options {
		if o.OptionId == id {
			named++
		}
	}
	return named == 1
}

func offered(options []acp.PermissionOption, id acp.PermissionOptionId) bool {
	return slices.ContainsFunc(options, func(o acp.PermissionOption) bool { return o.OptionId == id })
}

func selected(id acp.PermissionOptionId) acp.RequestPermissionResponse {
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(id)}
}
