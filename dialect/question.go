package dialect

// QuestionKind is what a Question asks for.
type QuestionKind string

// The kinds of Question.
const (
	KindChoice  QuestionKind = "question" // answer the items
	KindPlan    QuestionKind = "plan"     // approve a plan
	KindURL     QuestionKind = "url"      // open Question.URL
	KindRequest QuestionKind = "request"  // a machine's request, which only Answer.Result answers
)

// A Question is what an agent asks, in neutral terms. It is an [Event] too: its
// content reaches the host even when the ask is declined.
type Question struct {
	Kind  QuestionKind
	Title string
	Text  string // Markdown: the question, or the plan itself
	Items []Item
	Todos []Todo
	URL   string // of a KindURL

	// Outcomes lists the possible answers besides the decline.
	Outcomes []Outcome
	// Feedback lists the outcomes that take Answer.Feedback.
	Feedback []Outcome
}

// ItemType is the type of an Item's value. The empty one is a choice among Options,
// or a text where FreeText is set.
type ItemType string

// The types of an Item.
const (
	ItemText    ItemType = "text"
	ItemNumber  ItemType = "number"  // Pick.Text is a JSON number
	ItemInteger ItemType = "integer" // Pick.Text is an integer
	ItemBoolean ItemType = "boolean" // Options are "true" and "false"
)

// An Item is one question of a KindChoice.
type Item struct {
	ID       string
	Text     string
	Detail   string // a longer description
	Options  []Option
	Multiple bool // several options may be picked
	FreeText bool // Pick.Text may be set
	Required bool // OutcomeAccepted needs a Pick that is not empty

	// Type, Format and the bounds come from agents that ask with a form. A
	// bound that is not set does not apply.
	Type                 ItemType
	Format               string // of a text: "email", "uri", "date", "date-time"
	Pattern              string // of a text: a regular expression in the agent's dialect, for display
	Default              Pick   // what the agent suggests; never sent unless picked
	Minimum, Maximum     Field[float64]
	MinLength, MaxLength Field[int] // of a text, in characters
	MinPicks, MaxPicks   Field[int] // of a multiple choice
	Secret               bool       // the answer is a credential
}

// An Option is one thing to pick.
type Option struct {
	ID          string
	Label       string
	Description string
	Preview     string
	Recommended bool
	Options     []Option // a second level, where the vendor has one
}

// Outcome is what an answer decides. The empty Outcome is the decline.
type Outcome string

// The usual outcomes. A vendor may list others of its own.
const (
	OutcomeDeclined Outcome = ""
	OutcomeAccepted Outcome = "accepted" // for a KindChoice: the items are answered
	OutcomeRejected Outcome = "rejected"
	OutcomeSkipped  Outcome = "skipped"
)

// An Answer is the host's decision. The zero Answer declines.
type Answer struct {
	Outcome  Outcome
	Picks    map[string]Pick // by Item.ID
	Feedback string

	// Result is the method's own result type R, instead of all the above. Any
	// ask takes it; a KindRequest takes nothing else.
	Result any
}

// A Pick answers one Item.
type Pick struct {
	Options []string // Option.ID values
	Text    string
}

// Empty reports whether the pick holds neither options nor text.
func (p Pick) Empty() bool { return len(p.Options) == 0 && p.Text == "" }
