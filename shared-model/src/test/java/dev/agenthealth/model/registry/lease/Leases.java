package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Instant;

/** Leases for tests. */
public final class Leases {

    /** When every lease of these tests is granted. */
    public static final Instant T0 = Instant.parse("2026-02-08T10:00:00Z");

    /** When it expires. */
    public static final Instant EXPIRY = T0.plusSeconds(300);

    private Leases() {}

    /** A lease granted at {@link #T0} for 300 s. */
    public static Lease active() {
        return new Lease(
                "lease_1",
                "intent_1",
                "invoices",
                new Lease.Holder("agent_1", "billing", 3, new Owner("key_1", KeyHash.ofKey("key"))),
                4711,
                new Lease.Term(T0, EXPIRY),
                Lease.State.ACTIVE);
    }
}
