package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** The ends that no request reports: of leases, blocks and activity while gone in every pass, and of keys once an hour. Thread-safe. */
final class Expiries {

    private final LeaseWork leases;
    private final Blocking blocking;
    private final Ghosts ghosts;
    private final KeyEnds keys;

    Expiries(LeaseWork leases, Blocking blocking, Ghosts ghosts, KeyEnds keys) {
        this.leases = leases;
        this.blocking = blocking;
        this.ghosts = ghosts;
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

    /** Publishes the ends of the activity of agents that are gone, superseded or blocked. */
    void ghosts(BooleanSupplier timeLeft) {
        ghosts.noteEnds(timeLeft);
    }

    /** Publishes an event for each key that ends soon. */
    void keys(Instant now, BooleanSupplier timeLeft) {
        keys.announce(now, timeLeft);
    }
}
