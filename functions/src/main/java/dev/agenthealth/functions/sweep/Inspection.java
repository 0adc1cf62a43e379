package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Which rows a pass looks for, and what it counts.
 *
 * @param graceFrom silence before this moment does not count, of agents that send heartbeats
 * @param watched judges the silence of watched agents
 * @param now the moment of the pass
 * @param markSince agents that took their status after this moment are marked; {@link #NO_MARKS} for none
 * @param daysAfter days of agents are stored that are due after this moment; {@link #NO_DAYS} for none
 * @param probesAfter agents are probed whose probes are due after this moment; {@link #NO_PROBES} for none
 * @param pools numbers of the roles whose active agents are counted
 * @param maxAhead how far times of rows may lie ahead
 * @param statistics whether the statistics of the fleet are counted
 */
record Inspection(
        Instant graceFrom,
        ProbeTimeoutRule watched,
        Instant now,
        Instant markSince,
        Instant daysAfter,
        Instant probesAfter,
        Set<Long> pools,
        Duration maxAhead,
        boolean statistics) {

    /** Later than any change of a status. */
    static final Instant NO_MARKS = Instant.MAX;

    /** Later than any pass. */
    static final Instant NO_DAYS = Instant.MAX;

    /** Later than any pass. */
    static final Instant NO_PROBES = Instant.MAX;

    /** Finds no row. */
    static final Inspection NOTHING = new Inspection(
            Instant.MAX,
            new ProbeTimeoutRule(Instant.MAX, false),
            Instant.MIN,
            NO_MARKS,
            NO_DAYS,
            NO_PROBES,
            Set.of(),
            ClockRule.MAX_PASS,
            false);

    Inspection {
        pools = Set.copyOf(pools);
    }

    /** An inspection that finds the same rows, without probes, pools and statistics. */
    Inspection ofDueRows() {
        return new Inspection(graceFrom, watched, now, markSince, daysAfter, NO_PROBES, Set.of(), maxAhead, false);
    }
}
