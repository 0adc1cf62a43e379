package dev.agenthealth.functions.registry.heartbeat;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.agents.TaskStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.HeartbeatResult;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyAction;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatRule;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Receives heartbeats (RFC-0016 §4). Thread-safe.
 *
 * <p>Heartbeats are the most frequent requests, so the usual heartbeat costs one conditional write and no read. The condition of the write
 * checks everything at once: the hash of the key, the incarnation if the heartbeat names one, and that the status stays. If the write
 * succeeds, the heartbeat is authenticated and counted. For example, an active agent that reports "active" needs nothing else.
 *
 * <p>If the condition fails, the database returns the row, and this class finds the reason. An unhealthy agent recovers, in one transaction
 * with its event. An agent may announce that it drains. The owner may have rotated its key, so that the row gets the hash of the new
 * secret. A dead, deregistered or replaced agent gets 410 and has to register again. These cases cost more, but they are rare.
 *
 * <p>A delayed heartbeat never sets the time of the last heartbeat back. If a sweep or another heartbeat changes the row meanwhile, the
 * reception starts again with the new row.
 */
final class HeartbeatReception {

    private final PulseStore pulses;
    private final AgentStore agents;
    private final LeaseStore leases;
    private final Authenticator authenticator;
    private final TaskLists taskLists;
    private final ClockDriftMonitor driftWatch;
    private final HeartbeatCount count;
    private final HeartbeatSchedule schedule;
    private final Clock clock;
    private final Database database;
    private final Log log;

    HeartbeatReception(
            Database database, Authenticator authenticator, HeartbeatSchedule schedule, Clock clock, Log log) {
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
        this.leases = new LeaseStore(database);
        this.authenticator = authenticator;
        this.taskLists = new TaskLists(new TaskStore(database));
        this.driftWatch = new ClockDriftMonitor(new FindingStore(database), log);
        this.count = new HeartbeatCount(log);
        this.schedule = schedule;
        this.clock = clock;
        this.database = database;
        this.log = log;
    }

    /**
     * Receives one heartbeat.
     *
     * @param key the request's key or token; it is looked up only if it is not the credential on the agent's row
     * @param senderId the agent, or the first agent of the heartbeats in a request, so that their next heartbeats can share a request again
     * @throws ApiError 401 for an invalid key; 403 for the key of another agent; 404 for an unknown agent; 410 for a dead or deregistered
     *     agent and for a replaced incarnation; 503 if all retries failed
     */
    Acknowledgement receive(String agentId, PresentedCredential key, Heartbeat heartbeat, String senderId) {
        Instant now = clock.instant();
        KeyHash known = authenticator.credential(key);
        Heartbeat complete = complete(agentId, heartbeat, now);
        Pulse pulse = OptimisticUpdates.untilPresentInTime(clock, () -> received(agentId, key, known, complete, now));
        if (!key.isToken()) {
            authenticator.uses().note(pulse.owner().keyId(), key.address());
        }
        return acknowledged(pulse, heartbeat, senderId, now);
    }

    /** Returns a heartbeat with the age of its wait for a person. Only a wait of an unknown age costs a read. */
    private Heartbeat complete(String agentId, Heartbeat heartbeat, Instant now) {
        return heartbeat.activity().isWaitOfUnknownAge()
                ? pulses.find(agentId)
                        .map(last -> heartbeat.with(heartbeat.activity().continuing(last, now)))
                        .orElse(heartbeat)
                : heartbeat;
    }

    /** Returns the pulse after a heartbeat; empty if a sweep, a drain or another heartbeat changed it meanwhile. */
    private Optional<Pulse> received(
            String agentId, PresentedCredential key, KeyHash known, Heartbeat heartbeat, Instant now) {
        KeyHash credential = known;
        HeartbeatResult result = written(agentId, credential, heartbeat, now);
        if (result instanceof HeartbeatResult.NotCounted other
                && !credential.equals(other.seen().owner().credential())) {
            credential = ofOwner(other.seen(), key);
            result = written(agentId, credential, heartbeat, now);
        }
        if (result instanceof HeartbeatResult.Counted counted) {
            return Optional.of(drained(counted, now));
        }
        if (result instanceof HeartbeatResult.NotCounted other) {
            Pulse seen = other.seen();
            return credential.equals(seen.owner().credential())
                    ? changed(seen, heartbeat, key.address(), now)
                    : Optional.empty();
        }
        refuseUnlessBack(agentId, key, heartbeat);
        return Optional.empty();
    }

    /** Writes a heartbeat. A delayed heartbeat keeps the time of the newest heartbeat. */
    private HeartbeatResult written(String agentId, KeyHash credential, Heartbeat heartbeat, Instant now) {
        HeartbeatResult result = pulses.recordHeartbeat(agentId, credential, heartbeat, now);
        if (!(result instanceof HeartbeatResult.NotCounted other)) {
            return result;
        }
        Instant heardAt = HeartbeatRule.heardAt(other.seen().lastHeartbeatAt(), now);
        return heardAt.equals(now) ? result : pulses.recordHeartbeat(agentId, credential, heartbeat, heardAt);
    }

    private Acknowledgement acknowledged(Pulse pulse, Heartbeat heartbeat, String senderId, Instant now) {
        if (!pulse.status().hasEnded()) {
            taskLists.keep(pulse, heartbeat);
            taskLists.keepWaitsFor(pulse, heartbeat);
        }
        driftWatch.check(pulse, heartbeat, now);
        count.add(now);
        return new Acknowledgement(
                pulse.status(),
                pulse.incarnation(),
                pulse.coordination(),
                now,
                pulse.status().hasEnded() || !pulse.config().isPeriodic()
                        ? 0
                        : schedule.nextInSeconds(pulse, senderId, now));
    }

    /**
     * Returns the credential for the row of an agent, if the owner key comes with another secret. Only the newest secret replaces the
     * secret on the row.
     *
     * @throws ApiError 401 for an invalid key; 403 for a key that does not own the agent
     */
    private KeyHash ofOwner(Pulse seen, PresentedCredential key) {
        Caller caller = authenticator.caller(key, KeyAction.HEARTBEAT);
        if (!caller.owns(seen.owner())) {
            throw keyOfAnother(seen.agentId());
        }
        // Read after the row and not from a cache, so that it is at least as new as the secret on the row.
        Owner newest = authenticator.newest(caller).orElseThrow(AccessError::unauthenticated);
        KeyHash onRow = seen.owner().credential();
        boolean isNewest = Set.of(key.hash(), key.hash().ofLimitedKey()).contains(newest.credential());
        boolean moves = !onRow.equals(newest.credential()) && (isNewest || onRow.isNone());
        return moves && agents.changeOwner(seen, newest) ? newest.credential() : onRow;
    }

    /** Returns the pulse after a heartbeat that changes the status; empty if the pulse changed meanwhile. */
    private Optional<Pulse> changed(Pulse seen, Heartbeat heartbeat, String address, Instant now) {
        refuseIfGone(seen, heartbeat, address, now);
        return HeartbeatRule.change(seen, heartbeat, now).filter(this::write).map(Transition::after);
    }

    /**
     * Refuses the heartbeat of an agent that is gone or superseded, and counts it as activity while gone.
     *
     * @throws ApiError 410
     */
    private void refuseIfGone(Pulse seen, Heartbeat heartbeat, String address, Instant now) {
        if (!isGoneOrReplaced(seen, heartbeat)) {
            return;
        }
        // Created only here: a heartbeat that is not refused must not wait for these classes.
        new Ghosts(database, clock, log).seen(seen, GhostSource.HEARTBEATS, heartbeat.incarnation(), now, address);
        NamedIncarnation.check(seen, heartbeat.incarnation());
        throw AgentError.gone(seen);
    }

    private static boolean isGoneOrReplaced(Pulse seen, Heartbeat heartbeat) {
        return seen.status().hasEnded() || !seen.isCurrent(heartbeat.incarnation());
    }

    /** Returns the pulse after a heartbeat that may complete a drain. */
    private Pulse drained(HeartbeatResult.Counted counted, Instant now) {
        Pulse pulse = counted.after();
        // The answer to a retried heartbeat may not have arrived, so the agent may not have received the drain yet.
        if (counted.retried() || !DrainRule.mayCompleteWithHeartbeat(pulse) || leases.holdsAny(pulse, now)) {
            return pulse;
        }
        Transition completion = DrainRule.completion(pulse, now);
        // If another write is faster, the next heartbeat or the sweep completes the drain.
        return write(completion) ? completion.after() : pulse;
    }

    private boolean write(Transition transition) {
        String agentId = transition.after().agentId();
        AgentProfile profile = agents.profile(agentId)
                .orElseThrow(() -> new IllegalStateException("agent " + agentId + " has a pulse but no profile"));
        return agents.change(transition, profile);
    }

    /** Refuses the heartbeat of an agent without a pulse, unless the agent registered again meanwhile. */
    private void refuseUnlessBack(String agentId, PresentedCredential key, Heartbeat heartbeat) {
        Caller caller = authenticator.caller(key, KeyAction.HEARTBEAT);
        Optional<Pulse> archived = agents.tombstone(agentId);
        if (archived.isPresent()) {
            if (!caller.owns(archived.get().owner())) {
                throw keyOfAnother(agentId);
            }
            refuseIfGone(archived.get(), heartbeat, key.address(), clock.instant());
        }
        if (pulses.find(agentId).isEmpty()) {
            new AgentAccess(agents).refuseWhereOperatorEnded(caller, agentId);
            throw AgentError.unknownAgent(agentId);
        }
    }

    private static ApiError keyOfAnother(String agentId) {
        return ApiError.forbidden("Only the key that owns agent '" + agentId + "' may send heartbeats for it.");
    }
}
