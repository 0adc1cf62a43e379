package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.health.trust.Blocking;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** The ends that no request reports: of leases and blocks in every pass, and of keys once an hour. Thread-safe. */
final class Expiries {

    private final LeaseWork leases;
    private final Blocking blocking;
    private final KeyEnds keys;

    Expiries(LeaseWork leases, Blocking blocking, KeyEnds keys) {
        this.leases = leases;
        this.blocking = blocking;
        this.keys = keys;
    }

    /**
     * Marks expired leases.
     *
     * @return the number of leases that were marked
     */
    long leases(Instant now, BooleanSupplier timeLeft) {
        return leases.run(now, timeLeft);
    }

    /** Notes the ends of blocks. */
    void blocks(BooleanSupplier timeLeft) {
        blocking.noteEnds(timeLeft);
    }

    /** Publishes an event for each key that ends soon. */
    void keys(Instant now, BooleanSupplier timeLeft) {
        keys.announce(now, timeLeft);
    }
}
