package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;

/** The decision that an {@code agent.trust} event reports. */
public enum BlockAction implements WireNamed {
    BLOCKED,
    UNBLOCKED
}
