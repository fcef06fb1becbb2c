// Package kiro is the dialect of AWS Kiro's command line agent ("kiro-cli acp"),
// of both its engines.
//
// # Two engines
//
// The v2 engine, the default, names its methods "_kiro.dev/..." and only tells:
// no request of it was ever seen. The V3 engine ("--agent-engine v3", also
// called KAS) names them "_kiro/..." and asks a lot, from the first access
// token, before it answers initialize, to files and hooks. A session uses one or
// the other, and nothing here needs to know which. Some SDKs strip the
// underscore; the registry finds either form.
//
// # What was seen
//
// The v2 names and fields are from some 2,000 captured frames that the client
// cyril has published (kiro-cli 1.26 to 2.28, 2026), with what Kiro's own page
// lists; that page calls itself experimental and has names that are never on the
// wire. The V3 ones are from the vendor's types package as catalogued by cyril
// (@kiro/acp-type-covenant 0.3.224) and from cyril's captures of kiro-cli 2.7 to
// 2.28. Each method's Source says how sure it is.
//
// # What is a guess
//
//   - An answer to _kiro/userInput with a second level is "Title [Sub, Sub]",
//     which is what the vendor's own terminal program sends.
//   - So are several answers at once ("One, Two"), and free text ("SQLite: for
//     now"): the types say no more than a text.
//   - A list of subagents names no session, so it is taken for all there are in
//     the process.
//   - The envelope of stream_discarded is that of the kinds beside it.
//   - A hook that nobody ran is cancelled with exit code 1: 0 would let a tool
//     pass that it guards, and 2 is the vendor's word for blocking it.
//   - A file reply with a message makes the agent throw, so that is the decline.
//   - _kiro.dev/session/retry, model/not_found, agent/not_found and
//     agent/config_error have the fields that their names and V3's twins suggest.
//   - elapsedTime and turnDurationMs are milliseconds; the captures fit.
//
// # What the host must know
//
// V3 does not work without an answer to _kiro/auth/getAccessToken. Only the
// question of _kiro/userInput is advertised: files, hooks, secrets and the rest
// are asked for by hosts that serve them, in their own capabilities under
// _meta.kiro and fs._meta.kiro. Lines of _kiro/fs/read_file count from 0.
package kiro

import (
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
	"github.com/acpdialects/acpdialects/registry"
)

func init() { registry.MustRegister(Dialect()) }

// Dialect gives the dialect of both engines. Everything that Observe reads is
// under _meta.kiro, so it runs for any agent.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name:      "kiro",
		Doc:       "AWS Kiro, engines v2 and V3: subagents, questions, usage, turn marks, and what V3 asks of its host",
		Methods:   slices.Concat(v2Reports(), v3Asks(), v3Reports(), workflowReports()),
		Observe:   observe,
		Advertise: advertise,
	}
}

func advertise(asks bool) dialect.Capabilities {
	if !asks {
		return nil
	}
	return dialect.Capabilities{"_meta": map[string]any{"kiro": map[string]any{"userInput": true}}}
}

// Where the facts are from.
const (
	captured    = "cyril's captures of kiro-cli, 2026; high"
	documented  = "Kiro's ACP page, 2026, and cyril's captures; high"
	pageOnly    = "Kiro's ACP page, 2026, no capture; medium to high"
	pageName    = "Kiro's ACP page, 2026, without fields, no capture; medium"
	handled     = "a handler in Kiro's terminal program, 2026, no capture; medium"
	handlerOnly = "a handler in Kiro's terminal program, 2026, never seen on the wire; low"
	constOnly   = "a constant in Kiro's terminal program, 2026, never seen on the wire; low"
	until230    = "kiro-cli before 2.3.0; low"
	until241    = "kiro-cli before 2.4.1; low"
	rumoured    = "one third-party client, 2026; low"
	oneFrame    = "one captured frame of kiro-cli, 2026; low to medium"
	oneLimit    = "one captured frame of kiro-cli, 2026, of a plain form; medium to high"
	typesSeen   = "@kiro/acp-type-covenant 0.3.224 and cyril's captures of kiro-cli 2.7 to 2.28, 2026; high"
	typesOnly   = "@kiro/acp-type-covenant 0.3.224, 2026, no capture; medium"
	bundleOnly  = "@kiro/agent's bundle as read by third parties, 2026, no capture; low to medium"
)
