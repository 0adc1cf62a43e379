package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * A drain under way (RFC-0016 §5).
 *
 * @param deadline when it ends at the latest; {@link Instant#MAX} where no drain is under way
 * @param timeout how long it was given; zero where no drain is under way
 * @param heartbeatsBefore number of the agent's heartbeats when it began: the answer to a later one names the drain;
 *     {@link #ASKED_BY_AGENT} where the agent asked for it
 * @param reason of the command that asked for it; empty for none
 * @param requestedBy id of the key that asked for it; empty where no drain is under way
 */
public record Drain(Instant deadline, Duration timeout, long heartbeatsBefore, String reason, String requestedBy) {

    /** Fewer heartbeats than any agent has: it knows of the drain from the start. */
    public static final long ASKED_BY_AGENT = -1;

    /** No drain is under way. */
    public static final Drain NONE = new Drain(Instant.MAX, Duration.ZERO, ASKED_BY_AGENT, "", "");

    /** The default length of a drain. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(120);

    /** The shortest drain, in seconds. */
    public static final int MIN_TIMEOUT_SECONDS = 1;

    /** The longest drain, in seconds: one day. */
    public static final int MAX_TIMEOUT_SECONDS = 86_400;

    /** Returns whether a drain is under way. */
    public boolean isUnderWay() {
        return deadline.isBefore(Instant.MAX);
    }

    /** Returns whether the deadline has passed; strict, like every threshold. */
    public boolean isOver(Instant now) {
        return now.isAfter(deadline);
    }

    /** Returns when the time began to count that leads to the deadline; only where a drain is under way. */
    public Instant countedFrom() {
        return deadline.minus(timeout);
    }

    /** Returns whether the agent knows of the drain after this number of answered heartbeats. */
    public boolean isKnownAfter(long heartbeats) {
        return heartbeats > heartbeatsBefore;
    }

    /** The drain after a heartbeat whose answer does not reach the agent. */
    Drain afterUnansweredHeartbeat() {
        return heartbeatsBefore == ASKED_BY_AGENT
                ? this
                : new Drain(deadline, timeout, heartbeatsBefore + 1, reason, requestedBy);
    }

    /** Returns the drain as it ends at the latest: its whole time from now on where a clock that ran ahead began it. */
    Drain bounded(Duration maxAhead, Instant now) {
        return isUnderWay() && ClockRule.isTooFarAhead(countedFrom(), maxAhead, now)
                ? new Drain(now.plus(timeout), timeout, heartbeatsBefore, reason, requestedBy)
                : this;
    }

    /** The drain with a deadline counted from {@code now}. */
    Drain restarted(Duration newTimeout, boolean byAgent, Instant now) {
        return new Drain(
                now.plus(newTimeout), newTimeout, byAgent ? ASKED_BY_AGENT : heartbeatsBefore, reason, requestedBy);
    }
}
