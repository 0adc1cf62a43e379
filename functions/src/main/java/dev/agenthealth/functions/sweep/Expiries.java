package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * The changes that no request reports and that need no row of an agent: ends of leases, blocks and activity while gone, and failing providers of
 * models in every pass, and ends of keys once an hour. Thread-safe.
 */
final class Expiries {

    private final LeaseWork leases;
    private final Blocking blocking;
    private final Ghosts ghosts;
    private final KeyEnds keys;
    private final UpstreamMonitor upstreams;

    Expiries(LeaseWork leases, Blocking blocking, Ghosts ghosts, KeyEnds keys, UpstreamMonitor upstreams) {
        this.leases = leases;
        this.blocking = blocking;
        this.ghosts = ghosts;
        this.keys = keys;
        this.upstreams = upstreams;
    }

    /**
     * Publishes beginnings and ends of problems of model providers.
     *
     * @param heardFrom the moment from which the registry hears of calls again, after a time in which it was down
     */
    void upstreams(Instant heardFrom, Instant now) {
        upstreams.decide(heardFrom, now);
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

    /** Publishes the ends of the activity of agents that are gone, superseded, blocked or stopped. */
    void ghosts(BooleanSupplier timeLeft) {
        ghosts.noteEnds(timeLeft);
    }

    /** Publishes an event for each key that ends soon. */
    void keys(Instant now, BooleanSupplier timeLeft) {
        keys.announce(now, timeLeft);
    }
}
