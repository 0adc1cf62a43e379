package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/** Decides until when a dead agent counts as down. After that it is gone, like a deregistered agent. */
public final class DownRule {

    /** The maximum time for which a dead agent counts as down without being dismissed. */
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
