package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.WireNamed;

/** The reason for the end of a lease. */
public enum LeaseReason implements WireNamed {
    /** The lease is in force, or its holder released it. */
    NONE,
    /** The lease expired. */
    TIMEOUT,
    /** The holder is dead (RFC-0016 §9.1). */
    AGENT_DEAD,
    /** The holder was without progress for longer than it declares. */
    AGENT_STALLED,
    /** The holder repeated the same calls at least as often as it declares. */
    AGENT_LOOPING,
    /** The holder was deregistered. */
    AGENT_DEREGISTERED,
    /** A later registration replaced the holder. */
    AGENT_RESTARTED,
    /** A coordinator revoked the lease. */
    REVOKED;
}
