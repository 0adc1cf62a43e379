package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides when the row of an agent that is gone is moved to its tombstone, so that the table of pulses has the size of the fleet. */
public final class ArchivalRule {

    /** Minimum time that such a row stays: long enough for the usual restart to find it. */
    public static final Duration DELAY = Duration.ofHours(1);

    private ArchivalRule() {}

    /**
     * Returns whether the agent is dead or deregistered for an hour, no longer {@linkplain DownRule down}, and nothing of it is left to be
     * cleaned up.
     */
    public static boolean isDue(Pulse pulse, Instant now) {
        return DownRule.isOver(pulse, now)
                && pulse.cleanUpOf() == Pulse.NOTHING_TO_CLEAN_UP
                && now.isAfter(pulse.statusSince().plus(DELAY));
    }
}
