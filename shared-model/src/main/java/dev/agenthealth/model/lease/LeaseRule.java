package dev.agenthealth.model.lease;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.time.Instant;

/** When a lease is in force, and when another agent may acquire its scope. */
public final class LeaseRule {

    /** A scope is taken over so long after its lease expired at the earliest, as the clocks of two hosts differ. */
    public static final Duration TAKEOVER_DELAY = Duration.ofSeconds(2);

    private LeaseRule() {}

    /** The status of the lease now, also where its expiry is not stored yet. */
    public static LeaseStatus statusAt(Lease lease, Instant now) {
        return lease.status() == LeaseStatus.ACTIVE && !now.isBefore(lease.expiresAt())
                ? LeaseStatus.EXPIRED
                : lease.status();
    }

    /** Whether the holder may rely on the lease; exact to the moment of expiry. */
    public static boolean isInForce(Lease lease, Instant now) {
        return statusAt(lease, now) == LeaseStatus.ACTIVE;
    }

    /** Whether the scope may be leased anew. */
    public static boolean mayBeTakenOver(Lease lease, Instant now) {
        return lease.status() != LeaseStatus.ACTIVE
                || !now.isBefore(lease.expiresAt().plus(TAKEOVER_DELAY));
    }

    /** The fencing token of the scope's next lease: it rises even where the clock does not. */
    public static long nextToken(long previousToken, Instant now) {
        return Math.max(previousToken + 1, now.toEpochMilli());
    }

    /** Whether an agent in this status is granted leases (RFC-0016 §9.2, §9.3). */
    public static boolean mayAcquire(LifecycleStatus status) {
        return status == LifecycleStatus.ACTIVE || status == LifecycleStatus.UNHEALTHY;
    }

    /** Whether an agent in this status keeps its leases (RFC-0016 §9.2, §9.3). */
    public static boolean mayHold(LifecycleStatus status) {
        return status.isMonitored();
    }
}
