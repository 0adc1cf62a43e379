package dev.agenthealth.model.health;

import java.time.Duration;
import java.time.Instant;

/**
 * The last published value of something that changes, such as a health status.
 *
 * <p>A change is published at once, unless another one was published less than {@link #DWELL} ago: then it is published when that time is
 * over, if it still holds. So an agent at a boundary causes at most one event in that time, and none about values that no longer hold.
 *
 * @param value the value that subscribers know
 * @param at when it was published; {@link Instant#EPOCH} for the initial value, which never was
 */
public record Published<T>(T value, Instant at) {

    /** The shortest time between two events about the same value: the interval at which consumers poll (Agent Health State §7). */
    public static final Duration DWELL = Duration.ofMinutes(5);

    /** The value that subscribers assume before the first event. */
    public static <T> Published<T> initially(T value) {
        return new Published<>(value, Instant.EPOCH);
    }

    /** Whether {@code current} is to be published now. */
    public boolean isDue(T current, Instant now) {
        return !current.equals(value) && !now.isBefore(at.plus(DWELL));
    }

    /** When {@code current} is to be published if it still holds; {@link Instant#MAX} where it already is. */
    public Instant dueAt(T current) {
        return current.equals(value) ? Instant.MAX : at.plus(DWELL);
    }
}
