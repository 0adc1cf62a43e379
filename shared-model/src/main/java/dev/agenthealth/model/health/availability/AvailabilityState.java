package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** The state of an agent, or of a group of agents, over a span of time. */
public enum AvailabilityState implements WireNamed {
    /** The agent is active or draining. All agents of a group are. */
    UP,
    /** The agent is unhealthy: without heartbeat for longer than its threshold. Some agents of a group are unhealthy or dead. */
    DEGRADED,
    /** The agent is dead. All agents of a group are unhealthy or dead. */
    DOWN,
    /** The state is not known, such as while the registry was off. */
    UNKNOWN,
    /** The agent was not registered. A group had no agents. */
    NONE;

    /** Returns the state of an agent in this lifecycle status. */
    public static AvailabilityState of(LifecycleStatus status) {
        return switch (status) {
            case ACTIVE, DRAINING -> UP;
            case UNHEALTHY -> DEGRADED;
            case DEAD -> DOWN;
            case REGISTERING, DEREGISTERED -> NONE;
        };
    }

    /** Returns whether this state belongs to an incident. */
    public boolean isIncident() {
        return this == DEGRADED || this == DOWN;
    }
}
