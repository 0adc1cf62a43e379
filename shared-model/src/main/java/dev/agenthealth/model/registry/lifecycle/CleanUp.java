package dev.agenthealth.model.registry.lifecycle;

import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The ended incarnations of an agent that may still hold leases. Only the last incarnation is kept for each cause, which bounds the size. The cause
 * of every incarnation follows from it, unless causes alternate during one clean-up.
 *
 * @param through the last ended incarnation; 0 without one
 * @param dead the last incarnation that was marked as dead; 0 without one
 * @param deregistered the last incarnation that was deregistered; 0 without one
 * @param restarted the last incarnation that was replaced; 0 without one
 */
public record CleanUp(long through, long dead, long deregistered, long restarted) {

    /** The value if no clean-up is pending. */
    public static final CleanUp NONE = new CleanUp(0, 0, 0, 0);

    /** The cause of the end of an incarnation. */
    public enum Cause {
        DEATH,
        DEREGISTRATION,
        RESTART
    }

    /** Returns whether an ended incarnation has yet to be cleaned up. */
    public boolean isPending() {
        return through > 0;
    }

    /** Adds an incarnation. An incarnation that was added before keeps its first cause, as a dead agent may be deregistered later. */
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
     * Returns the cause of the end of an incarnation.
     *
     * @throws IllegalArgumentException for an incarnation without a pending clean-up
     */
    public Cause causeOf(long incarnation) {
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
