package dev.agenthealth.model.window;

import java.time.Duration;
import java.time.Instant;

/**
 * A width that an agent's slices had before its measurement window was changed.
 *
 * @param width in seconds
 * @param until when the window was changed
 */
public record FormerWidth(int width, Instant until) {

    /**
     * So long after a change slices of this width are still those that are written: until nobody can be left who read the profile before the
     * change. No function runs longer.
     */
    private static final Duration IN_FORCE_AFTER = Duration.ofMinutes(2);

    /** Longer than slices stay after their last use in a window. */
    private static final Duration MARGIN = Duration.ofHours(2);

    /** Whether new batches are still counted in slices of this width. */
    boolean isInForce(Instant now) {
        return until.plus(IN_FORCE_AFTER).isAfter(now);
    }

    /** Whether slices of this width may still be there. */
    boolean isAlive(Instant now) {
        return stays(latestMoment().plusSeconds(width), now);
    }

    /** Whether a slice of this width may still be there, with outcomes that were counted before the change. */
    public boolean mayHold(Slice slice, Instant now) {
        return !Instant.ofEpochSecond(slice.start()).isAfter(latestMoment()) && stays(slice.end(), now);
    }

    private Instant latestMoment() {
        return until.plus(IN_FORCE_AFTER).plus(MeasurementWindow.MAX_AHEAD);
    }

    private boolean stays(Instant end, Instant now) {
        return end.plus(MeasurementWindow.longestOf(width).multipliedBy(2))
                .plus(MARGIN)
                .isAfter(now);
    }
}
