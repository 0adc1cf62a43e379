package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides when the row of an agent that is gone moves to its tombstone. Because of the archive, the table of pulses only holds the present fleet. */
public final class ArchivalRule {

    /** The minimum time for which the row of an agent that is gone stays. An agent usually restarts within this time and finds its row. */
    public static final Duration DELAY = Duration.ofHours(1);

    private ArchivalRule() {}

    /** Returns whether the agent was dead or deregistered for an hour, is no longer {@linkplain DownRule down}, and has no pending clean-up. */
    public static boolean isDue(Pulse pulse, Instant now) {
        return DownRule.isOver(pulse, now)
                && !pulse.cleanUp().isPending()
                && now.isAfter(pulse.statusSince().plus(DELAY));
    }
}
