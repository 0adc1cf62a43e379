package dev.agenthealth.model.lifecycle;

import java.time.Duration;

/**
 * What coordinators have to do with an agent, as far as its pulse must know.
 *
 * @param roleNumber number of its role, by which a sweep counts pools; {@link #NO_ROLE} for an agent without a role
 * @param drainTimeout how long its drains last where neither the request nor a command says
 * @param pendingDrain the drain that somebody asked for, or {@link PendingDrain#NONE}
 */
public record Coordination(long roleNumber, Duration drainTimeout, PendingDrain pendingDrain) {

    /** The number of no role. */
    public static final long NO_ROLE = 0;

    /** An agent without a role that nobody asks anything of. */
    public static final Coordination NONE = new Coordination(NO_ROLE, Drain.DEFAULT_TIMEOUT, PendingDrain.NONE);

    /** How long a drain lasts that the agent begins without saying how long. */
    public Duration timeoutOfNextDrain() {
        return pendingDrain.isPending() ? pendingDrain.timeout() : drainTimeout;
    }

    public Coordination withPendingDrain(PendingDrain drain) {
        return new Coordination(roleNumber, drainTimeout, drain);
    }
}
