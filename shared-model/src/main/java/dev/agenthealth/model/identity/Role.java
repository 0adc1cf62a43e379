package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;

/** The role of an API key: the actions that its holder may take. */
public enum Role implements WireNamed {
    /** Registers agents, and acts on those it registered. */
    AGENT,
    /** Reads what a coordinator reads and changes nothing; possibly of some roles only. */
    VIEWER,
    /** Registers agents, finds agents, reads all of them, drains them; possibly of some roles only. */
    COORDINATOR,
    /** Everything. */
    ADMINISTRATOR;
}
