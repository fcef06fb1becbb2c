package dialect

import "time"

// UsageScope says what a Usage counts.
type UsageScope string

// The scopes of a Usage. The empty one is not known.
const (
	UsageCall    UsageScope = "call"    // one model call; several make a turn
	UsageTurn    UsageScope = "turn"    // the whole turn
	UsageSession UsageScope = "session" // the session so far
	UsageContext UsageScope = "context" // the context window now
	UsageAccount UsageScope = "account" // a quota or a plan's limit
)

// Usage is tokens, cost and time. Zero means unknown.
type Usage struct {
	Scope UsageScope

	InputTokens       int64
	OutputTokens      int64
	CachedReadTokens  int64
	CachedWriteTokens int64
	ReasoningTokens   int64
	TotalTokens       int64

	// CachedInside says that InputTokens includes the cached tokens;
	// otherwise they are counted beside it, or it is not known.
	CachedInside bool

	ContextUsed    int64   // tokens
	ContextSize    int64   // tokens
	ContextPercent float64 // 0 to 100

	Model    string // the model that used it, if reported
	Costs    []Cost
	Duration time.Duration // of what Scope counts
}

// A Cost is an amount in a currency or in a vendor's own unit.
type Cost struct {
	Amount float64
	Unit   string // ISO 4217 code such as "USD", or the vendor's word such as "credits"
}
