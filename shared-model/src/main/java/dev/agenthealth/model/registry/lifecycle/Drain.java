package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * A drain under way (RFC-0016 §5).
 *
 * @param deadline the latest end; {@link Instant#MAX} if no drain is under way
 * @param timeout the time from the beginning to the deadline; zero if no drain is under way
 * @param heartbeatsBefore the number of the agent's heartbeats at the beginning; only answers to later heartbeats name the drain;
 *     {@link #ASKED_BY_AGENT} if the agent asked for the drain
 * @param reason the reason of the command that asked for the drain; empty without a reason
 * @param requestedBy the id of the key that asked for the drain; empty if no drain is under way
 */
public record Drain(Instant deadline, Duration timeout, long heartbeatsBefore, String reason, String requestedBy) {

    /** The number of heartbeats before a drain that the agent asked for. It is lower than any real number, so that the agent counts as informed. */
    public static final long ASKED_BY_AGENT = -1;

    /** The value if no drain is under way. */
    public static final Drain NONE = new Drain(Instant.MAX, Duration.ZERO, ASKED_BY_AGENT, "", "");

    /** The default length of a drain. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(120);

    /** The minimum length of a drain, in seconds. */
    public static final int MIN_TIMEOUT_SECONDS = 1;

    /** The maximum length of a drain, in seconds: one day. */
    public static final int MAX_TIMEOUT_SECONDS = 86_400;

    /** Returns whether a drain is under way. */
    public boolean isUnderWay() {
        return deadline.isBefore(Instant.MAX);
    }

    /** Returns whether the deadline has passed. The comparison is strict, as for every threshold. */
    public boolean isOver(Instant now) {
        return now.isAfter(deadline);
    }

    /** Returns the moment from which the time until the deadline counts. Call it only if a drain is under way. */
    public Instant countedFrom() {
        return deadline.minus(timeout);
    }

    /** Returns whether the agent knows of the drain after a number of answered heartbeats. */
    public boolean isKnownAfter(long heartbeats) {
        return heartbeats > heartbeatsBefore;
    }

    /** Returns the drain after a heartbeat with an answer that does not reach the agent. */
    Drain afterUnansweredHeartbeat() {
        return heartbeatsBefore == ASKED_BY_AGENT
                ? this
                : new Drain(deadline, timeout, heartbeatsBefore + 1, reason, requestedBy);
    }

    /** Returns the drain with a bounded deadline. If a clock that ran ahead began the drain, its whole time counts from now. */
    Drain bounded(Duration maxAhead, Instant now) {
        return isUnderWay() && ClockRule.isTooFarAhead(countedFrom(), maxAhead, now)
                ? new Drain(now.plus(timeout), timeout, heartbeatsBefore, reason, requestedBy)
                : this;
    }

    /** Returns the drain with a deadline that counts from {@code now}. */
    Drain restarted(Duration newTimeout, boolean byAgent, Instant now) {
        return new Drain(
                now.plus(newTimeout), newTimeout, byAgent ? ASKED_BY_AGENT : heartbeatsBefore, reason, requestedBy);
    }
}
