package dialecttest

// laws are all the laws, in the order in which a broken one is most easily
// understood.
var laws = []law{
	{"described", "a registry refuses what is incomplete or clashes with itself, and a vendor's fact without a source cannot be checked again", described, false},
	{"registered", "a host gets a dialect by a blank import, so the package's init must register it", registered, false},
	{"cases", "the table is what the vendor's pages and the wire say", tabled, false},
	{"covered", "a method nobody has an example of, good and refused, is a guess", covered, false},
	{"total", "an agent's bytes are not trusted: no input may panic, and the client must learn of bad ones by an error", total, true},
	{"pure", "hooks are run twice, in any order and goroutine, and share their input with the client", pure, true},
	{"unknown fields", "agents add fields at any time, and an old dialect must go on as if they were not there", unknownFields, false},
	{"wrong types", "one oddly typed field must not lose the fields beside it, least of all the link", wrongTypes, false},
	{"no echo", "errors go into logs and to the agent, and params are private", noEcho, false},
	{"events", "a client acts on the contract's event types alone, and an event that belongs nowhere is lost", wellFormed, true},
	{"notices", "a host shows a notice's message as it stands, in one line", notices, true},
	{"questions", "an answer is checked against the question by item and option ids, so they must tell apart what they name", questions, true},
	{"answers", "whatever the host may answer must reach the agent as JSON, or as the error the vendor expects", replied, true},
	{"declines", "nobody's silence may be taken for consent", declines, true},
	{"explain", "a recorded conversation must show the answer that was given", explained, true},
	{"order", "frames of a call are split as the agent likes, and come before and after reports", ordered, false},
	{"advertise", "capabilities are merged and sent as JSON, for hosts that answer asks and hosts that do not", advertised, false},
	{"linear", "an agent must not be able to keep a client busy with a single frame", linear, false},
}
