package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The reason for a change of an agent's lifecycle status. It is the {@code reason} of an {@code agent.lifecycle} event (RFC-0016 §2.3). */
public enum LifecycleReason implements WireNamed {
    REGISTERED,
    RE_REGISTERED,
    HEARTBEAT_TIMEOUT,
    HEARTBEAT_RESUMED,
    DRAIN_INITIATED,
    DRAIN_COMPLETED,
    DRAIN_TIMEOUT,
    DEREGISTERED;
}
