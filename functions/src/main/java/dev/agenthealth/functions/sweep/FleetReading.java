package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.sweep.FleetCount;

/**
 * What the first half of a pass found.
 *
 * @param count the fleet in numbers
 * @param due rows that may need a write, canaries left behind included
 */
record FleetReading(FleetCount count, long due) {

    static final FleetReading EMPTY = new FleetReading(FleetCount.EMPTY, 0);

    FleetReading plus(FleetReading other) {
        return new FleetReading(count.plus(other.count), due + other.due);
    }
}
