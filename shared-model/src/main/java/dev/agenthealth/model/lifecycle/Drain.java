package dev.agenthealth.model.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * A drain under way (RFC-0016 §5).
 *
 * @param deadline when it ends at the latest; {@link Instant#MAX} where no drain is under way
 * @param timeout how long it was given; zero where no drain is under way
 * @param heldLeases whether the agent held leases when it began: then releasing the last one ends it, whatever load is reported
 */
public record Drain(Instant deadline, Duration timeout, boolean heldLeases) {

    /** No drain is under way. */
    public static final Drain NONE = new Drain(Instant.MAX, Duration.ZERO, false);

    /** The default length of a drain. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(120);

    /** The shortest drain, in seconds. */
    public static final int MIN_TIMEOUT_SECONDS = 1;

    /** The longest drain, in seconds: one day. */
    public static final int MAX_TIMEOUT_SECONDS = 86_400;

    /** The drain that begins at {@code now}. */
    public static Drain starting(Instant now, Duration timeout, boolean heldLeases) {
        return new Drain(now.plus(timeout), timeout, heldLeases);
    }

    /** Whether a drain is under way. */
    public boolean isUnderWay() {
        return deadline.isBefore(Instant.MAX);
    }

    /** Whether the deadline has passed; strict, like every threshold. */
    public boolean isOver(Instant now) {
        return now.isAfter(deadline);
    }
}
