package kiro

import (
	"encoding/json"

	"github.com/acpdialects/acpdialects/dialect"
)

// Credential is a secret. It prints as a placeholder and marshals as it is.
type Credential string

// String implements fmt.Stringer.
func (Credential) String() string { return "(credential)" }

// GoString implements fmt.GoStringer.
func (Credential) GoString() string { return "kiro.Credential(...)" }

// AccessTokenRequest is the params of _kiro/auth/getAccessToken: nothing.
type AccessTokenRequest struct{}

// AccessToken is the result of _kiro/auth/getAccessToken.
type AccessToken struct {
	AccessToken Credential `json:"accessToken"`
	ExpiresAt   string     `json:"expiresAt"` // RFC 3339; at least three minutes from now, or it is rejected
	ProfileARN  string     `json:"profileArn,omitzero"`
	AuthMethod  string     `json:"authMethod,omitzero"`
	Provider    string     `json:"provider,omitzero"`
}

// SessionRequest is the params of a request with nothing but its session.
type SessionRequest struct {
	SessionID string `json:"sessionId"`
}

func (p SessionRequest) link() dialect.Link { return inSession(p.SessionID) }

// ShellType is the result of _kiro/terminal/shell_type.
type ShellType struct {
	ShellType string `json:"shellType"` // bash, zsh, fish, powershell, sh
}

// Elicitation is the params of _kiro/mcp/elicitation.
type Elicitation struct {
	SessionID   string             `json:"sessionId"`
	ToolCallID  string             `json:"toolCallId"`
	Elicitation ElicitationRequest `json:"elicitation"`
}

// ElicitationRequest is what the MCP server asks for.
type ElicitationRequest struct {
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

func (p Elicitation) link() dialect.Link {
	return dialect.Link{SessionID: p.SessionID, ToolCallID: p.ToolCallID}
}

// ElicitationResult is the result of _kiro/mcp/elicitation.
type ElicitationResult struct {
	Action  string          `json:"action"` // "accept", "decline", "cancel"
	Content json.RawMessage `json:"content,omitzero"`
}

// HooksList is the params of _kiro/hooks/list and _kiro/hooks/sessionStart.
type HooksList struct {
	Trigger        string   `json:"trigger"` // promptSubmit, preToolUse, postToolUse, agentStop, sessionStart
	SessionID      string   `json:"sessionId"`
	ToolID         string   `json:"toolId"`
	ToolTags       []string `json:"toolTags"`
	WorkspacePaths []string `json:"workspacePaths"`
}

func (p HooksList) link() dialect.Link { return inSession(p.SessionID) }

// HooksListResult is the result of _kiro/hooks/list.
type HooksListResult struct {
	Hooks []json.RawMessage `json:"hooks"` // not nil
}

// SessionStartResult is the result of _kiro/hooks/sessionStart.
type SessionStartResult struct {
	Results []json.RawMessage `json:"results"` // not nil
}

// HookExecute is the params of _kiro/hooks/executeHook.
type HookExecute struct {
	HookID      string         `json:"hookId"`
	HookName    string         `json:"hookName"`
	Command     string         `json:"command"`
	SessionID   string         `json:"sessionId"`
	UserPrompt  string         `json:"userPrompt"`
	Timeout     dialect.Number `json:"timeout"`
	OperationID string         `json:"operationId"`
}

func (p HookExecute) link() dialect.Link { return inSession(p.SessionID) }

// HookResult is the result of _kiro/hooks/executeHook. Exit code 2 before a tool
// blocks it, with the output as the reason.
type HookResult struct {
	Output    string `json:"output,omitzero"`
	ExitCode  int    `json:"exitCode"`
	Cancelled bool   `json:"cancelled"`
}

// SecretKey is the params of _kiro/secret/get and _kiro/secret/delete.
type SecretKey struct {
	Key string `json:"key"`
}

// SecretStore is the params of _kiro/secret/store.
type SecretStore struct {
	Key   string     `json:"key"`
	Value Credential `json:"value"`
}

// SecretValue is the result of _kiro/secret/get; nil means that there is none.
type SecretValue struct {
	Value *Credential `json:"value"`
}

// Success is the result of requests that were done or not.
type Success struct {
	Success bool `json:"success"`
}

// ExternalURL is the params of _kiro/openExternalUrl.
type ExternalURL struct {
	URL string `json:"url"`
}

// SemanticRename is the params of _kiro/tool/semantic_rename. The result has
// success, filesChanged, editsApplied, message and, if any, fileChanges.
type SemanticRename struct {
	SessionID string         `json:"sessionId"`
	Path      string         `json:"path"`
	Line      dialect.Number `json:"line"`
	Character dialect.Number `json:"character"`
	OldName   string         `json:"oldName"`
	NewName   string         `json:"newName"`
}

func (p SemanticRename) link() dialect.Link { return inSession(p.SessionID) }

// SmartRelocate is the params of _kiro/tool/smart_relocate. The result has
// success and message.
type SmartRelocate struct {
	SessionID       string `json:"sessionId"`
	SourcePath      string `json:"sourcePath"`
	DestinationPath string `json:"destinationPath"`
}

func (p SmartRelocate) link() dialect.Link { return inSession(p.SessionID) }

// Diagnostics is the params of _kiro/tool/get_diagnostics. The result has
// diagnostics (by path), errors and message.
type Diagnostics struct {
	SessionID string   `json:"sessionId"`
	Paths     []string `json:"paths"`
}

func (p Diagnostics) link() dialect.Link { return inSession(p.SessionID) }

// PathRequest is the params of _kiro/fs/stat and _kiro/fs/read_directory.
type PathRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
}

func (p PathRequest) path() (session, path string) { return p.SessionID, p.Path }

// ReadFile is the params of _kiro/fs/read_file.
type ReadFile struct {
	PathRequest
	Line  dialect.Number `json:"line"` // the first line is 0, unlike in fs/read_text_file
	Limit dialect.Number `json:"limit"`
}

// WriteFile is the params of _kiro/fs/write_file. A range to replace, lines from
// 0, is in _meta.kiro.range.
type WriteFile struct {
	PathRequest
	Content string          `json:"content"`
	Meta    json.RawMessage `json:"_meta"`
}

// DeleteFile is the params of _kiro/fs/delete.
type DeleteFile struct {
	PathRequest
	Recursive bool `json:"recursive"`
}

// FileContent is the result of _kiro/fs/read_file: content, or a message that
// says why not. As in all file results, any message makes the agent throw.
type FileContent struct {
	Content *string `json:"content,omitzero"`
	Message string  `json:"message,omitzero"`
}

// Done is the result of _kiro/fs/write_file and _kiro/fs/delete.
type Done struct {
	Message string `json:"message,omitzero"`
}

// FileStat is the result of _kiro/fs/stat. Type and size go together.
type FileStat struct {
	Type    string `json:"type,omitzero"` // file, directory, symlink
	Size    *int64 `json:"size,omitzero"`
	Message string `json:"message,omitzero"`
}

// Directory is the result of _kiro/fs/read_directory. An empty directory has
// entries that are empty, not nil.
type Directory struct {
	Entries []DirectoryEntry `json:"entries,omitzero"`
	Message string           `json:"message,omitzero"`
}

// DirectoryEntry is one entry of [Directory].
type DirectoryEntry struct {
	Name string `json:"name"`
	Type string `json:"type"` // file, directory, symlink
}

// FindFiles is the params of _kiro/search/find_files. The result has files.
type FindFiles struct {
	SessionID  string          `json:"sessionId"`
	Pattern    string          `json:"pattern"`
	Exclude    json.RawMessage `json:"exclude"`
	MaxResults dialect.Number  `json:"maxResults"`
}

func (p FindFiles) link() dialect.Link { return inSession(p.SessionID) }

// TextSearch is the params of _kiro/search/text_search. The result has matches.
type TextSearch struct {
	SessionID     string         `json:"sessionId"`
	Pattern       string         `json:"pattern"`
	CaseSensitive bool           `json:"caseSensitive"`
	MaxResults    dialect.Number `json:"maxResults"`
}

func (p TextSearch) link() dialect.Link { return inSession(p.SessionID) }
