package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.registry.usage.UsageLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of a pulse that coordinators and workflows set.
 *
 * @param roleNumber the number of the agent's role, by which the sweep counts pools; {@link #NO_ROLE} without a role
 * @param drainTimeout the length of a drain if neither the request nor a command says one
 * @param pendingDrain the drain that was requested, or {@link PendingDrain#NONE}
 * @param blockedUntil the end of a block of calls through the gateway; {@link Instant#EPOCH} without a block
 */
public record Coordination(long roleNumber, Duration drainTimeout, PendingDrain pendingDrain, Instant blockedUntil) {

    /** The number of an agent without a role. */
    public static final long NO_ROLE = 0;

    /** An agent without a role and without a pending drain. */
    public static final Coordination NONE =
            new Coordination(NO_ROLE, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE, Instant.EPOCH);

    /** Returns the length of the next drain if the agent begins it without saying one. */
    public Duration timeoutOfNextDrain() {
        return pendingDrain.isPending() ? pendingDrain.timeout() : drainTimeout;
    }

    public Coordination withPendingDrain(PendingDrain drain) {
        return new Coordination(roleNumber, drainTimeout, drain, blockedUntil);
    }

    /** Returns the coordination of an agent that registers while a stop is in force: it is asked to drain. */
    public Coordination stoppedBy(Optional<String> reasonOfStop) {
        return reasonOfStop
                .map(reason -> withPendingDrain(PendingDrain.ofStop(reason, drainTimeout)))
                .orElse(this);
    }

    /** Returns the coordination of an agent that registers while its limit is used up: it is asked to drain, unless a command is pending. */
    public Coordination limitedBy(Optional<UsageLimit> usedUp) {
        return usedUp.filter(limit -> !pendingDrain.isPending())
                .map(limit -> withPendingDrain(PendingDrain.ofLimit(limit, drainTimeout, false)))
                .orElse(this);
    }

    public Coordination withBlockedUntil(Instant until) {
        return new Coordination(roleNumber, drainTimeout, pendingDrain, until);
    }

    /** Returns this coordination with the later of two ends of a block. */
    Coordination blockedAlsoUntil(Instant until) {
        return until.isAfter(blockedUntil) ? withBlockedUntil(until) : this;
    }
}
