package dev.agenthealth.model.health.statistics;

import java.time.Duration;
import java.time.Instant;

/** Decides when the name of a role, provider or platform is removed. A name is removed after it was unused for long enough. */
public final class GroupUse {

    /**
     * The minimum time for which a removed name was unused. It is longer than a registration needs between reading a name and storing the agent,
     * and longer than two passes that count at the same time.
     */
    static final Duration MIN_UNUSED = Duration.ofMinutes(30);

    /** The decision on a name. */
    public enum Decision {
        KEEP,
        MARK_UNUSED,
        REMOVE
    }

    private GroupUse() {}

    /**
     * Decides whether a name is kept, marked or removed.
     *
     * @param used whether an agent, a workflow or a block uses it
     * @param unusedSince the time at which the name was marked as unused; {@link Instant#MAX} if it is not marked
     */
    public static Decision decide(boolean used, Instant unusedSince, Instant now) {
        if (used) {
            return Decision.KEEP;
        }
        if (unusedSince.equals(Instant.MAX)) {
            return Decision.MARK_UNUSED;
        }
        return unusedSince.plus(MIN_UNUSED).isAfter(now) ? Decision.KEEP : Decision.REMOVE;
    }
}
