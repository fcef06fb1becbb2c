package state

import (
	"encoding/json"
	"slices"

	"github.com/acpdialects/acpdialects/dialect"
)

// A session is one the client opened, a subagent's own, or one that was only
// heard of.
type session struct {
	id     string
	ours   bool   // opened by this client
	parent string // of a child; "" otherwise
	kids   []string

	flight []*turn // prompts in flight, oldest first
	last   *turn   // the last that ended

	history bool   // what comes is replayed
	opening string // the call that was opening a session when this one was first heard of
	forked  bool   // first heard of while a fork was in flight

	calls map[string]*call // the latest record of each id
	order []*call          // every record kept, oldest first
	bytes int              // of what the records store
	todos []dialect.Todo
}

// A turn goes from a prompt to its answer.
type turn struct {
	session   *session
	id        string // of our call
	number    uint64 // turns of the connection count on
	prompt    json.RawMessage
	cancelled bool
	abandoned bool // nobody waits for its answer
}

// current is the turn that frames of the session belong to now: the oldest in
// flight, or else the last one.
func (s *session) current() *turn {
	if len(s.flight) > 0 {
		return s.flight[0]
	}
	return s.last
}

func (s *session) child() bool { return s.parent != "" }

// session gives the record of a session id, a new one if need be.
func (s *State) session(id string) *session {
	if sess := s.sessions[id]; sess != nil {
		return sess
	}
	sess := &session{id: id, calls: map[string]*call{}}
	for call, p := range s.opens {
		sess.opening = call
		if p.method == "session/fork" {
			sess.forked, sess.history = true, true
		}
	}
	s.sessions[id] = sess
	s.strays = append(s.strays, sess)
	if len(s.strays) > maxStrays {
		s.forget(s.strays[0])
	}
	return sess
}

// heard gives the session that a frame of the agent is for.
func (s *State) heard(id string) *session {
	sess := s.session(id)
	if s.cfg.Implicit && len(sess.flight) == 0 && !sess.child() {
		if !sess.ours {
			s.unstray(sess)
			sess.ours = true
			s.mine++
		}
		s.beginTurn("", id, nil)
	}
	return sess
}

// root gives the session whose turns count for sess: a child's outermost parent.
func (s *State) root(sess *session) *session {
	for sess.child() {
		up := s.sessions[sess.parent]
		if up == nil {
			break
		}
		sess = up
	}
	return sess
}

// adopt makes a session ours.
func (s *State) adopt(id string, params json.RawMessage) {
	sess := s.session(id)
	s.unstray(sess)
	if !sess.ours {
		sess.ours = true
		s.mine++
	}
	s.emit(Effect{Opened: &Opened{SessionID: id, Params: params}})
}

// link makes one session the child of another. What cannot be (a session of
// ours, a cycle, a second parent) is left as it is.
func (s *State) link(childID, parentID string) {
	if childID == "" || parentID == "" || childID == parentID {
		return
	}
	c, p := s.session(childID), s.session(parentID)
	if c.ours || c.child() {
		return
	}
	for up := p; up.child(); {
		if up = s.sessions[up.parent]; up == nil || up == c {
			return
		}
	}
	c.parent = parentID
	c.history = false
	p.kids = append(p.kids, childID)
	s.unstray(c)
	s.emit(Effect{Opened: &Opened{SessionID: childID, Parent: parentID}})
}

func (s *State) unstray(sess *session) {
	if i := slices.Index(s.strays, sess); i >= 0 {
		s.strays = slices.Delete(s.strays, i, i+1)
	}
}

// family gives a session and all its children, and theirs.
func (s *State) family(sess *session) []*session {
	out := []*session{sess}
	for i := 0; i < len(out); i++ {
		for _, id := range out[i].kids {
			if kid := s.sessions[id]; kid != nil {
				out = append(out, kid)
			}
		}
	}
	return out
}

// closeSession ends all that belongs to a session and its children.
func (s *State) closeSession(id string) {
	sess := s.sessions[id]
	if sess == nil {
		return
	}
	for _, sess := range slices.Backward(s.family(sess)) {
		for _, r := range s.open {
			if r.SessionID == sess.id {
				s.emit(Effect{End: &End{Request: r, Reason: ConnClosed}})
			}
		}
		for _, w := range slices.Clone(s.waiting) {
			if w.session == sess {
				s.release(w)
			}
		}
		for len(sess.flight) > 0 {
			s.endTurn(sess.flight[0], "")
		}
		s.dropChildren(sess, source{method: "session/close"})
		s.forget(sess)
		s.emit(Effect{Closed: &Closed{SessionID: sess.id}})
	}
}

// forget takes a session's record out of every table.
func (s *State) forget(sess *session) {
	s.unstray(sess)
	if sess.ours {
		s.mine--
	}
	if p := s.sessions[sess.parent]; p != nil {
		if i := slices.Index(p.kids, sess.id); i >= 0 {
			p.kids = slices.Delete(p.kids, i, i+1)
		}
	}
	for _, c := range sess.order {
		s.unindex(c)
	}
	for _, c := range slices.Clone(s.children) {
		if c.session == sess {
			s.dropChild(c)
		}
	}
	if s.sessions[sess.id] == sess {
		delete(s.sessions, sess.id)
	}
}

// History follows a load: what comes for a session from the call on is replayed,
// and so is what comes after its answer until the session's first prompt.
func (s *State) beginHistory(id string) { s.session(id).history = true }

// endHistory begins the session's own life: what was replayed holds no runs.
func (s *State) endHistory(sess *session) {
	if !sess.history {
		return
	}
	sess.history = false
	for _, c := range slices.Clone(s.children) {
		if c.session == sess && c.history {
			s.dropChild(c)
		}
	}
}
