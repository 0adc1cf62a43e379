package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The level of a stall, in ascending order of severity. */
public enum StallLevel implements WireNamed {
    /** The agent is not stalled. */
    NONE,
    /** The time without progress is longer than declared. */
    WARNING,
    /** The time without progress is longer than twice the declared time. */
    ERROR
}
