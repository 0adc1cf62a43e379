package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides which agents are marked so that their health is computed again: agents with a changed lifecycle status since the last pass that is known
 * to have marked all.
 */
public final class MarkRule {

    /** The time before now that a pass looks back if no pass is known to have marked all. */
    private static final Duration FIRST_LOOK = Duration.ofMinutes(10);

    /** The maximum difference of two hosts' clocks, plus the delay of a read. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    private MarkRule() {}

    /**
     * Returns the moment after which a status change leads to a mark.
     *
     * @param markedThrough the start of the last pass that is known to have marked all; {@link Instant#MIN} without one
     */
    public static Instant since(Instant markedThrough, Instant now) {
        return markedThrough.equals(Instant.MIN) ? now.minus(FIRST_LOOK) : markedThrough.minus(MARGIN);
    }

    /** Returns whether the agent's status changed after a moment, other than by its first registration, when nothing is known of its health. */
    public static boolean isDue(Pulse pulse, Instant since) {
        return pulse.statusSince().isAfter(since) && !pulse.isAsFirstRegistered();
    }
}
