package dev.agenthealth.model.identity;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

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

    /** The role with this wire name; empty where there is none. */
    public static Optional<Role> ofWireName(String wireName) {
        return WireNamed.find(Role.class, wireName);
    }
}
