package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The start of an agent's process, as reported by the agent. Two registrations with the same start come from the same process. */
public final class ProcessStart {

    /** The start if the agent reports none. */
    public static final Instant UNKNOWN = Instant.EPOCH;

    /** The maximum age of a process, and the maximum time by which an agent's clock may be ahead. Otherwise the clock is not set. */
    static final Duration MAX_AGE = Duration.ofDays(3_650);

    static final Duration MAX_AHEAD = Duration.ofDays(1);

    /** The message about a start that was not accepted. */
    public static final String NOT_ACCEPTED = "lies more than a day ahead or ten years back, so that it is not used";

    private ProcessStart() {}

    /** Returns the reported moment in whole milliseconds; {@link #UNKNOWN} if the agent's clock is obviously not set. */
    public static Instant accepted(Instant reported, Instant now) {
        boolean plausible = reported.isAfter(now.minus(MAX_AGE)) && !reported.isAfter(now.plus(MAX_AHEAD));
        return plausible ? reported.truncatedTo(ChronoUnit.MILLIS) : UNKNOWN;
    }

    /** Returns whether a start is known. */
    public static boolean isKnown(Instant startedAt) {
        return startedAt.isAfter(UNKNOWN);
    }

    /** Returns the start on the server's clock: at most {@code now}, and {@code now} if it is unknown. */
    public static Instant atMost(Instant startedAt, Instant now) {
        return isKnown(startedAt) && startedAt.isBefore(now) ? startedAt : now;
    }
}
