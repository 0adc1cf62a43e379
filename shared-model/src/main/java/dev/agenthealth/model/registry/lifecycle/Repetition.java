package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The repetition of calls within one execution: one call after the other with the same arguments, or a few calls in turn.
 *
 * @param repeats the number of repetitions so far; 0 without one
 * @param tool the name of the repeated tool; empty for a model, or if the name is unknown
 * @param since the first call
 * @param lastAt the last call
 */
public record Repetition(int repeats, String tool, Instant since, Instant lastAt) {

    /** The value without a repetition. */
    public static final Repetition NONE = new Repetition(0, "", Instant.EPOCH, Instant.EPOCH);

    /** The maximum number of reported repetitions that counts. */
    public static final int MAX_REPEATS = 1_000_000;

    /** The number of characters of the name that are stored, because each heartbeat pays for the bytes of its row. */
    public static final int MAX_SHOWN = 40;

    /** Returns the part of the name of a tool that is stored: its first {@link #MAX_SHOWN} characters, in ASCII. */
    public static String shown(String tool) {
        String cut = tool.length() > MAX_SHOWN ? tool.substring(0, MAX_SHOWN) : tool;
        for (int i = 0; i < cut.length(); i++) {
            if (cut.charAt(i) <= ' ' || cut.charAt(i) > '~') {
                return cut.replaceAll("[^!-~]", "?");
            }
        }
        return cut;
    }

    /** Returns whether a call was repeated. */
    public boolean isRepeated() {
        return repeats > 0;
    }

    /** Returns this repetition with {@code now} in place of each later time. */
    public Repetition notAfter(Instant now) {
        return new Repetition(repeats, tool, since.isAfter(now) ? now : since, lastAt.isAfter(now) ? now : lastAt);
    }

    /** Returns this repetition without times in the future. */
    Repetition bounded(Duration maxAhead, Instant now) {
        Repetition bounded = new Repetition(
                repeats, tool, ClockRule.bounded(since, maxAhead, now), ClockRule.bounded(lastAt, maxAhead, now));
        return bounded.equals(this) ? this : bounded;
    }
}
