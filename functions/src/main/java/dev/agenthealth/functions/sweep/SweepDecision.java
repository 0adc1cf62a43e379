package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.sweep.PostponedDeaths;
import java.time.Duration;

/**
 * The decision of a pass after counting.
 *
 * @param mayChangeStatus whether to act on missing heartbeats and drains; false while the self-check fails
 * @param deaths the agents past their heartbeat timeout that may be marked as dead
 * @param postponed the deaths that are postponed
 * @param correctsTimes whether to correct times in the future: the clocks that receive heartbeats agree with the clock of the pass
 * @param tick the time between two passes: changes of status start within it, other work within half of it, and the next pass continues
 */
record SweepDecision(
        boolean mayChangeStatus, DeathQuota deaths, PostponedDeaths postponed, boolean correctsTimes, Duration tick) {

    /** Creates a decision for one pass a minute. */
    SweepDecision(boolean mayChangeStatus, DeathQuota deaths, PostponedDeaths postponed, boolean correctsTimes) {
        this(mayChangeStatus, deaths, postponed, correctsTimes, Duration.ofMinutes(1));
    }

    /** Returns whether containment rules may act: the registry works, and there is no mass silence. */
    boolean mayContain() {
        return mayChangeStatus && deaths.unlimited();
    }

    /** Returns this decision with another time between two passes. */
    SweepDecision every(Duration time) {
        return new SweepDecision(mayChangeStatus, deaths, postponed, correctsTimes, time);
    }

    /** Allows only work that changes no status: clean-up, archival, and revoked credentials. */
    static final SweepDecision HOUSEKEEPING_ONLY =
            new SweepDecision(false, DeathQuota.NONE, PostponedDeaths.NONE, false);

    static final SweepDecision ALL = new SweepDecision(true, DeathQuota.UNLIMITED, PostponedDeaths.NONE, false);
}
