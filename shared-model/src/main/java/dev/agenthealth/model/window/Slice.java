package dev.agenthealth.model.window;

import java.time.Instant;

/**
 * A stretch of time whose outcomes are counted together.
 *
 * @param start its first second, in epoch seconds, a multiple of the width
 * @param width its length in seconds
 */
public record Slice(long start, int width) implements Comparable<Slice> {

    /** The first moment after the slice. */
    public Instant end() {
        return Instant.ofEpochSecond(start + width);
    }

    @Override
    public int compareTo(Slice other) {
        int byStart = Long.compare(start, other.start);
        return byStart != 0 ? byStart : Integer.compare(width, other.width);
    }
}
