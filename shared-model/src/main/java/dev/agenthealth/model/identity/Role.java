package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;

/** The role of an API key: the actions that its holder may take. */
public enum Role implements WireNamed {
    /** Registers agents, and acts on the agents that it registered. */
    AGENT,
    /** Reads everything that a coordinator reads, and changes nothing. It may be limited to some roles. */
    VIEWER,
    /** Registers agents, finds agents, reads all of them and drains them. It may be limited to some roles. */
    COORDINATOR,
    /** Has all rights. */
    ADMINISTRATOR;
}
