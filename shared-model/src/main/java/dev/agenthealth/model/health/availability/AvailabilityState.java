package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** The state of an agent, or of a group of agents, over a span of time. */
public enum AvailabilityState implements WireNamed {
    /** The agent is active or draining; of a group, all agents are. */
    UP,
    /** The agent is unhealthy: silent beyond its threshold. Of a group, some agents are unhealthy or dead. */
    DEGRADED,
    /** The agent is dead; of a group, all agents are unhealthy or dead. */
    DOWN,
    /** It is not known, such as while the registry was off. */
    UNKNOWN,
    /** The agent was not registered; of a group, it had no agents. */
    NONE;

    /** The state of an agent in this lifecycle status. */
    public static AvailabilityState of(LifecycleStatus status) {
        return switch (status) {
            case ACTIVE, DRAINING -> UP;
            case UNHEALTHY -> DEGRADED;
            case DEAD -> DOWN;
            case REGISTERING, DEREGISTERED -> NONE;
        };
    }

    /** Returns whether an incident lasts in this state. */
    public boolean isIncident() {
        return this == DEGRADED || this == DOWN;
    }
}
