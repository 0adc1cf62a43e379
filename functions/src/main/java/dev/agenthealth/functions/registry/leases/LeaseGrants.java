package dev.agenthealth.functions.registry.leases;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.NamedIncarnation;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Grants leases. A scope has at most one lease in force. Thread-safe. */
public final class LeaseGrants {

    private final LeaseStore leases;
    private final AgentStore agents;
    private final AgentAccess access;
    private final DiscoveryStore discovery;
    private final StopStore stops;
    private final LeaseQuota quota;
    private final Ghosts ghosts;
    private final Clock clock;

    public LeaseGrants(Database database, LeaseQuota quota, Clock clock, Log log) {
        this.leases = new LeaseStore(database);
        this.agents = new AgentStore(database);
        this.access = new AgentAccess(agents);
        this.discovery = new DiscoveryStore(database);
        this.stops = new StopStore(database);
        this.quota = quota;
        this.ghosts = new Ghosts(database, clock, log);
        this.clock = clock;
    }

    /**
     * A lease on the requested scope.
     *
     * @param isNew whether the lease was granted now; otherwise the agent already had it
     */
    public record Granted(Lease lease, boolean isNew) {}

    /**
     * Grants the lease in the body, or returns the lease that the agent already has. A draining agent keeps its lease.
     *
     * @throws ApiError 400 for an invalid body; 403 for an agent of another key; 404 for an unknown agent; 409 if the agent takes no work,
     *     the scope is held, or its lease expired less than {@link LeaseRule#TAKEOVER_DELAY} ago; 410 for a replaced incarnation; 429 if
     *     there are too many leases
     */
    public Granted acquire(Caller caller, String intentId, Fields body) {
        body.require("scope");
        String scope = body.id("scope");
        String named = body.id("agent_id");
        int seconds = body.integer("duration_seconds", Lease.MIN_SECONDS, Lease.MAX_SECONDS)
                .orElse(Lease.DEFAULT_SECONDS);
        long incarnation = NamedIncarnation.in(body);
        body.refuseUnknown();
        body.check();
        String agentId = named.isEmpty() ? onlyAgentOf(caller) : named;
        return OptimisticUpdates.untilPresent(() -> {
            StoredAgent agent = access.find(caller, agentId);
            Pulse holder = agent.pulse();
            noteIfGone(caller, holder, incarnation);
            NamedIncarnation.check(holder, incarnation);
            Instant now = clock.instant();
            Optional<Lease> seen = leases.ofScope(intentId, scope);
            Optional<Lease> inForce = seen.filter(last -> LeaseRule.isInForce(last, now));
            if (inForce.isPresent() && LeaseRule.isHeldBy(inForce.get(), holder)) {
                return Optional.of(new Granted(inForce.get(), false));
            }
            boolean stopped = isStopped(holder);
            boolean takesWork = LeaseRule.mayAcquire(holder.status()) && !stopped;
            if (takesWork && inForce.isPresent() && endAbandoned(inForce.get(), now)) {
                return Optional.empty();
            }
            Optional<ApiError> refusal = takesWork
                    ? seen.flatMap(last -> unavailable(caller, last, agentId, now))
                    : Optional.of(takesNoWork(holder, stopped));
            if (refusal.isPresent()) {
                // The scope was read after the agent, which may have registered again in between.
                if (access.find(caller, agentId).pulse().sequence() != holder.sequence()) {
                    return Optional.empty();
                }
                throw refusal.get();
            }
            quota.check(holder);
            Lease lease = new Lease(
                    "lease_" + UlidCreator.getMonotonicUlid(),
                    intentId,
                    scope,
                    new Lease.Holder(agentId, agent.profile().roleId(), holder.incarnation(), holder.owner()),
                    LeaseRule.nextToken(seen.map(Lease::fencingToken).orElse(0L), now),
                    new Lease.Term(now, now.plusSeconds(seconds)),
                    Lease.State.ACTIVE);
            if (!leases.acquire(seen, holder, lease)) {
                return Optional.empty();
            }
            quota.granted(lease);
            quota.ended(seen.filter(last -> last.status() == LeaseStatus.ACTIVE).stream()
                    .toList());
            return Optional.of(new Granted(lease, true));
        });
    }

    /**
     * Ends a lease whose holder is gone or registered again, unless the sweep ended it meanwhile. Returns {@code false} if the holder still
     * has the lease.
     */
    private boolean endAbandoned(Lease lease, Instant now) {
        Optional<Pulse> holder = agents.find(lease.agentId()).map(StoredAgent::pulse);
        if (holder.isEmpty() || LeaseRule.isHeldBy(lease, holder.get())) {
            return false;
        }
        if (LeaseCleanUp.isPending(lease, holder.get())
                && leases.end(List.of(lease), List.of(LeaseCleanUp.ended(lease, holder.get(), now)))) {
            quota.ended(List.of(lease));
        }
        return true;
    }

    private static ApiError takesNoWork(Pulse holder, boolean stopped) {
        return ApiError.conflict(
                "agent_takes_no_work",
                "Agent '" + holder.agentId() + "' is "
                        + (stopped ? "stopped" : holder.status().wireName()) + " and is granted no leases.");
    }

    /** Returns whether a stop covers the agent. The row lacks the command of the stop if another command is pending. */
    private boolean isStopped(Pulse holder) {
        PendingDrain pending = holder.coordination().pendingDrain();
        return pending.isOfStop()
                || pending.isPending() && stops.stops().of(holder).isPresent();
    }

    private static Optional<ApiError> unavailable(Caller caller, Lease last, String agentId, Instant now) {
        Instant available = ClockRule.bounded(
                LeaseRule.availableFrom(last, agentId), Lease.MAX_LENGTH.plus(LeaseRule.TAKEOVER_DELAY), now);
        if (!now.isBefore(available)) {
            return Optional.empty();
        }
        if (!caller.mayActOn(last.owner(), last.roleId())) {
            return Optional.of(unavailableToStranger(last, available, now));
        }
        String lease = "The lease of agent '" + last.agentId() + "' on scope '" + last.scope() + "' ";
        ApiError refused = LeaseRule.isInForce(last, now)
                ? ApiError.conflict(
                        "lease_held", lease + "is in force until " + Timestamps.text(last.expiresAt()) + ".")
                : ApiError.passingConflict(
                        "lease_just_expired",
                        lease + "expired at " + Timestamps.text(last.expiresAt())
                                + "; other agents may acquire the scope from " + Timestamps.text(available) + " on.",
                        Duration.between(now, available));
        return Optional.of(refused.with("available_at", Timestamps.text(available)));
    }

    /**
     * Returns the answer for a scope that an agent of another owner holds. Owners share scopes, but not agents, so the answer does not name
     * the agent.
     */
    private static ApiError unavailableToStranger(Lease last, Instant available, Instant now) {
        boolean held = LeaseRule.isInForce(last, now);
        return ApiError.passingConflict(
                held ? "lease_held" : "lease_just_expired",
                "An agent of another owner " + (held ? "has" : "had") + " a lease on scope '" + last.scope() + "'.",
                Duration.between(now, available));
    }

    private String onlyAgentOf(Caller caller) {
        return discovery
                .onlyAgentOf(caller)
                .orElseThrow(() -> ApiError.invalid(
                        List.of(new FieldError("agent_id", "is required unless the key owns exactly one agent"))));
    }

    /** Counts the request as activity, if the agent asks for itself and is gone, superseded or blocked. */
    private void noteIfGone(Caller caller, Pulse holder, long incarnation) {
        if (caller.owns(holder.owner())) {
            ghosts.seen(holder, GhostSource.LEASES, incarnation, clock.instant(), "");
        }
    }
}
