package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The state in which an agent must not be active. */
public enum GhostState implements WireNamed {
    DEAD,
    DEREGISTERED,
    /** A later registration of the id replaced the process. */
    SUPERSEDED,
    /** Calls of the agent are blocked. */
    BLOCKED,
    /** The agent does not follow the drain of a stop. */
    STOPPED
}
