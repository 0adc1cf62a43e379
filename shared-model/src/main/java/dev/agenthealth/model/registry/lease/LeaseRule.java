package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides whether a lease is in force, and from when its scope may be acquired again. */
public final class LeaseRule {

    /** Another agent gets a scope so long after its lease timed out at the earliest, as the clocks of two hosts differ. */
    public static final Duration TAKEOVER_DELAY = Duration.ofSeconds(2);

    private LeaseRule() {}

    /** The status of the lease now, also where its expiry is not stored yet. A lease that ends later than any lease can is expired: a clock ran ahead. */
    public static LeaseStatus statusAt(Lease lease, Instant now) {
        return lease.status() == LeaseStatus.ACTIVE && !ClockRule.holds(lease.expiresAt(), Lease.MAX_LENGTH, now)
                ? LeaseStatus.EXPIRED
                : lease.status();
    }

    /** Returns whether the holder may rely on the lease; exact to the moment of expiry. */
    public static boolean isInForce(Lease lease, Instant now) {
        return statusAt(lease, now) == LeaseStatus.ACTIVE;
    }

    /** Returns whether this agent, as it is now, is the one that the lease was granted to: it is not gone and has not registered again. */
    public static boolean isHeldBy(Lease lease, Pulse agent) {
        return lease.agentId().equals(agent.agentId())
                && lease.incarnation() == agent.incarnation()
                && mayHold(agent.status());
    }

    /** Returns when the lease ended, which for one that timed out is its expiry, stored or not; {@link Instant#MAX} while it is in force. */
    public static Instant endedAt(Lease lease, Instant now) {
        return !isInForce(lease, now) && timesOut(lease)
                ? ClockRule.bounded(lease.expiresAt(), Lease.MAX_LENGTH, now)
                : lease.endedAt();
    }

    /**
     * From when on an agent may acquire the scope, unless the lease is renewed. A lease that timed out frees its scope for its holder at
     * once and for others after {@link #TAKEOVER_DELAY}, whether or not its end is stored. One that ended early frees it for all at once:
     * no clock decides that it ended.
     *
     * @param last the last lease of the scope
     * @return {@link Instant#MIN} for at once
     */
    public static Instant availableFrom(Lease last, String agentId) {
        if (!timesOut(last)) {
            return Instant.MIN;
        }
        if (!last.agentId().equals(agentId)) {
            return last.expiresAt().plus(TAKEOVER_DELAY);
        }
        return last.status() == LeaseStatus.ACTIVE ? last.expiresAt() : Instant.MIN;
    }

    /**
     * The tasks for which none of these leases is held: no lease has the task as its id, intent or scope (RFC-0016 §4.3).
     *
     * @param held the leases in force of the agent that reports the tasks
     */
    public static List<String> unleased(List<String> tasks, List<Lease> held) {
        Set<String> leased = held.stream()
                .flatMap(lease -> Stream.of(lease.id(), lease.intentId(), lease.scope()))
                .collect(Collectors.toSet());
        return tasks.stream().filter(task -> !leased.contains(task)).toList();
    }

    /** Returns whether nothing but its expiry ended the lease, or will end it. */
    private static boolean timesOut(Lease lease) {
        return lease.status() == LeaseStatus.ACTIVE || lease.reason() == LeaseReason.TIMEOUT;
    }

    /** The fencing token of the scope's next lease: it rises even where the clock does not. */
    public static long nextToken(long previousToken, Instant now) {
        return Math.max(previousToken + 1, now.toEpochMilli());
    }

    /** Returns whether an agent in this status is granted leases (RFC-0016 §9.2, §9.3). */
    public static boolean mayAcquire(LifecycleStatus status) {
        return status == LifecycleStatus.ACTIVE || status == LifecycleStatus.UNHEALTHY;
    }

    /**
     * Returns whether giving back this lease completes the drain of its holder, if the holder has no other (RFC-0016 §5.2, §9.3): it was released or
     * revoked, and not before the drain began, as far as the clocks of two hosts agree. A lease that timed out was not given back (§9.1).
     */
    public static boolean completesDrain(Lease lease, Pulse holder) {
        boolean givenBack = lease.status() == LeaseStatus.RELEASED || lease.status() == LeaseStatus.REVOKED;
        return givenBack
                && isHeldBy(lease, holder)
                && holder.status() == LifecycleStatus.DRAINING
                && lease.endedAt().isAfter(holder.statusSince().minus(TAKEOVER_DELAY));
    }

    /** Returns whether an agent in this status keeps its leases (RFC-0016 §9.2, §9.3). */
    public static boolean mayHold(LifecycleStatus status) {
        return status.isMonitored();
    }
}
