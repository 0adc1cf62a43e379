package dev.agenthealth.model.sweep;

import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Which agents' health is to be computed again because their lifecycle status changed: those that changed since the last pass of which it
 * is known that it left none out, be it by the sweep, a heartbeat or a request.
 */
public final class MarkRule {

    /** So far back looks a pass of a system in which no pass is known to have left none out. */
    private static final Duration FIRST_LOOK = Duration.ofMinutes(10);

    /** So far may the clocks of two hosts differ, and a reading lag behind. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    private MarkRule() {}

    /**
     * The moment after which a status must have been taken to be marked.
     *
     * @param markedThrough the start of the last pass that is known to have marked all; {@link Instant#MIN} where none is
     */
    public static Instant since(Instant markedThrough, Instant now) {
        return markedThrough.equals(Instant.MIN) ? now.minus(FIRST_LOOK) : markedThrough.minus(MARGIN);
    }

    /** Whether the agent took its status after this moment, other than by its first registration: nothing is known of its health then. */
    public static boolean isDue(Pulse pulse, Instant since) {
        return pulse.statusSince().isAfter(since) && !pulse.isAsFirstRegistered();
    }
}
