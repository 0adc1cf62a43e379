package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.WireNamed;

/** The status of a lease. */
public enum LeaseStatus implements WireNamed {
    /** In force until it expires. */
    ACTIVE,
    /** Given back by its holder, or with its holder's deregistration. */
    RELEASED,
    /** Ran out, or its holder is dead. */
    EXPIRED,
    /** Taken away by a coordinator. */
    REVOKED;
}
