package dialecttest

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// asked calls f with every outcome that has a question.
func (s *suite) asked(f func(outcome)) {
	s.each(func(o outcome) {
		if o.spec != nil && o.spec.Ask && o.panicked == "" && dialect.Usable(o.err) {
			f(o)
		}
	})
}

func questions(s *suite, r *complaints) {
	s.asked(func(o outcome) {
		if fault := questionFault(o.question); fault != "" {
			r.Errorf("%s: %s\n%s", o.name, fault, excerpt(o.raw))
			return
		}
		for _, a := range unoffered(o.question) {
			if o.question.Check(a) == nil {
				r.Errorf("%s: the answer %+v passes, and was not offered", o.name, a)
			}
		}
	})
}

// questionFault says what is wrong with a question, "" if nothing.
func questionFault(q dialect.Question) string {
	switch q.Kind {
	case dialect.KindRequest:
		if len(q.Outcomes)+len(q.Items)+len(q.Feedback) > 0 {
			return "a request takes nothing but Answer.Result, so it has no outcomes, items or feedback"
		}
		return ""
	case dialect.KindChoice, dialect.KindPlan:
	default:
		return "the question has no kind"
	}
	if len(q.Outcomes) == 0 {
		return "the question has no outcomes, so nothing can be answered"
	}
	for i, o := range q.Outcomes {
		if o == dialect.OutcomeDeclined {
			return "the decline is always on offer and never listed"
		}
		if slices.Contains(q.Outcomes[:i], o) {
			return "an outcome is listed twice"
		}
	}
	for _, o := range q.Feedback {
		if !slices.Contains(q.Outcomes, o) {
			return "feedback is for an outcome that is not listed"
		}
	}
	items := map[string]bool{}
	for _, it := range q.Items {
		if it.ID == "" || items[it.ID] {
			return "an item's id is empty or stands twice"
		}
		items[it.ID] = true
		options := map[string]bool{}
		for _, id := range optionIDs(it.Options) {
			if id == "" || options[id] {
				return "an option's id is empty or stands twice in its item"
			}
			options[id] = true
		}
	}
	return ""
}

func replied(s *suite, r *complaints) {
	s.each(func(o outcome) {
		for _, p := range o.replies {
			switch {
			case p.err != nil && code(p.err) == 0:
				r.Errorf("%s: the answer %+v becomes neither a result nor a *NoAnswer: %v", o.name, p.answer, p.err)
			case p.err == nil && !json.Valid(p.result):
				r.Errorf("%s: the answer %+v becomes no JSON: %s", o.name, p.answer, excerpt(p.result))
			}
		}
	})
}

func declines(s *suite, r *complaints) {
	s.asked(func(o outcome) {
		if len(o.replies) == 0 || o.replies[0].err != nil {
			return
		}
		decline := o.replies[0].result
		for _, p := range o.replies[1:] {
			consent := p.answer.Outcome == dialect.OutcomeAccepted && (o.question.Kind == dialect.KindPlan || len(p.answer.Picks) > 0)
			if consent && p.err == nil && sameJSON(decline, p.result) {
				r.Errorf("%s: the decline is what an acceptance is: %s", o.name, excerpt(decline))
				return
			}
		}
	})
}

func explained(s *suite, r *complaints) {
	s.asked(func(o outcome) {
		for _, p := range o.replies {
			switch {
			case !p.explain:
			case !p.ok:
				r.Errorf("%s: the result %s is not explained", o.name, excerpt(p.result))
			case o.question.Check(p.back) != nil:
				r.Errorf("%s: the result %s is explained as what was not offered: %+v: %v", o.name, excerpt(p.result), p.back, o.question.Check(p.back))
			case p.againErr != nil || !sameJSON(p.result, p.again):
				r.Errorf("%s: the result %s is explained as %+v, which would be %s (error %v)", o.name, excerpt(p.result), p.back, excerpt(p.again), p.againErr)
			}
		}
	})
}

func advertised(s *suite, r *complaints) {
	if s.dialect.Advertise == nil {
		return
	}
	for _, asks := range []bool{false, true} {
		a := s.dialect.Advertise(asks)
		for range times {
			if b := s.dialect.Advertise(asks); !reflect.DeepEqual(a, b) {
				r.Errorf("Advertise(%v) gives two answers: %v and %v", asks, a, b)
				break
			}
		}
		if a == nil {
			continue
		}
		data, err := json.Marshal(a)
		if err != nil {
			r.Errorf("Advertise(%v) is no JSON: %v", asks, err)
			continue
		}
		var back map[string]any
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(a, dialect.Capabilities(back)) {
			r.Errorf("Advertise(%v) holds other values than encoding/json makes of JSON: %#v (error %v)", asks, a, err)
		}
	}
}
