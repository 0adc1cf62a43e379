package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** Why an agent's lifecycle status changed; the {@code reason} of an {@code agent.lifecycle} event (RFC-0016 §2.3). */
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
