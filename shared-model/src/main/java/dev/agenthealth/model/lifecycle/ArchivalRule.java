package dev.agenthealth.model.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides when a gone agent's row is moved to its tombstone, so that the table of pulses has the size of the living fleet. */
public final class ArchivalRule {

    /** The time for which a gone agent's row stays: long enough for the usual restart to find it. */
    public static final Duration DELAY = Duration.ofHours(1);

    private ArchivalRule() {}

    /** Returns whether the agent has been gone for an hour and nothing of it is left to be cleaned up. */
    public static boolean isDue(Pulse pulse, Instant now) {
        return pulse.status().isGone()
                && pulse.cleanUpOf() == Pulse.NOTHING_TO_CLEAN_UP
                && now.isAfter(pulse.statusSince().plus(DELAY));
    }
}
