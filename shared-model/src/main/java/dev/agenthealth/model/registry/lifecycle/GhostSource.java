package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The kind of activity that shows that an agent's process still runs after the agent's end. */
public enum GhostSource implements WireNamed {
    /** A span of the agent ended. */
    SPANS,
    /** An execution of the agent ended, as an outcome says. */
    OUTCOMES,
    /** Heartbeats of the agent were refused. */
    HEARTBEATS,
    /** The agent asked for a lease. */
    LEASES,
    /** The agent answered a call by the gateway. */
    INVOCATIONS
}
