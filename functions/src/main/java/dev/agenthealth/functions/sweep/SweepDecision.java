package dev.agenthealth.functions.sweep;

import java.time.Duration;
import java.time.Instant;

/**
 * The decision of a pass after counting.
 *
 * @param mayChangeStatus whether silence and drains are acted on; not while the self-check fails
 * @param deaths the silent agents that may be marked as dead
 * @param postponedFrom deaths of silent agents that became due after this moment are postponed; {@link Instant#MAX} for none
 * @param correctsTimes whether times that lie ahead are corrected: the clock of the pass agrees with those that receive heartbeats
 * @param tick the time between two passes: changes of status begin within it, and the work after them within its half; the next pass continues
 */
record SweepDecision(
        boolean mayChangeStatus, DeathQuota deaths, Instant postponedFrom, boolean correctsTimes, Duration tick) {

    /** A decision of a pass a minute. */
    SweepDecision(boolean mayChangeStatus, DeathQuota deaths, Instant postponedFrom, boolean correctsTimes) {
        this(mayChangeStatus, deaths, postponedFrom, correctsTimes, Duration.ofMinutes(1));
    }

    /** Returns the same decision for another time between two passes. */
    SweepDecision every(Duration time) {
        return new SweepDecision(mayChangeStatus, deaths, postponedFrom, correctsTimes, time);
    }

    /** Only what changes no status: clean-up, archival, revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY = new SweepDecision(false, DeathQuota.NONE, Instant.MAX, false);

    static final SweepDecision ALL = new SweepDecision(true, DeathQuota.UNLIMITED, Instant.MAX, false);
}
