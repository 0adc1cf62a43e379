package dev.agenthealth.model.gateway;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit of one caller's invocations: the generic cell rate algorithm, whose whole state is one number per caller, the moment at which
 * everything that it used so far is available again.
 *
 * <p>An instance may hold any numbers; {@link #errors()} says which of them break a rule. Moments are microseconds of the epoch.
 *
 * @param perSecond invocations per second, without an end
 * @param burst invocations at once, after a time without any
 */
public record CallerLimit(int perSecond, int burst) {

    public static final int MAX_PER_SECOND = 1_000;
    public static final int MAX_BURST = 10_000;

    /** 10 a second and 20 at once. */
    public static final CallerLimit DEFAULT = new CallerLimit(10, 20);

    private static final long MICROS_PER_SECOND = 1_000_000;

    /** The maximum difference of the clocks of hosts that count together. */
    private static final long CLOCKS_DIFFER = 60 * MICROS_PER_SECOND;

    /** Returns every rule that these numbers break, with the field names of the HTTP interface; empty when they are valid. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        check(errors, "invocations.per_second", perSecond, MAX_PER_SECOND);
        check(errors, "invocations.burst", burst, MAX_BURST);
        return List.copyOf(errors);
    }

    /** Returns the time that one invocation uses, in microseconds, rounded up so that no more are admitted than the limit says. */
    public long spacing() {
        return (MICROS_PER_SECOND + perSecond - 1) / perSecond;
    }

    /** Returns the latest moment at which everything may be available again for one more invocation to be admitted. */
    public long latest(long now) {
        return now + (burst - 1) * spacing();
    }

    /**
     * Returns the latest moment that counting by this limit can lead to. A later one is of a larger limit that no longer holds, or of a clock that
     * was wrong, and is ignored: no caller is refused for longer than by this limit.
     */
    public long farthest(long now) {
        return latest(now) + spacing() + CLOCKS_DIFFER;
    }

    /** Returns the time until the next invocation of a refused caller is admitted. */
    public Duration wait(long availableAt, long now) {
        return Duration.ofNanos(Math.max(0, availableAt - latest(now)) * 1_000);
    }

    /** Returns the time in which a used-up limit allows {@link #burst} invocations at once again. */
    public Duration window() {
        return Duration.ofNanos(burst * spacing() * 1_000);
    }

    private static void check(List<FieldError> errors, String field, int value, int maximum) {
        if (value < 1 || value > maximum) {
            errors.add(new FieldError(field, "must be from 1 to " + maximum));
        }
    }
}
