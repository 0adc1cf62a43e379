package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The level of a stall or a loop, in ascending order of severity. */
public enum StallLevel implements WireNamed {
    /** The agent is neither stalled nor looping. */
    NONE,
    /** The time without progress is longer than declared, or calls are repeated as often as declared. */
    WARNING,
    /** The time without progress is longer than twice the declared time, or calls are repeated three times as often as declared. */
    ERROR
}
