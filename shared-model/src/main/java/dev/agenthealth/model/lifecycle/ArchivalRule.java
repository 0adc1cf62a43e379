package dev.agenthealth.model.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides when the row of a dead or deregistered agent is moved to its tombstone, so that the table of pulses has the size of the living fleet. */
public final class ArchivalRule {

    /** Minimum time that such a row stays: long enough for the usual restart to find it. */
    public static final Duration DELAY = Duration.ofHours(1);

    private ArchivalRule() {}

    /**
     * Returns whether the agent is dead or deregistered for an hour and nothing of it is left to be cleaned up.
     *
     * @param hasScore whether the agent's window has executions: a dead one then stays, and so its score counts for the system
     */
    public static boolean isDue(Pulse pulse, boolean hasScore, Instant now) {
        return pulse.status().isGone()
                && pulse.cleanUpOf() == Pulse.NOTHING_TO_CLEAN_UP
                && !(hasScore && pulse.status() == LifecycleStatus.DEAD)
                && now.isAfter(pulse.statusSince().plus(DELAY));
    }
}
