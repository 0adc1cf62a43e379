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

/** Decides whether a lease is in force, and when its scope becomes available again. */
public final class LeaseRule {

    /** The minimum time between the expiry of a lease and a lease of another agent. It covers the difference between the clocks of two hosts. */
    public static final Duration TAKEOVER_DELAY = Duration.ofSeconds(2);

    private LeaseRule() {}

    /**
     * Returns the current status of a lease, even if its expiry is not stored yet. A lease that ends later than any valid lease counts as expired,
     * because a clock ran ahead.
     */
    public static LeaseStatus statusAt(Lease lease, Instant now) {
        return lease.status() == LeaseStatus.ACTIVE && !ClockRule.holds(lease.expiresAt(), Lease.MAX_LENGTH, now)
                ? LeaseStatus.EXPIRED
                : lease.status();
    }

    /** Returns whether the holder may rely on the lease, exact to the moment of expiry. */
    public static boolean isInForce(Lease lease, Instant now) {
        return statusAt(lease, now) == LeaseStatus.ACTIVE;
    }

    /** Returns whether the present incarnation of an agent holds the lease: it is not gone and has not registered again. */
    public static boolean isHeldBy(Lease lease, Pulse agent) {
        return lease.agentId().equals(agent.agentId())
                && lease.incarnation() == agent.incarnation()
                && mayHold(agent.status());
    }

    /** Returns the end of the lease; {@link Instant#MAX} while it is in force. An expired lease ends at its expiry, whether that is stored or not. */
    public static Instant endedAt(Lease lease, Instant now) {
        return !isInForce(lease, now) && timesOut(lease)
                ? ClockRule.bounded(lease.expiresAt(), Lease.MAX_LENGTH, now)
                : lease.endedAt();
    }

    /**
     * Returns the moment from which an agent may acquire the scope, unless the lease is renewed. After an expiry, the holder may acquire it at
     * once, and other agents after {@link #TAKEOVER_DELAY}. After an early end, all agents may acquire it at once, as no clock decided that end.
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
     * Returns the tasks without a lease: none of the leases has the task as its id, intent or scope (RFC-0016 §4.3).
     *
     * @param held the leases in force of the agent that reports the tasks
     */
    public static List<String> unleased(List<String> tasks, List<Lease> held) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        Set<String> leased = held.stream()
                .flatMap(lease -> Stream.of(lease.id(), lease.intentId(), lease.scope()))
                .collect(Collectors.toSet());
        return tasks.stream().filter(task -> !leased.contains(task)).toList();
    }

    /** Returns whether only expiry ended the lease, or will end it. */
    private static boolean timesOut(Lease lease) {
        return lease.status() == LeaseStatus.ACTIVE || lease.reason() == LeaseReason.TIMEOUT;
    }

    /** Returns the fencing token of the scope's next lease. It rises even if the clock does not. */
    public static long nextToken(long previousToken, Instant now) {
        return Math.max(previousToken + 1, now.toEpochMilli());
    }

    /** Returns whether an agent in this status may acquire leases (RFC-0016 §9.2, §9.3). */
    public static boolean mayAcquire(LifecycleStatus status) {
        return status == LifecycleStatus.ACTIVE || status == LifecycleStatus.UNHEALTHY;
    }

    /**
     * Returns whether the end of this lease completes the drain of its holder, if the holder has no other lease (RFC-0016 §5.2, §9.3). The lease
     * must be released or revoked, and not before the drain began, within the difference of two clocks. An expired lease does not complete a drain
     * (§9.1).
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
