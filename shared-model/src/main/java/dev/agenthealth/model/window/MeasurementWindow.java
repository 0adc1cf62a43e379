package dev.agenthealth.model.window;

import java.time.Duration;
import java.time.Instant;

/**
 * The time up to now over which an agent is measured (Agent Health State §4.4; Agent Health Model, Evaluation Window).
 *
 * <p>A window consists of slices of at most a thirtieth of its length. A slice counts as long as any moment of it is in the window. So no outcome
 * leaves early, and no outcome stays longer than one slice width beyond its time. The slice that contains now counts.
 *
 * <p>One slice begins exactly at the start of the measurement, and no slice begins earlier. So slices of an earlier measurement never mix with
 * slices of a later one.
 *
 * @param length from 5 minutes to 7 days
 * @param start the start of the measurement, in whole seconds; {@link Instant#EPOCH} if it never restarted
 */
public record MeasurementWindow(Duration length, Instant start) {

    /** The minimum length in seconds. */
    public static final int MIN_SECONDS = 300;

    /** The maximum length in seconds. */
    public static final int MAX_SECONDS = 604_800;

    /** The window of an agent without one in its profile: 24 hours. The runtime configuration only affects new agents. */
    public static final MeasurementWindow DEFAULT = new MeasurementWindow(Duration.ofHours(24));

    /** The maximum time by which a reporter's clock may be ahead of the registry's clock. */
    public static final Duration MAX_AHEAD = Duration.ofMinutes(5);

    private static final int SLICES = 30;

    /** The widths of slices in seconds. Each of them divides an hour, or is divided by an hour. */
    private static final int[] WIDTHS = {10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400};

    /** Creates the window of a measurement that never restarted. */
    public MeasurementWindow(Duration length) {
        this(length, Instant.EPOCH);
    }

    /** Returns the window with a length in seconds, of a measurement that never restarted. */
    public static MeasurementWindow ofSeconds(long seconds) {
        return new MeasurementWindow(Duration.ofSeconds(seconds));
    }

    /** Returns the length in whole seconds. */
    public long seconds() {
        return length.toSeconds();
    }

    /** Returns the length of a slice in seconds: the largest of the widths that fits 30 times into the window. */
    public int sliceWidth() {
        int width = WIDTHS[0];
        for (int candidate : WIDTHS) {
            if (candidate <= length.toSeconds() / SLICES) {
                width = candidate;
            }
        }
        return width;
    }

    /** Returns the slice that contains a moment. */
    public Slice sliceAt(Instant moment) {
        int width = sliceWidth();
        long origin = start.getEpochSecond();
        return new Slice(origin + Math.floorDiv(moment.getEpochSecond() - origin, width) * width, width);
    }

    /** Returns the first slice that may count in this window or the previous one. */
    public Slice firstSlice(Instant now) {
        Instant earliest = earliest(now);
        return sliceAt(earliest.isBefore(start) ? start : earliest);
    }

    /** Returns whether a slice counts in the window that ends now. */
    public boolean holds(Slice slice, Instant now) {
        return owns(slice) && slice.end().isAfter(now.minus(length));
    }

    /** Returns whether a slice counts in the previous window. */
    public boolean heldBefore(Slice slice, Instant now) {
        return owns(slice) && !holds(slice, now) && slice.end().isAfter(now.minus(length.multipliedBy(2)));
    }

    /** Returns the moment at which a slice that counts now leaves its window. */
    public Instant leavesAt(Slice slice, Instant now) {
        return slice.end().plus(holds(slice, now) ? length : length.multipliedBy(2));
    }

    /** Returns the earliest accepted time of an outcome: two windows back. */
    public Instant earliest(Instant now) {
        return now.minus(length.multipliedBy(2));
    }

    /** Returns the latest accepted time of an outcome. */
    public Instant latest(Instant now) {
        return now.plus(MAX_AHEAD);
    }

    /** Returns whether a slice belongs to this measurement. */
    private boolean owns(Slice slice) {
        Instant begin = Instant.ofEpochSecond(slice.start());
        return !begin.isBefore(start) && slice.equals(sliceAt(begin));
    }
}
