package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/** The action of the registry when an agent uses up a limit. */
public enum OnExceeded implements WireNamed {
    /** The registry reports it. */
    NONE,
    /** The agent is asked to drain. */
    DRAIN,
    /** Calls of the agent are refused until the hour or day of the limit is over. */
    BLOCK,
    /** The agent is asked to restart. */
    RESTART;

    /** Returns whether the agent is asked to do something. */
    public boolean isCommand() {
        return this == DRAIN || this == RESTART;
    }
}
