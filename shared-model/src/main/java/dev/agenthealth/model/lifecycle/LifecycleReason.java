package dev.agenthealth.model.lifecycle;

import java.util.Locale;

/** Why an agent's lifecycle status changed; the {@code reason} of an {@code agent.lifecycle} event (RFC-0016 §2.3). */
public enum LifecycleReason {
    REGISTERED,
    RE_REGISTERED,
    HEARTBEAT_TIMEOUT,
    HEARTBEAT_RESUMED,
    DRAIN_INITIATED,
    DRAIN_COMPLETED,
    DRAIN_TIMEOUT,
    DEREGISTERED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in events. */
    public String word() {
        return word;
    }
}
