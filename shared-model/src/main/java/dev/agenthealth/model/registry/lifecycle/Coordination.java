package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * The part of a pulse that coordinators and workflows decide.
 *
 * @param roleNumber number of its role, by which a sweep counts pools; {@link #NO_ROLE} for an agent without a role
 * @param drainTimeout how long its drains last where neither the request nor a command says
 * @param pendingDrain the drain that was requested, or {@link PendingDrain#NONE}
 * @param blockedUntil until when calls of the agent through the gateway are blocked; {@link Instant#EPOCH} where they are not
 */
public record Coordination(long roleNumber, Duration drainTimeout, PendingDrain pendingDrain, Instant blockedUntil) {

    /** The number of no role. */
    public static final long NO_ROLE = 0;

    /** An agent without a role and without a pending drain. */
    public static final Coordination NONE =
            new Coordination(NO_ROLE, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH);

    /** Returns how long a drain lasts that the agent begins without saying how long. */
    public Duration timeoutOfNextDrain() {
        return pendingDrain.isPending() ? pendingDrain.timeout() : drainTimeout;
    }

    public Coordination withPendingDrain(PendingDrain drain) {
        return new Coordination(roleNumber, drainTimeout, drain, blockedUntil);
    }

    public Coordination withBlockedUntil(Instant until) {
        return new Coordination(roleNumber, drainTimeout, pendingDrain, until);
    }

    /** Returns the same with the later of two ends of a block. */
    Coordination blockedAlsoUntil(Instant until) {
        return until.isAfter(blockedUntil) ? withBlockedUntil(until) : this;
    }
}
