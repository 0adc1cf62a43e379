package dev.agenthealth.model.window;

import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time whose outcomes are counted together.
 *
 * @param start its first second, in epoch seconds, a multiple of the width
 * @param width its length in seconds
 */
public record Slice(long start, int width) implements Comparable<Slice> {

    /** So long after its end a slice is read each time; afterwards only if it is told that it changed. */
    public static final Duration OPEN_AFTER_END = Duration.ofMinutes(2);

    /** The slice of this width that a moment is in. */
    public static Slice at(Instant moment, int width) {
        return new Slice(Math.floorDiv(moment.getEpochSecond(), width) * width, width);
    }

    /** The first moment after the slice. */
    public Instant end() {
        return Instant.ofEpochSecond(start + width);
    }

    /** Whether the slice may have been read for the last time, unless somebody tells that it changed. */
    public boolean isClosed(Instant now) {
        return !end().plus(OPEN_AFTER_END).isAfter(now);
    }

    @Override
    public int compareTo(Slice other) {
        int byStart = Long.compare(start, other.start);
        return byStart != 0 ? byStart : Integer.compare(width, other.width);
    }
}
