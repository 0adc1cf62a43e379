package dev.agenthealth.model.lease;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;

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

    /** The status with this wire name; empty where there is none. */
    public static Optional<LeaseStatus> ofWireName(String wireName) {
        return WireNamed.find(LeaseStatus.class, wireName);
    }
}
