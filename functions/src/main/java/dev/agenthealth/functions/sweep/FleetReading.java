package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.OwnerCounts;

/**
 * The counts of a pass.
 *
 * @param count the numbers of agents
 * @param due the number of rows that may need a write, including canaries that a self-check left behind
 * @param pools the active agents of the requested roles
 * @param statistics the statistics of the fleet
 * @param owners the agents of each owner key
 * @param candidates the agents for which a reason of a containment rule holds
 */
record FleetReading(
        FleetCount count,
        long due,
        PoolCount pools,
        FleetStatistics statistics,
        OwnerCounts owners,
        ContainmentCandidates candidates) {

    static final FleetReading EMPTY = new FleetReading(
            FleetCount.EMPTY, 0, PoolCount.EMPTY, FleetStatistics.EMPTY, OwnerCounts.EMPTY, ContainmentCandidates.NONE);

    FleetReading plus(FleetReading other) {
        return new FleetReading(
                count.plus(other.count),
                due + other.due,
                pools.plus(other.pools),
                statistics.plus(other.statistics),
                owners.plus(other.owners),
                candidates.plus(other.candidates));
    }
}
