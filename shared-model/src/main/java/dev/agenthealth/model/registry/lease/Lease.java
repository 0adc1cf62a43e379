package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;

/**
 * The right of one agent to work on one scope of an intent for a time.
 *
 * @param id of the lease
 * @param intentId the intent
 * @param scope the part of it; at most one lease of a scope is in force
 * @param agentId the holder
 * @param roleId the holder's role when the lease was granted; empty for none
 * @param incarnation the holder's incarnation: a later one inherits nothing
 * @param owner the key that owned the holder when the lease was granted
 * @param fencingToken rises with every lease of the scope; a protected resource refuses writes with a lower one than it has seen
 * @param status what was stored last; see {@link LeaseRule#statusAt} for what it means now
 * @param reason why it is no longer in force
 * @param acquiredAt when it was granted
 * @param expiresAt when it ends unless it is renewed
 * @param endedAt when it was released, expired or revoked; {@link Instant#MAX} while it is in force
 */
public record Lease(
        String id,
        String intentId,
        String scope,
        String agentId,
        String roleId,
        long incarnation,
        Owner owner,
        long fencingToken,
        LeaseStatus status,
        LeaseReason reason,
        Instant acquiredAt,
        Instant expiresAt,
        Instant endedAt) {

    /** The shortest lease, in seconds. */
    public static final int MIN_SECONDS = 1;

    /** The longest lease, in seconds: one day. */
    public static final int MAX_SECONDS = 86_400;

    /** The longest lease: no expiry lies further ahead, unless the clock that wrote it did. */
    public static final Duration MAX_LENGTH = Duration.ofSeconds(MAX_SECONDS);

    /** The default length of a lease, in seconds. */
    public static final int DEFAULT_SECONDS = 300;

    /** The lease with a later expiry. */
    public Lease renewedUntil(Instant newExpiry) {
        return with(status, reason, newExpiry, endedAt);
    }

    /** The lease after its end. */
    public Lease ended(LeaseStatus newStatus, LeaseReason newReason, Instant now) {
        return with(newStatus, newReason, expiresAt, now);
    }

    private Lease with(LeaseStatus newStatus, LeaseReason newReason, Instant newExpiry, Instant newEnd) {
        return new Lease(
                id,
                intentId,
                scope,
                agentId,
                roleId,
                incarnation,
                owner,
                fencingToken,
                newStatus,
                newReason,
                acquiredAt,
                newExpiry,
                newEnd);
    }
}
