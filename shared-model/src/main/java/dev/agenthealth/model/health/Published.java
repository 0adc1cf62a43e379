package dev.agenthealth.model.health;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The last published value of something that changes, such as a health status.
 *
 * <p>A fall is published at once. The return from it waits until it has held for {@link #DWELL}, so that an agent at a boundary causes at most one
 * fall in that time. Any other change, such as one to unknown, is published at once as well, unless something was published less than that time ago:
 * then it is published when that time is over, if it still holds.
 *
 * @param value the value that subscribers know
 * @param at when it was published; {@link Instant#EPOCH} for the initial value, which never was
 * @param since since when the current value holds, published or not
 */
public record Published<T>(T value, Instant at, Instant since) {

    /** Minimum time that a return must hold, and between other events: the interval at which consumers poll (Agent Health State §7). */
    public static final Duration DWELL = Duration.ofMinutes(5);

    /** The change from the published value to the current one. */
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

    /** Returns this value where the current one changed at this moment. */
    Published<T> changed(Instant moment) {
        return new Published<>(value, at, moment);
    }

    /** The current value, once it is published. */
    Published<T> published(T current, Instant moment) {
        return new Published<>(current, moment, since);
    }

    /** Returns whether the current value is to be published now, as it is where a clock that ran ahead says when it changed. */
    public boolean isDue(Change change, Instant now) {
        return change != Change.NONE && !ClockRule.holds(dueAt(change), DWELL, now);
    }

    /** Returns when the current value is to be published if it still holds; {@link Instant#MAX} where it already is. */
    public Instant dueAt(Change change) {
        return switch (change) {
            case NONE -> Instant.MAX;
            case FALL -> Instant.EPOCH;
            case RETURN -> (since.isAfter(at) ? since : at).plus(DWELL);
            case OTHER -> at.plus(DWELL);
        };
    }
}
