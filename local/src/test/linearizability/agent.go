package main

import "github.com/anishathalye/porcupine"

// agent is the record of an agent.
type agent struct {
	incarnation, version int64
	status               string
	name, instance       string
	load                 int64
	// Milliseconds: the last heartbeat is not older than this, and the times that the registration declares.
	heard                     int64
	interval, unhealthy, dead int64
	// The state is not older than this.
	since int64
}

const deregistered = "deregistered"

func (a agent) isGone() bool {
	return a.status == none || a.status == "dead" || a.status == deregistered
}

// silent are the states in which the agent may be because no heartbeat came, the given one first.
func (a agent) silent(r request) []agent {
	states := []agent{a}
	if a.status == active && r.until() >= a.heard+a.unhealthy {
		a.status, a.since = "unhealthy", max(a.since, a.heard+a.unhealthy-slack)
		a.version++
		states = append(states, a)
	}
	if a.status == "unhealthy" && r.until() >= a.heard+a.dead {
		a.status, a.since = "dead", max(a.since, a.heard+a.dead-slack)
		a.version++
		states = append(states, a)
	}
	return states
}

func agentModel() porcupine.Model {
	return model(agent{}, func(before agent, r request) []agent {
		var after []agent
		for _, a := range before.silent(r) {
			if r.until() < a.since {
				continue
			}
			switch r.Op {
			case "register":
				after = append(after, a.register(r)...)
			case "heartbeat":
				after = append(after, a.heartbeat(r)...)
			case "patch":
				after = append(after, a.patch(r)...)
			case "deregister":
				after = append(after, a.deregister(r)...)
			case "read":
				after = append(after, a.read(r)...)
			}
		}
		return after
	})
}

// shows says whether an answer shows the record.
func (a agent) shows(out *output) bool {
	return a.showsProfile(out) && out.Load == a.load && out.HeardAt.UnixMilli() >= a.heard
}

// showsProfile leaves out what heartbeats report: the answer to a change has that from a moment before, as heartbeats do not hinder changes.
func (a agent) showsProfile(out *output) bool {
	return out.Incarnation == a.incarnation && out.Version == a.version && out.Status == a.status && out.Name == a.name &&
		out.Instance == a.instance
}

func (a agent) register(r request) []agent {
	next := agent{
		incarnation: a.incarnation + 1, version: 1, status: active, name: r.In.Name, instance: r.In.Instance, heard: max(r.from(), a.since),
		interval: r.In.Interval * 1000, unhealthy: r.In.Unhealthy * 1000, dead: r.In.Dead * 1000, since: a.since,
	}
	isOther := a.instance != "" && r.In.Instance != "" && a.instance != r.In.Instance
	takeOver := int64(0)
	if !a.isGone() && isOther {
		takeOver = a.heard + 2*a.interval
	}
	isPermitted := (a.isGone() || r.In.Replace) && r.until() >= takeOver
	switch out := r.Out; {
	case out == nil && isPermitted:
		return []agent{a, next}
	case out == nil:
		return []agent{a}
	case out.is(201, ""):
		// No heartbeat of this incarnation came before.
		next.heard = out.HeardAt.UnixMilli()
		return when(isPermitted && r.within(next.heard) && next.shows(out), next)
	case out.is(409, "agent_exists"):
		return when(!a.isGone() && !r.In.Replace, a)
	case out.is(409, "agent_already_running"):
		return when(!a.isGone() && r.In.Replace && isOther, a)
	}
	return nil
}

func (a agent) heartbeat(r request) []agent {
	isCurrent := r.In.Incarnation == 0 || r.In.Incarnation == a.incarnation
	next := a
	next.load = r.In.Load
	next.heard = max(a.heard, r.from())
	if a.status == "unhealthy" {
		next.status = active
		next.version++
	}
	switch out := r.Out; {
	case out == nil && isCurrent && !a.isGone():
		return []agent{a, next}
	case out == nil:
		return []agent{a}
	case out.is(404, "agent_not_found"):
		return when(a.status == none, a)
	case out.is(410, "superseded"):
		return when(a.status != none && !isCurrent, a)
	case out.is(410, "agent_gone"):
		return when(a.status != none && isCurrent && a.isGone(), a)
	case out.is(200, ""):
		next.heard = max(a.heard, out.HeardAt.UnixMilli())
		return when(isCurrent && !a.isGone() && out.Incarnation == a.incarnation && out.Status == next.status && r.within(out.HeardAt.UnixMilli()), next)
	}
	return nil
}

func (a agent) patch(r request) []agent {
	isMatch := r.In.IfMatch == 0 || r.In.IfMatch == a.version
	next := a
	next.name = r.In.Name
	next.version++
	switch out := r.Out; {
	case out == nil && isMatch && !a.isGone():
		return []agent{a, next}
	case out == nil:
		return []agent{a}
	case out.is(404, "agent_not_found"):
		return when(a.status == none, a)
	case out.is(412, "version_mismatch"):
		return when(a.status != none && !isMatch, a)
	case out.is(409, "agent_gone"):
		return when(a.status != none && isMatch && a.isGone(), a)
	case out.is(200, ""):
		return when(isMatch && !a.isGone() && next.showsProfile(out), next)
	}
	return nil
}

func (a agent) deregister(r request) []agent {
	isCurrent := r.In.Incarnation == 0 || r.In.Incarnation == a.incarnation
	next := a
	if a.status != none && a.status != deregistered {
		next.status = deregistered
		next.version++
	}
	switch out := r.Out; {
	case out == nil && isCurrent:
		return []agent{a, next}
	case out == nil:
		return []agent{a}
	case out.is(404, "agent_not_found"):
		return when(a.status == none, a)
	case out.is(410, "superseded"):
		return when(a.status != none && !isCurrent, a)
	case out.is(204, ""):
		return when(a.status != none && isCurrent, next)
	}
	return nil
}

func (a agent) read(r request) []agent {
	switch out := r.Out; {
	case out == nil:
		return []agent{a}
	case out.is(404, "agent_not_found"):
		return when(a.status == none, a)
	case out.is(200, "") && a.status != none && a.shows(out):
		a.heard = out.HeardAt.UnixMilli()
		return []agent{a}
	}
	return nil
}
