package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.HeartbeatResult;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.HeartbeatRule;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Takes heartbeats (RFC-0016 §4).
 *
 * <p>As long as nothing changes, a heartbeat is one conditional write and nothing else. Everything below that write is for the rest:
 * recovery, drain, another's key, an agent that is gone. Thread-safe.
 */
final class HeartbeatReception {

    /** A sweep, a drain or another heartbeat may come in between a few times; more often than this, or for longer, is a fault. */
    private static final int TRIES = 6;

    private final PulseStore pulses;
    private final AgentStore agents;
    private final LeaseStore leases;
    private final Authenticator authenticator;
    private final TaskLists taskLists;
    private final DriftWatch driftWatch;
    private final HeartbeatCount count;
    private final Clock clock;

    HeartbeatReception(Stores stores, Authenticator authenticator, Clock clock, Log log) {
        this.pulses = stores.pulses();
        this.agents = stores.agents();
        this.leases = stores.leases();
        this.authenticator = authenticator;
        this.taskLists = new TaskLists(agents);
        this.driftWatch = new DriftWatch(agents, log);
        this.count = new HeartbeatCount(log);
        this.clock = clock;
    }

    /**
     * Takes one heartbeat.
     *
     * @param key hash of the key that came with it; known to belong to somebody only if it is the agent's own
     * @throws Problem 401 for a key nobody has, 403 for another's, 404 for an unknown agent, 410 for one that is dead or deregistered, 503
     *     where others come in between for longer than the storage has patience
     */
    Acknowledgement receive(String agentId, KeyHash key, Heartbeat heartbeat) {
        Instant now = clock.instant();
        Instant until = now.plus(Retries.MAX_DURATION);
        for (int i = 0; i < TRIES && !clock.instant().isAfter(until); i++) {
            HeartbeatResult result = pulses.recordHeartbeat(agentId, key, heartbeat, now);
            if (result instanceof HeartbeatResult.Counted counted) {
                return acknowledged(drained(counted.after(), now), heartbeat, now);
            }
            if (result instanceof HeartbeatResult.NotCounted other) {
                Optional<Pulse> after = changed(other.seen(), key, heartbeat, now);
                if (after.isPresent()) {
                    return acknowledged(after.get(), heartbeat, now);
                }
            } else {
                refuseUnlessBack(agentId, key);
            }
        }
        throw Problem.busy();
    }

    private Acknowledgement acknowledged(Pulse pulse, Heartbeat heartbeat, Instant now) {
        if (!pulse.status().isGone()) {
            taskLists.keep(pulse, heartbeat);
        }
        driftWatch.look(pulse, heartbeat, now);
        count.taken(now);
        return new Acknowledgement(pulse.status(), pulse.coordination().pendingDrain(), now);
    }

    /** The pulse after a heartbeat that brings a change of status; empty where somebody else changed it first. */
    private Optional<Pulse> changed(Pulse seen, KeyHash key, Heartbeat heartbeat, Instant now) {
        if (!key.equals(seen.credential())) {
            authenticator.caller(key);
            throw notYours(seen.agentId());
        }
        if (seen.status().isGone()) {
            throw Problem.gone(seen.agentId(), seen.status().word());
        }
        boolean holdsLeases = heartbeat.draining() && leases.holdsAny(seen, now);
        return HeartbeatRule.change(seen, heartbeat, holdsLeases, now)
                .filter(this::write)
                .map(Transition::after);
    }

    /** The pulse after a heartbeat with which a drain may be complete: its last task is done. */
    private Pulse drained(Pulse counted, Instant now) {
        if (DrainRule.completion(counted, false, now).isEmpty()) {
            return counted;
        }
        // Where the write loses a race, the next heartbeat or the sweep completes the drain.
        return DrainRule.completion(counted, leases.holdsAny(counted, now), now)
                .filter(this::write)
                .map(Transition::after)
                .orElse(counted);
    }

    private boolean write(Transition transition) {
        String agentId = transition.after().agentId();
        AgentProfile profile = agents.profile(agentId)
                .orElseThrow(() -> new IllegalStateException("agent " + agentId + " has a pulse but no profile"));
        return agents.change(transition, profile);
    }

    /** Refuses the heartbeat of an agent without a pulse, unless it registered meanwhile and has one again. */
    private void refuseUnlessBack(String agentId, KeyHash key) {
        authenticator.caller(key);
        Optional<Pulse> buried = agents.tombstone(agentId);
        if (buried.isPresent()) {
            throw key.equals(buried.get().credential())
                    ? Problem.gone(agentId, buried.get().status().word())
                    : notYours(agentId);
        }
        if (pulses.find(agentId).isEmpty()) {
            throw Problem.unknownAgent(agentId);
        }
    }

    private static Problem notYours(String agentId) {
        return Problem.forbidden("Only the key that registered agent '" + agentId + "' may beat for it.");
    }
}
