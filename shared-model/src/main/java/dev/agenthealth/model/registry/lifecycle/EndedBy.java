package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.WireNamed;

/** The party that ended a registration of an agent. A client does not register an agent again if an operator ended its registration. */
public enum EndedBy implements WireNamed {
    /** A coordinator or an administrator, by a deregistration or a drain. */
    OPERATOR,
    /** The key that owns the agent. */
    OWNER,
    /** The registry itself, for example after a heartbeat timeout. */
    REGISTRY
}
