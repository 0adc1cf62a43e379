package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.WireNamed;

/** The status of a lease. */
public enum LeaseStatus implements WireNamed {
    /** The lease is in force until it expires. */
    ACTIVE,
    /** The holder released the lease or was deregistered. */
    RELEASED,
    /** The lease expired, or its holder is dead. */
    EXPIRED,
    /** A coordinator revoked the lease. */
    REVOKED;
}
