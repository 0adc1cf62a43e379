package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;

/** The state of an agent, or of a group of agents, over a span of time. */
public enum AvailabilityState implements WireNamed {
    /** The verdict on the agent is ok. The verdict on all agents of a group is. */
    UP,
    /** The verdict on the agent is degraded. Some agents of a group are not up. */
    DEGRADED,
    /** The verdict on the agent is down or blocked. No agent of a group is up or degraded. */
    DOWN,
    /** The agent is degraded or down in a silence, that is, in a time for which its operators expect it. */
    MAINTENANCE,
    /** The state is not known, such as while the registry was off or as long as the verdict is unknown. */
    UNKNOWN,
    /** The agent was not registered. A group had no agents. */
    NONE;

    /** Returns the state of an agent with this verdict. */
    public static AvailabilityState of(Verdict verdict) {
        return switch (verdict) {
            case OK -> UP;
            case DEGRADED -> DEGRADED;
            case DOWN, BLOCKED -> DOWN;
            case UNKNOWN -> UNKNOWN;
            case GONE -> NONE;
        };
    }

    /** Returns the state of an agent by its heartbeats alone. */
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
