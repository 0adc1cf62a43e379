package dev.agenthealth.functions.sweep;

import java.time.Instant;
import java.util.Set;

/**
 * By what the rows of a pass are read and judged.
 *
 * @param amnestyFrom silence before this moment does not count
 * @param now the moment by which everything in the pass is judged
 * @param markSince agents that took their status after this moment are marked; {@link #NOBODY} for none
 * @param pools numbers of the roles whose active agents are counted
 */
record Inspection(Instant amnestyFrom, Instant now, Instant markSince, Set<Long> pools) {

    /** No agent took its status after this moment. */
    static final Instant NOBODY = Instant.MAX;

    Inspection {
        pools = Set.copyOf(pools);
    }

    /** The same where nothing is to be counted. */
    Inspection withoutPools() {
        return new Inspection(amnestyFrom, now, markSince, Set.of());
    }
}
