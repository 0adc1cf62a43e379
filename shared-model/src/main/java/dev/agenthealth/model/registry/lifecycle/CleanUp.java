package dev.agenthealth.model.registry.lifecycle;

import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Incarnations that are gone and may still hold leases. For each cause of an end the last incarnation that came to it is kept, which is bounded
 * and says the cause of every incarnation, unless causes alternate while the same clean-up is pending.
 *
 * @param through the last of these incarnations; 0 for none
 * @param dead the last one that was marked as dead; 0 for none
 * @param deregistered the last one that was deregistered; 0 for none
 * @param restarted the last one that was replaced; 0 for none
 */
public record CleanUp(long through, long dead, long deregistered, long restarted) {

    /** Nothing is left to be cleaned up. */
    public static final CleanUp NONE = new CleanUp(0, 0, 0, 0);

    /** The causes for the end of an incarnation. */
    public enum Cause {
        DEATH,
        DEREGISTRATION,
        RESTART
    }

    /** Adds this incarnation. One that came to its end before keeps its first cause: a dead agent may be deregistered. */
    CleanUp and(long incarnation, Cause cause) {
        if (incarnation <= through) {
            return this;
        }
        return new CleanUp(
                incarnation,
                cause == Cause.DEATH ? incarnation : dead,
                cause == Cause.DEREGISTRATION ? incarnation : deregistered,
                cause == Cause.RESTART ? incarnation : restarted);
    }

    /**
     * Returns how this incarnation came to its end.
     *
     * @throws IllegalArgumentException for an incarnation that is not to be cleaned up
     */
    Cause causeOf(long incarnation) {
        return Stream.of(Cause.values())
                .filter(cause -> last(cause) >= incarnation)
                .min(Comparator.comparingLong(this::last))
                .orElseThrow(() -> new IllegalArgumentException("incarnation " + incarnation + " is not gone"));
    }

    private long last(Cause cause) {
        return switch (cause) {
            case DEATH -> dead;
            case DEREGISTRATION -> deregistered;
            case RESTART -> restarted;
        };
    }
}
