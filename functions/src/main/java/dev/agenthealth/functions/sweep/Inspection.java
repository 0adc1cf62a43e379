package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The rows that a pass looks for, and the numbers that it counts.
 *
 * @param graceFrom the time from which missing heartbeats count, for agents that send heartbeats
 * @param watched the timeout rules for watched agents
 * @param now the time of the pass
 * @param after the times after which work is due
 * @param pools the numbers of the roles whose active agents are counted
 * @param maxAhead how far times of rows may lie in the future
 * @param statistics whether to count the statistics of the fleet
 */
record Inspection(
        Instant graceFrom,
        ProbeTimeoutRules watched,
        Instant now,
        After after,
        Set<Long> pools,
        Duration maxAhead,
        boolean statistics) {

    /**
     * The times after which work is due. An earlier pass did the work of earlier times.
     *
     * @param marks the sweep marks agents whose status changed after this time; {@link #NO_MARKS} for no agents
     * @param days the sweep stores days that are due after this time; {@link #NO_DAYS} for no days
     * @param probes the sweep sends probes that are due after this time; {@link #NO_PROBES} for no probes
     * @param waits the time for which an agent's wait for a person is not published
     */
    record After(Instant marks, Instant days, Instant probes, Duration waits) {

        /** Returns these times for a pass that reads only due rows. */
        private After ofDueRows() {
            return new After(marks, days, NO_PROBES, waits);
        }
    }

    /** Later than every change of a status. */
    static final Instant NO_MARKS = Instant.MAX;

    /** Later than every pass. */
    static final Instant NO_DAYS = Instant.MAX;

    /** Later than every pass. */
    static final Instant NO_PROBES = Instant.MAX;

    /** An inspection that finds no row. */
    static final Inspection NOTHING = new Inspection(
            Instant.MAX,
            ProbeTimeoutRules.ofAll(new ProbeTimeoutRule(Instant.MAX, false)),
            Instant.MIN,
            new After(NO_MARKS, NO_DAYS, NO_PROBES, Duration.ZERO),
            Set.of(),
            ClockRule.MAX_PASS,
            false);

    Inspection {
        pools = Set.copyOf(pools);
    }

    /** Returns an inspection that finds the same rows, without probes, pools and statistics. */
    Inspection ofDueRows() {
        return new Inspection(graceFrom, watched, now, after.ofDueRows(), Set.of(), maxAhead, false);
    }
}
