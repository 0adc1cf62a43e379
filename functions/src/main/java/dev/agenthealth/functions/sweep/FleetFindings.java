package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.workflows.PoolStore;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Everything that follows from the counts of the whole fleet: events of pools, and the acts of containment rules. Thread-safe. */
final class FleetFindings {

    private final PoolMonitor pools;
    private final ContainmentPass containment;

    FleetFindings(PoolMonitor pools, ContainmentPass containment) {
        this.pools = pools;
        this.containment = containment;
    }

    /** Returns the pools to count, as {@link PoolMonitor#begin}. */
    PoolStore.Watch begin() {
        return pools.begin();
    }

    /**
     * Publishes events for pools, and applies the containment rules. While the self-check fails, the counts are no measure. During mass silence, most
     * agents may fail for one reason, and no rule acts.
     *
     * @param watch the result of {@link #begin}
     * @return the number of pools that fell below their minimum
     */
    long end(
            PoolStore.Watch watch,
            FleetReading reading,
            SweepDecision decision,
            Instant now,
            BooleanSupplier timeLeft) {
        long fallen = decision.mayChangeStatus() ? pools.end(watch, reading.pools(), now, timeLeft) : 0;
        if (decision.mayContain()) {
            containment.run(reading, watch, now, timeLeft);
        }
        return fallen;
    }
}
