package state

import (
	"encoding/json"
	"slices"
)

// A session is one the client opened, a subagent's own, or one that was only
// heard of.
type session struct {
	id     string
	ours   bool   // opened, or prompted, by this client
	parent string // of a child; "" otherwise
	kids   []string

	flight []*turn // prompts in flight, oldest first
	last   *turn   // the last that ended; of a child, what parts its later runs
	halted *turn   // of the root: the one in which a child was cancelled
	marks  []turnMark

	history bool   // what comes is replayed
	heardAt uint64 // State.opened when it was first heard of
	forked  bool   // first heard of while a fork was in flight

	calls map[string]*call // the latest record of each id
	order []*call          // every record kept, oldest first
	bytes int              // of what the records store
	todos todoList
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
	sess := &session{id: id, calls: map[string]*call{}, heardAt: s.opened}
	if s.forks > 0 {
		sess.forked, sess.history = true, true
	}
	s.sessions[id] = sess
	s.strays = append(s.strays, sess)
	if len(s.strays) > maxStrays {
		s.closeSession(s.strays[0])
	}
	return sess
}

// heard gives the session that a frame of the agent is for.
func (s *State) heard(id string) *session {
	sess := s.session(id)
	if s.cfg.Implicit && len(sess.flight) == 0 && !sess.child() {
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

// within reports whether a session is another one or inside it.
func (s *State) within(sess, outer *session) bool {
	for sess != nil && sess != outer && sess.child() {
		sess = s.sessions[sess.parent]
	}
	return sess == outer
}

// placed reports whether a session is one of ours or a subagent's, so that it has
// turns.
func (s *session) placed() bool { return s != nil && (s.ours || s.child()) }

// replaying reports whether what comes for a session is history.
func (s *State) replaying(sess *session) bool { return sess != nil && s.root(sess).history }

// claim makes a session one of this client's.
func (s *State) claim(sess *session) {
	if sess.ours || sess.child() {
		return
	}
	s.unstray(sess)
	sess.ours = true
	s.own[sess.id] = sess
}

// adopt takes in that the agent opened a session for us.
func (s *State) adopt(sess *session, params json.RawMessage) {
	s.claim(sess)
	s.emit(Effect{Opened: &Opened{SessionID: sess.id, Params: params}})
}

// mayHold reports whether a session may be a subagent's in another: it is not
// ours, and not around the other.
func (s *State) mayHold(parent *session, childID string) bool {
	if childID == "" || childID == parent.id {
		return false
	}
	c := s.sessions[childID]
	return c == nil || !c.ours && !s.within(parent, c)
}

// impossible reports whether a subagent that is not known cannot have a session:
// it is the very one that speaks, or around that.
func (s *State) impossible(parent *session, childID string) bool {
	if parent == nil || childID == "" || s.byChild[childID] != nil {
		return false
	}
	c := s.sessions[childID]
	return childID == parent.id || c != nil && s.within(parent, c)
}

// link makes one session the child of another. What cannot be, or has a parent
// already, is left as it is.
func (s *State) link(childID string, parent *session) {
	if !s.mayHold(parent, childID) {
		return
	}
	c := s.session(childID)
	if c.child() || s.sessions[parent.id] != parent {
		return
	}
	s.unstray(c)
	c.parent, c.history, c.forked = parent.id, false, false
	parent.kids = append(parent.kids, childID)
	s.emit(Effect{Opened: &Opened{SessionID: childID, Parent: parent.id}})
	s.inherit(c)
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

// unlink makes a subagent's session one of its own: the client loads it.
func (s *State) unlink(sess *session) {
	if !sess.child() {
		return
	}
	for _, w := range slices.Clone(s.waiting) {
		if w.session != nil && s.within(w.session, sess) {
			s.release(w)
		}
	}
	if up := s.sessions[sess.parent]; up != nil {
		up.kids = slices.DeleteFunc(up.kids, func(id string) bool { return id == sess.id })
	}
	sess.parent, sess.last = "", nil
	s.strays = append(s.strays, sess)
}
