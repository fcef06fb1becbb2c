package lines

import "github.com/acpdialects/acpdialects/dialect"

type usage struct {
	InputTokens       int64   `json:"inputTokens,omitempty"`
	OutputTokens      int64   `json:"outputTokens,omitempty"`
	CachedReadTokens  int64   `json:"cachedReadTokens,omitempty"`
	CachedWriteTokens int64   `json:"cachedWriteTokens,omitempty"`
	ReasoningTokens   int64   `json:"reasoningTokens,omitempty"`
	TotalTokens       int64   `json:"totalTokens,omitempty"`
	ContextUsed       int64   `json:"contextUsed,omitempty"`
	ContextSize       int64   `json:"contextSize,omitempty"`
	ContextPercent    float64 `json:"contextPercent,omitempty"`
	Costs             []cost  `json:"costs,omitempty"`
	DurationMS        int64   `json:"durationMs,omitempty"`
}

type cost struct {
	Amount float64 `json:"amount"`
	Unit   string  `json:"unit,omitempty"`
}

func usageOf(u dialect.Usage) *usage {
	out := &usage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens,
		CachedReadTokens: u.CachedReadTokens, CachedWriteTokens: u.CachedWriteTokens,
		ReasoningTokens: u.ReasoningTokens, TotalTokens: u.TotalTokens,
		ContextUsed: u.ContextUsed, ContextSize: u.ContextSize, ContextPercent: u.ContextPercent,
		DurationMS: u.Duration.Milliseconds(),
	}
	for _, c := range u.Costs {
		out.Costs = append(out.Costs, cost(c))
	}
	return out
}
