package main

import "github.com/anishathalye/porcupine"

// Other agents get a scope so many milliseconds after its lease timed out.
const takeoverDelay = 2000

// lease is the last one of a scope, as far as the answers show it: one that was granted without an answer has neither id nor token, and its
// expiry is between two times.
type lease struct {
	id, agent        string
	incarnation      int64
	token            int64
	earliest, latest int64
	status           string
}

const (
	none     = ""
	active   = "active"
	released = "released"
	revoked  = "revoked"
	// Its time was over before its holder or a registration ended it.
	timedOut = "timed out"
	// Its holder registered again.
	abandoned = "abandoned"
	// Its holder may have registered again before the registry was killed: the end of the lease need not be stored.
	left = "left"
	// Older than what the model remembers.
	forgotten = "forgotten"
)

// scope is the state of a scope and of the agents that acquire leases of it.
type scope struct {
	last lease
	// The ones before, the newest first.
	past [4]lease
	// The highest token, or the lowest that a lease without an answer may have.
	token int64
	// The incarnations of the agents, by the last digit of their ids.
	incarnations [4]int64
	// The state is not older than this.
	since int64
}

func (s *scope) incarnation(agent string) *int64 {
	return &s.incarnations[agent[len(agent)-1]-'0']
}

func (s scope) isHeld() bool { return s.last.status == active }

// mayBeInForce says whether the last lease may be in force while the request is processed.
func (s scope) mayBeInForce(r request) bool {
	return s.isHeld() && max(r.from(), s.since) < s.last.latest
}

// mayBeOver says whether the time of the last lease may be over while the request is processed.
func (s scope) mayBeOver(r request) bool {
	return s.isHeld() && r.until() >= s.last.earliest
}

// at is the state where the lease was at least this old.
func (s scope) at(moment int64) scope {
	s.since = max(s.since, moment)
	return s
}

// shown is the state after an answer shows the last lease, empty where it is another one.
func (s scope) shown(out *output) []scope {
	expires := out.ExpiresAt.UnixMilli()
	isNew := s.last.id == none && s.find(out.Lease) == nil && out.Token >= s.token
	isSame := s.last.id == out.Lease && s.last.token == out.Token
	if !isNew && !isSame || s.last.agent != out.Agent || expires < s.last.earliest || expires > s.last.latest {
		return nil
	}
	s.last.id, s.last.token = out.Lease, out.Token
	s.last.earliest, s.last.latest = expires, expires
	s.token = max(s.token, out.Token)
	return []scope{s}
}

func (s scope) find(id string) *lease {
	for _, known := range append([]lease{s.last}, s.past[:]...) {
		if known.id == id && known.status != none {
			return &known
		}
	}
	return nil
}

func (s scope) ended(status string) scope {
	s.last.status = status
	return s
}

// end is the state after the holder or a coordinator ends the lease.
func (s scope) end(r request, status string) []scope {
	var after []scope
	if s.mayBeInForce(r) {
		after = append(after, s.ended(status))
	}
	if s.mayBeOver(r) {
		after = append(after, s.ended(timedOut).at(s.last.earliest))
	}
	return after
}

// granted is the state after a new lease.
func (s scope) granted(l lease) scope {
	before := s.last
	if before.status == active {
		before.status = timedOut
	}
	if before.status != none {
		copy(s.past[1:], s.past[:len(s.past)-1])
		s.past[0] = before
	}
	s.last = l
	return s
}

// available is from when on an agent may acquire the scope.
func (s scope) available(agent string) int64 {
	isOwn := s.last.agent == agent
	switch {
	case s.last.status == active && isOwn:
		return s.last.earliest
	case s.last.status == active, s.last.status == timedOut && !isOwn:
		return s.last.earliest + takeoverDelay
	default:
		return 0
	}
}

func (s scope) isSuperseded(r request) bool {
	return r.In.Incarnation != 0 && r.In.Incarnation != *s.incarnation(r.In.Agent)
}

func leaseModel() porcupine.Model {
	return model(scope{}, func(s scope, r request) []scope {
		if r.until() < s.since {
			return nil
		}
		switch r.Op {
		case "acquire":
			return s.acquire(r)
		case "renew":
			return s.renew(r)
		case "release":
			return s.close(r, released)
		case "revoke":
			return s.close(r, revoked)
		case "verify":
			return s.verify(r)
		case "read":
			return s.read(r)
		case "restart":
			return s.restart(r)
		}
		return nil
	})
}

func (s scope) acquire(r request) []scope {
	out, agent := r.Out, r.In.Agent
	granted := lease{agent: agent, incarnation: *s.incarnation(agent), status: active}
	from := max(r.from(), s.since, s.available(agent))
	switch {
	case out == nil:
		after := []scope{s}
		if !s.isSuperseded(r) && from <= r.until() && granted.incarnation > 0 {
			granted.earliest, granted.latest = from+r.In.Seconds*1000, r.until()+r.In.Seconds*1000
			given := s.granted(granted).at(from)
			given.token++
			after = append(after, given)
		}
		return after
	case s.isSuperseded(r):
		return when(out.is(410, "superseded"), s)
	case out.is(201, ""):
		acquired, expires := out.AcquiredAt.UnixMilli(), out.ExpiresAt.UnixMilli()
		isRight := out.Agent == agent && out.Token > s.token && s.find(out.Lease) == nil && acquired >= s.available(agent) &&
			r.within(acquired) && expires == acquired+r.In.Seconds*1000
		if !isRight {
			return nil
		}
		granted.id, granted.token, granted.earliest, granted.latest = out.Lease, out.Token, expires, expires
		s.token = out.Token
		return []scope{s.granted(granted).at(acquired - slack)}
	case out.is(200, ""):
		if s.mayBeInForce(r) && s.last.agent == agent {
			return s.shown(out)
		}
	case out.is(409, "lease_held"):
		available := out.AvailableAt.UnixMilli() - takeoverDelay
		if s.mayBeInForce(r) && s.last.agent != agent && available >= s.last.earliest && available <= s.last.latest {
			s.last.earliest, s.last.latest = available, available
			return []scope{s}
		}
	case out.is(409, "lease_just_expired"):
		available := out.AvailableAt.UnixMilli() - takeoverDelay
		isOver := s.mayBeOver(r) || s.last.status == timedOut || s.last.status == left && r.until() >= s.last.earliest
		return when(isOver && s.last.agent != agent && r.from() < available+takeoverDelay && available >= s.last.earliest &&
			available <= s.last.latest, s)
	}
	return nil
}

func (s scope) renew(r request) []scope {
	isLast := s.last.id == r.In.Lease
	length := r.In.Seconds * 1000
	switch out := r.Out; {
	case out == nil:
		after := []scope{s}
		if isLast && s.mayBeInForce(r) {
			renewed := s
			renewed.last.earliest, renewed.last.latest = max(r.from(), s.since)+length, r.until()+length
			after = append(after, renewed)
		}
		return after
	case out.is(200, ""):
		expires := out.ExpiresAt.UnixMilli()
		if isLast && s.mayBeInForce(r) && out.Token == s.last.token && out.Agent == s.last.agent && r.within(expires-length) {
			s.last.earliest, s.last.latest = expires, expires
			return []scope{s}
		}
	case out.is(412, "lease_not_in_force"):
		return when(!isLast || !s.isHeld() || s.mayBeOver(r), s)
	}
	return nil
}

func (s scope) close(r request, status string) []scope {
	isOpen := s.last.id == r.In.Lease && s.isHeld()
	switch {
	case r.Out == nil && isOpen:
		return append(s.end(r, status), s)
	case r.Out == nil:
		return []scope{s}
	case !r.Out.is(204, "") && !r.Out.is(200, ""):
		return nil
	}
	after := []scope{s}
	if isOpen {
		after = s.end(r, status)
	}
	// Only the answer to a revocation shows the lease.
	if r.Out.is(204, "") {
		return after
	}
	var shown []scope
	for _, each := range after {
		if each.shows(r) {
			shown = append(shown, each)
		}
	}
	return shown
}

func (s scope) verify(r request) []scope {
	isLast := s.last.id == r.In.Lease
	switch out := r.Out; {
	case out == nil:
		return []scope{s}
	case out.is(200, ""):
		expires := out.ExpiresAt.UnixMilli()
		return when(isLast && s.mayBeInForce(r) && r.In.Token == s.last.token && expires >= s.last.earliest && expires <= s.last.latest, s)
	case out.is(412, "fencing_token_stale"):
		return when(isLast && s.mayBeInForce(r) && r.In.Token != s.last.token, s)
	case out.is(412, "lease_not_in_force"):
		return when(!isLast || !s.isHeld() || s.mayBeOver(r), s)
	}
	return nil
}

func (s scope) read(r request) []scope {
	return when(r.Out == nil || r.Out.is(200, "") && s.shows(r), s)
}

// shows says whether an answer may show the lease of the request in this state.
func (s scope) shows(r request) bool {
	out := r.Out
	expires := out.ExpiresAt.UnixMilli()
	known := s.find(r.In.Lease)
	if known == nil {
		return out.Status != active
	}
	if known.token != out.Token || known.agent != out.Agent || expires < known.earliest || expires > known.latest {
		return false
	}
	switch known.status {
	case active:
		return out.Status == active && s.mayBeInForce(r) || out.Status == "expired" && s.mayBeOver(r)
	case timedOut, abandoned:
		return out.Status == "expired"
	case left:
		return out.Status == "expired" || out.Status == active && known.id == s.last.id && max(r.from(), s.since) < known.latest
	default:
		return out.Status == known.status
	}
}

// restart registers the holder again, which ends its lease.
func (s scope) restart(r request) []scope {
	next := s
	*next.incarnation(r.In.Agent)++
	after := []scope{next}
	if s.isHeld() && s.last.agent == r.In.Agent {
		after = next.end(r, abandoned)
		if r.Out == nil {
			after = append(after, next.end(r, left)...)
		}
	}
	switch {
	case r.Out == nil:
		return append(after, s)
	case r.Out.is(201, "") && r.Out.Incarnation == *next.incarnation(r.In.Agent):
		return after
	}
	return nil
}

// when is the state itself, or nothing.
func when[S any](possible bool, state S) []S {
	if possible {
		return []S{state}
	}
	return nil
}
