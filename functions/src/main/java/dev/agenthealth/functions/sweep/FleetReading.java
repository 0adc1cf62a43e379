package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.census.Census;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.OwnerCounts;

/**
 * What the first half of a pass found.
 *
 * @param count the fleet in numbers
 * @param due rows that may need a write, canaries left behind included
 * @param pools active agents of the roles that were asked about
 * @param census how the fleet fares
 * @param owners the agents of each owner key
 */
record FleetReading(FleetCount count, long due, PoolCount pools, Census census, OwnerCounts owners) {

    static final FleetReading EMPTY =
            new FleetReading(FleetCount.EMPTY, 0, PoolCount.EMPTY, Census.EMPTY, OwnerCounts.EMPTY);

    FleetReading plus(FleetReading other) {
        return new FleetReading(
                count.plus(other.count),
                due + other.due,
                pools.plus(other.pools),
                census.plus(other.census),
                owners.plus(other.owners));
    }
}
