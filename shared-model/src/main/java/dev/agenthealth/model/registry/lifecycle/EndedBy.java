package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The party that ended a registration of an agent. A client does not register an agent again that an operator ended. */
public enum EndedBy implements WireNamed {
    /** A coordinator or an administrator, by a deregistration or a drain. */
    OPERATOR,
    /** The key that owns the agent. */
    OWNER,
    /** The registry itself, as after a silence. */
    REGISTRY
}
