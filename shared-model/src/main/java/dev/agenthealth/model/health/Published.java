package dev.agenthealth.model.health;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The last published value of something that changes, such as a health status. It limits how many events an agent at a boundary causes.
 *
 * <p>A fall is published at once. A return is published after it has held for {@link #DWELL}, so that there is at most one fall in that time. Any
 * other change, such as a change to unknown, is published at once if the last event is older than {@link #DWELL}. Otherwise it waits until then,
 * and is published if it still holds.
 *
 * @param value the last published value
 * @param at the time of that event; {@link Instant#EPOCH} for the initial value, which was never published
 * @param since the start of the current value, published or not
 */
public record Published<T>(T value, Instant at, Instant since) {

    /**
     * The minimum time that a return must hold, and the minimum time between other events. Consumers poll at this interval (Agent Health State §7).
     */
    public static final Duration DWELL = Duration.ofMinutes(5);

    /** The kind of change from the published value to the current value. */
    public enum Change {
        NONE,
        FALL,
        RETURN,
        OTHER
    }

    /** The value that subscribers assume before the first event. */
    public static <T> Published<T> initially(T value) {
        return new Published<>(value, Instant.EPOCH, Instant.EPOCH);
    }

    /** Returns this value after the current value changed at a moment. */
    Published<T> changed(Instant moment) {
        return new Published<>(value, at, moment);
    }

    /** Returns the current value after its event was published. */
    Published<T> published(T current, Instant moment) {
        return new Published<>(current, moment, since);
    }

    /** Returns whether the current value is due for publication. A change in the future of this clock is due at once. */
    public boolean isDue(Change change, Instant now) {
        return change != Change.NONE && !ClockRule.holds(dueAt(change), DWELL, now);
    }

    /** Returns the time at which the current value becomes due, if it still holds; {@link Instant#MAX} if it is published. */
    public Instant dueAt(Change change) {
        return switch (change) {
            case NONE -> Instant.MAX;
            case FALL -> Instant.EPOCH;
            case RETURN -> (since.isAfter(at) ? since : at).plus(DWELL);
            case OTHER -> at.plus(DWELL);
        };
    }
}
