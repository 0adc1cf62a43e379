package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.registry.usage.SharedUsages;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Everything that follows from the whole fleet: events of pools, limits that agents share, and the acts of containment rules. Thread-safe.
 */
final class FleetFindings {

    private final PoolMonitor pools;
    private final SharedLimits limits;
    private final ContainmentPass containment;

    FleetFindings(PoolMonitor pools, SharedLimits limits, ContainmentPass containment) {
        this.pools = pools;
        this.limits = limits;
        this.containment = containment;
    }

    /**
     * The declarations that a pass watches.
     *
     * @param watch the pools to count and the shared limits, as {@link PoolMonitor#begin} returns them
     * @param usages the shared limits that are nearly or wholly used
     */
    record Begun(PoolStore.Watch watch, SharedUsages usages) {}

    /** Reads the declarations, and judges the limits that agents share. Later, agents are judged by these limits. */
    Begun begin(Instant now) {
        PoolStore.Watch watch = pools.begin();
        return new Begun(watch, limits.judge(watch.limits(), now));
    }

    /**
     * Publishes events for pools, acts on agents whose shared limit is used up, and applies the containment rules. While the self-check fails, the counts are no measure. During mass silence, most
     * agents may fail for one reason, and no rule acts.
     *
     * @param begun the result of {@link #begin}
     * @return the number of pools that fell below their minimum
     */
    long end(Begun begun, FleetReading reading, SweepDecision decision, Instant now, BooleanSupplier timeLeft) {
        PoolStore.Watch watch = begun.watch();
        long fallen = decision.mayChangeStatus() ? pools.end(watch, reading.pools(), now, timeLeft) : 0;
        limits.act(watch.limits(), begun.usages(), now, timeLeft);
        if (decision.mayContain()) {
            containment.run(reading, watch, now, timeLeft);
        }
        return fallen;
    }
}
