package dev.agenthealth.functions.sweep;

import java.time.Instant;
import java.util.Set;

/**
 * How the rows of a pass are read.
 *
 * @param graceFrom silence before this moment does not count
 * @param now the moment of the pass
 * @param markSince agents that took their status after this moment are marked; {@link #NO_MARKS} for none
 * @param pools numbers of the roles whose active agents are counted
 * @param statistics whether the statistics of the fleet are counted
 */
record Inspection(Instant graceFrom, Instant now, Instant markSince, Set<Long> pools, boolean statistics) {

    /** Later than any change of a status. */
    static final Instant NO_MARKS = Instant.MAX;

    Inspection {
        pools = Set.copyOf(pools);
    }

    /** The same, to find the rows that are due, without counting pools and statistics. */
    Inspection ofDueRows() {
        return new Inspection(graceFrom, now, markSince, Set.of(), false);
    }
}
