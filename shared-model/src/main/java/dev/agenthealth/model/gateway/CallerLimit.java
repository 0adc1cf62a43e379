package dev.agenthealth.model.gateway;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How often one caller may invoke agents: the generic cell rate algorithm, whose whole state is one number a caller, the moment at which
 * everything it has used up so far is earned back.
 *
 * <p>An instance may hold any numbers; {@link #errors()} says which of them break a rule. Moments are microseconds of the epoch.
 *
 * @param perSecond invocations a second, for as long as one likes
 * @param burst invocations at once, after a time without any
 */
public record CallerLimit(int perSecond, int burst) {

    public static final int MAX_PER_SECOND = 1_000;
    public static final int MAX_BURST = 10_000;

    /** 10 a second and 20 at once. */
    public static final CallerLimit DEFAULT = new CallerLimit(10, 20);

    private static final long MICROS_PER_SECOND = 1_000_000;

    /** By so much at most the clocks of those who count together may differ. */
    private static final long CLOCKS_DIFFER = 60 * MICROS_PER_SECOND;

    /** Every rule that these numbers break, with the field names of the HTTP interface; empty when they are valid. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        check(errors, "invocations.per_second", perSecond, MAX_PER_SECOND);
        check(errors, "invocations.burst", burst, MAX_BURST);
        return List.copyOf(errors);
    }

    /** What one invocation uses up, rounded up so that no more are let through than the limit says. */
    public long spacing() {
        return (MICROS_PER_SECOND + perSecond - 1) / perSecond;
    }

    /** The latest moment at which everything may be earned back for one more invocation to be let through. */
    public long latest(long now) {
        return now + (burst - 1) * spacing();
    }

    /**
     * The latest moment that counting by this limit can lead to. A later one is of a larger limit that no longer holds, or of a clock that was
     * wrong, and counts for nothing: who is refused must not be so for longer than by this limit.
     */
    public long farthest(long now) {
        return latest(now) + spacing() + CLOCKS_DIFFER;
    }

    /** How long a caller who is refused has to wait. */
    public Duration wait(long earnedBack, long now) {
        return Duration.ofNanos(Math.max(0, earnedBack - latest(now)) * 1_000);
    }

    private static void check(List<FieldError> errors, String field, int value, int maximum) {
        if (value < 1 || value > maximum) {
            errors.add(new FieldError(field, "must be from 1 to " + maximum));
        }
    }
}
