package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;

/** The subject whose usage a limit counts. */
public enum LimitScope implements WireNamed {
    /** The limit holds for each agent alone. */
    AGENT,
    /** All agents of a role share the limit. */
    ROLE,
    /** All agents of an owner share the limit. */
    OWNER
}
