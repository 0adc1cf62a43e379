package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides which agents are marked to have their health computed again: those whose lifecycle status changed since the last pass that is known to
 * have marked all, whatever changed it.
 */
public final class MarkRule {

    /** Time before now that a pass looks back if no pass is known to have marked all. */
    private static final Duration FIRST_LOOK = Duration.ofMinutes(10);

    /** Maximum difference of two hosts' clocks, together with the delay of a reading. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    private MarkRule() {}

    /**
     * Returns the moment after which a status must have been taken to be marked.
     *
     * @param markedThrough the start of the last pass that is known to have marked all; {@link Instant#MIN} if none is
     */
    public static Instant since(Instant markedThrough, Instant now) {
        return markedThrough.equals(Instant.MIN) ? now.minus(FIRST_LOOK) : markedThrough.minus(MARGIN);
    }

    /** Returns whether the agent took its status after this moment, other than by its first registration: nothing is known of its health then. */
    public static boolean isDue(Pulse pulse, Instant since) {
        return pulse.statusSince().isAfter(since) && !pulse.isAsFirstRegistered();
    }
}
