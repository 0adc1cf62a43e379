package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.WireNamed;

/** Why a lease is no longer in force. */
public enum LeaseReason implements WireNamed {
    /** It is in force, or was given back by its holder. */
    NONE,
    /** Its time ran out. */
    TIMEOUT,
    /** Its holder is dead (RFC-0016 §9.1). */
    AGENT_DEAD,
    /** Its holder was without progress for longer than it declares. */
    AGENT_STALLED,
    /** Its holder was deregistered. */
    AGENT_DEREGISTERED,
    /** Its holder was replaced by a later registration of the agent. */
    AGENT_RESTARTED,
    /** A coordinator took it away. */
    REVOKED;
}
