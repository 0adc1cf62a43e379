package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The levels of an agent without progress, compared with what it declares. Later ones are worse. */
public enum StallLevel implements WireNamed {
    /** Not stalled. */
    NONE,
    /** Longer than declared. */
    WARNING,
    /** Longer than twice the declared time. */
    ERROR
}
