package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/** The part of a limit that an agent has used, in ascending order of severity. */
public enum UsageLevel implements WireNamed {
    /** Less than 80 % of each limit is used. */
    NONE,
    /** At least 80 % of a limit is used. */
    WARNING,
    /** A limit is used up. */
    EXCEEDED
}
