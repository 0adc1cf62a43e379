package dev.agenthealth.model.window;

import java.time.Duration;
import java.time.Instant;

/**
 * A part of a measurement. All outcomes in it are counted together.
 *
 * @param start the first second, in epoch seconds
 * @param width the length in seconds
 */
public record Slice(long start, int width) implements Comparable<Slice> {

    /** The time after its end for which every computation reads a slice. After that, computations read it only if it is marked as changed. */
    public static final Duration OPEN_AFTER_END = Duration.ofMinutes(2);

    /** Returns the first moment after the slice. */
    public Instant end() {
        return Instant.ofEpochSecond(start + width);
    }

    /** Returns whether the slice is read only if it is marked as changed. */
    public boolean isClosed(Instant now) {
        return !end().plus(OPEN_AFTER_END).isAfter(now);
    }

    @Override
    public int compareTo(Slice other) {
        int byStart = Long.compare(start, other.start);
        return byStart != 0 ? byStart : Integer.compare(width, other.width);
    }
}
