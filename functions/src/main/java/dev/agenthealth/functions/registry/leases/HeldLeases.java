package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Shows, renews, releases, revokes and verifies leases. Thread-safe. */
public final class HeldLeases {

    private final LeaseStore leases;
    private final AgentStore agents;
    private final LeaseQuota quota;
    private final Ghosts ghosts;
    private final Clock clock;

    public HeldLeases(Database database, LeaseQuota quota, Clock clock, Log log) {
        this.leases = new LeaseStore(database);
        this.agents = new AgentStore(database);
        this.quota = quota;
        this.ghosts = new Ghosts(database, clock, log);
        this.clock = clock;
    }

    /** The key of a lease, from a path. */
    public record Key(String intentId, String leaseId) {

        /**
         * Returns the lease key in the path of a request.
         *
         * @throws ApiError 400 if an id is malformed
         */
        public static Key of(ApiRequest request) {
            return new Key(request.pathId("intent_id"), request.pathId("lease_id"));
        }
    }

    /** Returns the lease, in force or ended. If its holder is gone, the lease looks as after the clean-up. */
    Lease get(Caller caller, Key key) {
        return OptimisticUpdates.untilPresent(() -> {
            Lease lease = find(key);
            Pulse holder = holder(caller, lease);
            if (!LeaseRule.isInForce(lease, clock.instant()) || LeaseRule.isHeldBy(lease, holder)) {
                return Optional.of(lease);
            }
            // The lease was read before its holder, and may have ended in another way in between.
            return LeaseCleanUp.isPending(lease, holder) && find(key).equals(lease)
                    ? Optional.of(LeaseCleanUp.ended(lease, holder, holder.statusSince()))
                    : Optional.empty();
        });
    }

    /**
     * Renews the lease from now on, for the duration in the body.
     *
     * @throws ApiError 412 if the lease is no longer in force; 410 for a replaced incarnation
     */
    public Lease renew(Caller caller, Key key, Fields body) {
        body.require("duration_seconds");
        int seconds = body.integer("duration_seconds", Lease.MIN_SECONDS, Lease.MAX_SECONDS)
                .orElse(Lease.DEFAULT_SECONDS);
        long incarnation = NamedIncarnation.in(body);
        body.refuseUnknown();
        body.check();
        return OptimisticUpdates.untilPresent(() -> {
            Lease lease = find(key);
            Pulse holder = holder(caller, lease);
            noteIfGone(caller, holder, incarnation);
            NamedIncarnation.check(holder, incarnation);
            Instant now = clock.instant();
            requireInForce(lease, now);
            requireLivingHolder(lease, Optional.of(holder));
            Lease renewed = lease.renewedUntil(now.plusSeconds(seconds));
            return leases.renew(lease, renewed) ? Optional.of(renewed) : Optional.empty();
        });
    }

    /** Releases the lease, unless it ended. May complete the holder's drain. */
    public void release(Caller caller, Key key) {
        end(caller, key, LeaseStatus.RELEASED, LeaseReason.NONE);
    }

    /** Revokes the lease, unless it ended. May complete the holder's drain. */
    Lease revoke(Caller caller, Key key) {
        return end(caller, key, LeaseStatus.REVOKED, LeaseReason.REVOKED);
    }

    /**
     * Checks that the holder of this lease may write now with the token in the body.
     *
     * @return the lease
     * @throws ApiError 412 if the lease expired or ended, its holder is dead or superseded, or the token is not the token of the lease
     */
    Lease verify(Key key, Fields body) {
        body.require("fencing_token");
        long token = body.wholeNumber("fencing_token").orElse(0);
        body.refuseUnknown();
        body.check();
        Lease lease = find(key);
        Instant now = clock.instant();
        requireInForce(lease, now);
        if (lease.fencingToken() != token) {
            throw ApiError.failedPrecondition("fencing_token_stale", "The fencing token is not the lease's.");
        }
        requireLivingHolder(lease, agents.find(lease.agentId()).map(StoredAgent::pulse));
        return lease;
    }

    private Lease end(Caller caller, Key key, LeaseStatus status, LeaseReason reason) {
        Lease last = OptimisticUpdates.untilPresent(() -> {
            Lease lease = find(key);
            holder(caller, lease);
            if (lease.status() != LeaseStatus.ACTIVE) {
                return Optional.of(lease);
            }
            Instant now = clock.instant();
            boolean ranOut = !LeaseRule.isInForce(lease, now);
            Lease ended = ranOut
                    ? lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now)
                    : lease.ended(status, reason, now);
            if (!leases.end(List.of(lease), List.of(ended))) {
                return Optional.empty();
            }
            quota.ended(List.of(lease));
            return Optional.of(ended);
        });
        // Also if the lease had ended: the request may be a retry after an attempt that ended the lease and then
        // failed.
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredAgent> holder = agents.find(last.agentId());
            return holder.isEmpty() || completeDrain(last, holder.get());
        });
        return last;
    }

    /** Completes the holder's drain if this was its last lease. Returns {@code false} if a concurrent write changed the holder. */
    private boolean completeDrain(Lease last, StoredAgent holder) {
        Pulse pulse = holder.pulse();
        Instant now = clock.instant();
        return !LeaseRule.completesDrain(last, pulse)
                || leases.holdsAny(pulse, now)
                || agents.change(DrainRule.completion(pulse, now), holder.profile());
    }

    /**
     * Returns the holder of a lease.
     *
     * @throws ApiError 404 if the agent is erased; 403 if the caller may not see it; the answer does not name the agent
     */
    private Pulse holder(Caller caller, Lease lease) {
        StoredAgent agent = agents.find(lease.agentId())
                .orElseThrow(() -> ApiError.notFound("agent_not_found", "The agent of the lease is no longer known."));
        if (!caller.mayActOn(agent.pulse().owner(), agent.profile().roleId())) {
            throw ApiError.forbidden("Only the agent of the lease, its coordinators and administrators may do this.");
        }
        return agent.pulse();
    }

    private Lease find(Key key) {
        return leases.find(key.intentId(), key.leaseId())
                .orElseThrow(
                        () -> ApiError.notFound("lease_not_found", "The intent has no lease '" + key.leaseId() + "'."));
    }

    private static void requireInForce(Lease lease, Instant now) {
        LeaseStatus status = LeaseRule.statusAt(lease, now);
        if (status != LeaseStatus.ACTIVE) {
            throw notInForce(lease, "is " + status.wireName() + " since " + LeaseRule.endedAt(lease, now));
        }
    }

    /** Checks that the holder is alive. Leases of a dead agent end a moment after its death, and writes in between must be refused. */
    private static void requireLivingHolder(Lease lease, Optional<Pulse> holder) {
        if (holder.filter(pulse -> LeaseRule.isHeldBy(lease, pulse)).isEmpty()) {
            throw notInForce(lease, "is no longer held: its agent is dead, deregistered or registered again");
        }
    }

    private static ApiError notInForce(Lease lease, String state) {
        return ApiError.failedPrecondition(
                "lease_not_in_force", "Lease '" + lease.id() + "' " + state + ". Nothing may be written under it.");
    }

    /** Counts the request as activity, if the agent asks for itself and is gone, superseded or blocked. */
    private void noteIfGone(Caller caller, Pulse holder, long incarnation) {
        if (caller.owns(holder.owner())) {
            ghosts.seen(holder, GhostSource.LEASES, incarnation, clock.instant(), "");
        }
    }
}
