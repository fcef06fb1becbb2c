package kiro

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// methodNotFound is what the agent is told where nobody handles its request.
const methodNotFound = -32601

// v3Asks are V3's requests of its host. All but the question of _kiro/userInput
// are a machine's: the host answers them with the method's result type, or they
// get their decline.
func v3Asks() []dialect.Method {
	return []dialect.Method{
		userInput(),
		dialect.Ask[AccessTokenRequest, AccessToken]{
			Name: "_kiro/auth/getAccessToken", Source: typesSeen, Secret: true,
			Doc:       "an access token, asked for before initialize is answered; declined with an error, and turns fail",
			Correlate: request(onConnection[AccessTokenRequest], "Access token", nil),
			Reply:     refuse[AccessTokenRequest, AccessToken]("no access token here"),
		},
		dialect.Ask[SessionRequest, ShellType]{
			Name: "_kiro/terminal/shell_type", Source: typesSeen,
			Doc:       "which shell terminals run; declined with an error",
			Correlate: request(SessionRequest.link, "Shell type", nil),
			Reply:     refuse[SessionRequest, ShellType]("no terminals here"),
		},
		dialect.Ask[Elicitation, ElicitationResult]{
			Name: "_kiro/mcp/elicitation", Source: typesOnly,
			Doc:       "input that an MCP server wants; declined as cancelled",
			Correlate: request(Elicitation.link, "An MCP server asks for input", func(p Elicitation) string { return p.Elicitation.Message }),
			Reply:     always[Elicitation](ElicitationResult{Action: "cancel"}),
		},
		dialect.Ask[HooksList, HooksListResult]{
			Name: "_kiro/hooks/list", Source: typesSeen,
			Doc:       "the host's hooks for a trigger; declined with none",
			Correlate: request(HooksList.link, "List hooks", func(p HooksList) string { return p.Trigger }),
			Reply: func(HooksList, dialect.Answer) (HooksListResult, error) {
				return HooksListResult{Hooks: []json.RawMessage{}}, nil
			},
		},
		dialect.Ask[HookExecute, HookResult]{
			Name: "_kiro/hooks/executeHook", Source: typesSeen,
			Doc:       "run one of the host's hooks; declined as cancelled, with an exit code that neither passes nor blocks",
			Decode:    need("hookId", func(p HookExecute) string { return p.HookID }),
			Correlate: request(HookExecute.link, "Run a hook", func(p HookExecute) string { return p.Command }),
			Reply:     always[HookExecute](HookResult{ExitCode: 1, Cancelled: true}),
		},
		dialect.Ask[HooksList, SessionStartResult]{
			Name: "_kiro/hooks/sessionStart", Source: typesOnly,
			Doc:       "what the host's hooks say at a session's start; declined with nothing",
			Correlate: request(HooksList.link, "Hooks at the session's start", nil),
			Reply: func(HooksList, dialect.Answer) (SessionStartResult, error) {
				return SessionStartResult{Results: []json.RawMessage{}}, nil
			},
		},
		dialect.Ask[SecretKey, SecretValue]{
			Name: "_kiro/secret/get", Source: typesOnly, Secret: true,
			Doc:       "a stored credential; declined as not stored",
			Decode:    need("key", func(p SecretKey) string { return p.Key }),
			Correlate: request(onConnection[SecretKey], "Read a credential", func(p SecretKey) string { return p.Key }),
			Reply:     always[SecretKey](SecretValue{}),
		},
		dialect.Ask[SecretStore, Success]{
			Name: "_kiro/secret/store", Source: typesOnly, Secret: true,
			Doc:       "store a credential, which is in the params; declined as not done",
			Decode:    need("key", func(p SecretStore) string { return p.Key }),
			Correlate: request(onConnection[SecretStore], "Store a credential", func(p SecretStore) string { return p.Key }),
			Reply:     always[SecretStore](Success{}),
		},
		dialect.Ask[SecretKey, Success]{
			Name: "_kiro/secret/delete", Source: typesOnly,
			Doc:       "forget a credential; declined as not done",
			Decode:    need("key", func(p SecretKey) string { return p.Key }),
			Correlate: request(onConnection[SecretKey], "Delete a credential", func(p SecretKey) string { return p.Key }),
			Reply:     always[SecretKey](Success{}),
		},
		dialect.Ask[ExternalURL, Success]{
			Name: "_kiro/openExternalUrl", Source: typesOnly,
			Doc:       "open a page for the user, a sign-in most often; declined as not done",
			Decode:    need("url", func(p ExternalURL) string { return p.URL }),
			Correlate: request(func(ExternalURL) dialect.Link { return dialect.Link{} }, "Open a page", func(p ExternalURL) string { return p.URL }),
			Reply:     always[ExternalURL](Success{}),
		},
		tool[SemanticRename]("semantic_rename", "rename a symbol everywhere", SemanticRename.link),
		tool[SmartRelocate]("smart_relocate", "move a file and what refers to it", SmartRelocate.link),
		tool[Diagnostics]("get_diagnostics", "what the host's editor says of files", Diagnostics.link),
		file[ReadFile, FileContent]("read_file", "read a file; lines count from 0", ReadFile.path, FileContent{Message: noFiles}),
		file[WriteFile, Done]("write_file", "write a file", WriteFile.path, Done{Message: noFiles}),
		file[DeleteFile, Done]("delete", "delete a file or directory", DeleteFile.path, Done{Message: noFiles}),
		file[PathRequest, FileStat]("stat", "what a path is", PathRequest.path, FileStat{Message: noFiles}),
		file[PathRequest, Directory]("read_directory", "what a directory holds", PathRequest.path, Directory{Message: noFiles}),
		search[FindFiles]("find_files", "find files by pattern", FindFiles.link),
		search[TextSearch]("text_search", "find text in files", TextSearch.link),
	}
}

// noFiles makes the agent throw: a message is the error channel of a file reply.
const noFiles = "this client serves no files"

// file makes the Ask for a file.
func file[P, R any](name, doc string, path func(P) (session, path string), decline R) dialect.Method {
	return dialect.Ask[P, R]{
		Name: "_kiro/fs/" + name, Source: typesOnly,
		Doc:    doc + "; declined with a message, which is an error",
		Decode: need("path", func(p P) string { _, at := path(p); return at }),
		Correlate: request(func(p P) dialect.Link {
			session, _ := path(p)
			return inSession(session)
		}, "Access a file", func(p P) string { _, at := path(p); return at }),
		Reply: always[P](decline),
	}
}

// tool makes the Ask for one of the host's own tools. Its result is the vendor's,
// as JSON; see the types of the params.
func tool[P any](name, doc string, link func(P) dialect.Link) dialect.Method {
	return dialect.Ask[P, json.RawMessage]{
		Name: "_kiro/tool/" + name, Source: typesSeen,
		Doc:       doc + "; declined with an error",
		Correlate: request(link, "Run a tool of the client", func(P) string { return name }),
		Reply:     refuse[P, json.RawMessage]("no such tool here"),
	}
}

// search makes the Ask for a search. Nothing found would be a lie, so the
// decline is an error.
func search[P any](name, doc string, link func(P) dialect.Link) dialect.Method {
	return dialect.Ask[P, json.RawMessage]{
		Name: "_kiro/search/" + name, Source: bundleOnly,
		Doc:       doc + "; declined with an error",
		Correlate: request(link, "Search the workspace", nil),
		Reply:     refuse[P, json.RawMessage]("no search here"),
	}
}

// request makes the Correlate of a machine's request.
func request[P any](link func(P) dialect.Link, title string, text func(P) string) func(P) (dialect.Link, dialect.Question) {
	return func(p P) (dialect.Link, dialect.Question) {
		q := dialect.Question{Kind: dialect.KindRequest, Title: title}
		if text != nil {
			q.Text = text(p)
		}
		return link(p), q
	}
}

func onConnection[P any](P) dialect.Link { return dialect.Link{Connection: true} }

// always makes the Reply of a request whose decline is a result.
func always[P, R any](decline R) func(P, dialect.Answer) (R, error) {
	return func(P, dialect.Answer) (R, error) { return decline, nil }
}

// refuse makes the Reply of a request whose decline is an error.
func refuse[P, R any](why string) func(P, dialect.Answer) (R, error) {
	return func(P, dialect.Answer) (R, error) {
		var none R
		return none, &dialect.NoAnswer{Code: methodNotFound, Message: why}
	}
}
