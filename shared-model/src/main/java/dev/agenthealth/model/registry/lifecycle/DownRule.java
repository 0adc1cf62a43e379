package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides until when a dead agent counts as down; afterwards it is gone, as a deregistered one is. Pure. */
public final class DownRule {

    /** The time for which a dead agent is down that is not dismissed. */
    public static final Duration MAX_DOWN = Duration.ofDays(30);

    private DownRule() {}

    /** Returns whether the agent is gone: deregistered, dead and dismissed, or dead for {@link #MAX_DOWN}. */
    public static boolean isOver(Pulse pulse, Instant now) {
        return switch (pulse.status()) {
            case DEREGISTERED -> true;
            case DEAD -> pulse.dismissed() || !now.isBefore(pulse.statusSince().plus(MAX_DOWN));
            case REGISTERING, ACTIVE, DRAINING, UNHEALTHY -> false;
        };
    }
}
