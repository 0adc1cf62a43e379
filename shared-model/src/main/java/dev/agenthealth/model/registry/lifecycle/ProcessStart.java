package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The start of an agent's process, as the agent reports it. The same moment is the same process. */
public final class ProcessStart {

    /** The start of an agent that reports none. */
    public static final Instant UNKNOWN = Instant.EPOCH;

    /** Longest time since a start, and longest time by which an agent's clock may be ahead: beyond them, the clock is not set. */
    static final Duration MAX_AGE = Duration.ofDays(3_650);

    static final Duration MAX_AHEAD = Duration.ofDays(1);

    /** The message about a start that is not accepted. */
    public static final String NOT_ACCEPTED = "lies more than a day ahead or ten years back, so that it is not used";

    private ProcessStart() {}

    /** Returns the reported moment in whole milliseconds; {@link #UNKNOWN} where the agent's clock cannot be set. */
    public static Instant accepted(Instant reported, Instant now) {
        boolean plausible = reported.isAfter(now.minus(MAX_AGE)) && !reported.isAfter(now.plus(MAX_AHEAD));
        return plausible ? reported.truncatedTo(ChronoUnit.MILLIS) : UNKNOWN;
    }

    /** Returns whether a start is known. */
    public static boolean isKnown(Instant startedAt) {
        return startedAt.isAfter(UNKNOWN);
    }

    /** Returns the start by the server's clock: at most {@code now}, and {@code now} where it is unknown. */
    public static Instant atMost(Instant startedAt, Instant now) {
        return isKnown(startedAt) && startedAt.isBefore(now) ? startedAt : now;
    }
}
