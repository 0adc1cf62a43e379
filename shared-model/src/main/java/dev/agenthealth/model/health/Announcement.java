package dev.agenthealth.model.health;

import java.time.Duration;
import java.time.Instant;

/**
 * What subscribers were last told of something that changes.
 *
 * <p>A change is told at once, unless another was told less than {@link #DWELL} ago: then it is told when that time is over, if it still
 * holds. So an agent at a boundary makes at most one event in that time, and none at all about what has passed by then.
 *
 * @param told what was told
 * @param at when; {@link Instant#EPOCH} where nothing was told yet
 */
public record Announcement<T>(T told, Instant at) {

    /** The shortest time between two events about the same: the interval at which consumers are to poll (Agent Health State §7). */
    public static final Duration DWELL = Duration.ofMinutes(5);

    /** Nothing was told yet; subscribers take this for granted. */
    public static <T> Announcement<T> initially(T taken) {
        return new Announcement<>(taken, Instant.EPOCH);
    }

    /** Whether {@code current} is to be told now. */
    public boolean isDue(T current, Instant now) {
        return !current.equals(told) && !now.isBefore(at.plus(DWELL));
    }

    /** When {@code current}, if it still holds, is to be told; {@link Instant#MAX} where it was told already. */
    public Instant dueAt(T current) {
        return current.equals(told) ? Instant.MAX : at.plus(DWELL);
    }
}
