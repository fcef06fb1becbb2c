package dialect

import (
	"errors"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Check returns why an answer was not on offer: an outcome that is not listed, an
// unknown item or option, several picks where one fits, text where only options
// fit, a value outside its bounds, no value where one is required. A nil error
// means that the answer may be sent. The decline is always on offer.
func (q Question) Check(a Answer) error {
	if a.Result != nil {
		if a.Outcome != OutcomeDeclined || len(a.Picks) > 0 || a.Feedback != "" {
			return errors.New("dialect: Answer.Result replaces outcome, picks and feedback; set one or the other")
		}
		return nil
	}
	if a.Outcome == OutcomeDeclined {
		if len(a.Picks) > 0 || a.Feedback != "" {
			return errors.New("dialect: a decline carries no picks and no feedback; set Answer.Outcome")
		}
		return nil
	}
	if q.Kind == KindRequest {
		return fmt.Errorf("dialect: a request is answered with Answer.Result, not with the outcome %q", a.Outcome)
	}
	if !slices.Contains(q.Outcomes, a.Outcome) {
		return fmt.Errorf("dialect: outcome %q was not offered; offered: %q", a.Outcome, q.Outcomes)
	}
	if a.Feedback != "" && !slices.Contains(q.Feedback, a.Outcome) {
		return fmt.Errorf("dialect: outcome %q takes no feedback", a.Outcome)
	}
	for id, p := range a.Picks {
		if err := q.checkPick(id, p); err != nil {
			return err
		}
	}
	for _, it := range q.Items {
		if it.Required && a.Outcome == OutcomeAccepted && a.Picks[it.ID].Empty() {
			return fmt.Errorf("dialect: question %q must be answered", it.ID)
		}
	}
	return nil
}

func (q Question) checkPick(id string, p Pick) error {
	i := slices.IndexFunc(q.Items, func(it Item) bool { return it.ID == id })
	if i < 0 {
		return fmt.Errorf("dialect: no question has the id %q", id)
	}
	it := q.Items[i]
	if p.Text != "" && !it.FreeText {
		return fmt.Errorf("dialect: question %q takes no free text", id)
	}
	if len(p.Options) > 1 && !it.Multiple {
		return fmt.Errorf("dialect: question %q takes one option, not %d", id, len(p.Options))
	}
	for n, o := range p.Options {
		if !offers(it.Options, o) {
			return fmt.Errorf("dialect: question %q does not offer the option %q", id, o)
		}
		if slices.Contains(p.Options[:n], o) {
			return fmt.Errorf("dialect: option %q of question %q is picked twice", o, id)
		}
	}
	if n := len(p.Options); it.Multiple && n > 0 {
		if least, set := it.MinPicks.Get(); set && n < least {
			return fmt.Errorf("dialect: question %q takes at least %d options, not %d", id, least, n)
		}
		if most, set := it.MaxPicks.Get(); set && n > most {
			return fmt.Errorf("dialect: question %q takes at most %d options, not %d", id, most, n)
		}
	}
	if p.Text == "" {
		return nil
	}
	return it.checkText(p.Text)
}

// checkText compares a text with the item's type, bounds and format.
func (it Item) checkText(text string) error {
	switch it.Type {
	case ItemNumber, ItemInteger:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf("dialect: question %q takes a number, not %q", it.ID, text)
		}
		if it.Type == ItemInteger && v != math.Trunc(v) {
			return fmt.Errorf("dialect: question %q takes an integer, not %q", it.ID, text)
		}
		if least, set := it.Minimum.Get(); set && v < least {
			return fmt.Errorf("dialect: question %q takes at least %v, not %q", it.ID, least, text)
		}
		if most, set := it.Maximum.Get(); set && v > most {
			return fmt.Errorf("dialect: question %q takes at most %v, not %q", it.ID, most, text)
		}
		return nil
	}
	n := utf8.RuneCountInString(text)
	if least, set := it.MinLength.Get(); set && n < least {
		return fmt.Errorf("dialect: question %q takes at least %d characters, not %d", it.ID, least, n)
	}
	if most, set := it.MaxLength.Get(); set && n > most {
		return fmt.Errorf("dialect: question %q takes at most %d characters, not %d", it.ID, most, n)
	}
	if !wellFormed(it.Format, text) {
		return fmt.Errorf("dialect: question %q takes the format %s, which %q is not", it.ID, it.Format, text)
	}
	return nil
}

// wellFormed reports whether a text has a format. Unknown formats accept any text.
func wellFormed(format, text string) bool {
	var err error
	switch format {
	case "email":
		var a *mail.Address
		if a, err = mail.ParseAddress(text); err == nil && a.Address != text {
			return false
		}
	case "uri":
		var u *url.URL
		if u, err = url.Parse(text); err == nil && !u.IsAbs() {
			return false
		}
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	}
	return err == nil
}

// offers reports whether an option is among options or their second level.
func offers(options []Option, id string) bool {
	for _, o := range options {
		if o.ID == id || offers(o.Options, id) {
			return true
		}
	}
	return false
}
