package dev.agenthealth.model.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Map;

/** Counts of whole fleets for tests. */
final class Fleets {

    private Fleets() {}

    /** A fleet of one agent. */
    static FleetCount count(Pulse pulse, Instant graceFrom, Instant now) {
        FleetCount.Tally tally = new FleetCount.Tally(graceFrom, now);
        tally.add(pulse);
        return tally.count();
    }

    /** A fleet of active agents of which some are silent, none is dying, and no heartbeat is known. */
    static FleetCount silent(long active, long silent) {
        return of(Map.of(
                FleetCounter.ACTIVE, active,
                FleetCounter.SILENT, silent,
                FleetCounter.ESTABLISHED, active,
                FleetCounter.ESTABLISHED_SILENT, silent));
    }

    /** A fleet of one active agent with this rate of heartbeats, freshest heartbeat and number of dying agents. */
    static FleetCount sending(double heartbeatsPerSecond, Instant freshest, long dying) {
        return new FleetCount(
                new Counts<>(Map.of(FleetCounter.ACTIVE, 1L, FleetCounter.DYING, dying)),
                freshest,
                heartbeatsPerSecond);
    }

    /** A fleet with these numbers of agents, and no heartbeat known. */
    static FleetCount of(Map<FleetCounter, Long> agents) {
        return new FleetCount(new Counts<>(agents), Instant.MIN, 0);
    }
}
