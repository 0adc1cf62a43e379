package dev.agenthealth.model.window;

import java.time.Duration;
import java.time.Instant;

/**
 * The time up to now over which an agent is measured (Agent Health State §4.4; Agent Health Model, Evaluation Window).
 *
 * <p>A window consists of slices of at most a thirtieth of its length. A slice is in the window as long as any moment of it is: no outcome leaves
 * early, and none stays longer than one slice width beyond its time. The slice that contains now counts. No slice begins before the start of the
 * measurement, and one slice begins exactly there, so that slices of an earlier measurement are never among those of a later one.
 *
 * @param length from 5 minutes to 7 days
 * @param start when the measurement began, in whole seconds; {@link Instant#EPOCH} if it never restarted
 */
public record MeasurementWindow(Duration length, Instant start) {

    /** The shortest window, in seconds. */
    public static final int MIN_SECONDS = 300;

    /** The longest window, in seconds. */
    public static final int MAX_SECONDS = 604_800;

    /** The window of an agent whose profile holds none: 24 hours, whatever the runtime configuration says about new agents. */
    public static final MeasurementWindow DEFAULT = new MeasurementWindow(Duration.ofHours(24));

    /** Maximum time by which a reporter's clock may be ahead of the registry's. */
    public static final Duration MAX_AHEAD = Duration.ofMinutes(5);

    private static final int SLICES = 30;

    /** Widths in seconds that divide an hour, or that hours divide. */
    private static final int[] WIDTHS = {10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400};

    /** The window of a measurement that never restarted. */
    public MeasurementWindow(Duration length) {
        this(length, Instant.EPOCH);
    }

    /** Returns the window of this many seconds, of a measurement that never restarted. */
    public static MeasurementWindow ofSeconds(long seconds) {
        return new MeasurementWindow(Duration.ofSeconds(seconds));
    }

    /** Its length in whole seconds. */
    public long seconds() {
        return length.toSeconds();
    }

    /** Length of a slice in seconds: the largest of a few round numbers that fits 30 times into the window. */
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

    /** Returns the first slice that may count in this window or the one before it. */
    public Slice firstSlice(Instant now) {
        Instant earliest = earliest(now);
        return sliceAt(earliest.isBefore(start) ? start : earliest);
    }

    /** Returns whether a slice counts in the window that ends now. */
    public boolean holds(Slice slice, Instant now) {
        return owns(slice) && slice.end().isAfter(now.minus(length));
    }

    /** Returns whether a slice counts in the window before the one that ends now. */
    public boolean heldBefore(Slice slice, Instant now) {
        return owns(slice) && !holds(slice, now) && slice.end().isAfter(now.minus(length.multipliedBy(2)));
    }

    /** Returns the moment at which a slice that counts now leaves the window it counts in, for the previous one or for good. */
    public Instant leavesAt(Slice slice, Instant now) {
        return slice.end().plus(holds(slice, now) ? length : length.multipliedBy(2));
    }

    /** Returns the earliest moment of which outcomes are still accepted: two windows back. */
    public Instant earliest(Instant now) {
        return now.minus(length.multipliedBy(2));
    }

    /** Returns the latest moment of which outcomes are accepted. */
    public Instant latest(Instant now) {
        return now.plus(MAX_AHEAD);
    }

    /** Returns whether this is a slice of this measurement. */
    private boolean owns(Slice slice) {
        Instant begin = Instant.ofEpochSecond(slice.start());
        return !begin.isBefore(start) && slice.equals(sliceAt(begin));
    }
}
