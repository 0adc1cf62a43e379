package dev.agenthealth.model.statistics;

import java.time.Duration;
import java.time.Instant;

/** When the name of a role, provider or platform is removed: after it was found unused twice, and long enough between. */
public final class GroupUse {

    /** Longer than a registration takes from reading the name to storing the agent, and two passes that count at the same time. */
    static final Duration MIN_UNUSED = Duration.ofMinutes(30);

    /** What is done with a name. */
    public enum Decision {
        KEEP,
        MARK_UNUSED,
        REMOVE
    }

    private GroupUse() {}

    /**
     * What is done with a name.
     *
     * @param used whether an agent, a workflow or a block uses it
     * @param unusedSince when it was marked as unused; {@link Instant#MAX} where it is not marked
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
