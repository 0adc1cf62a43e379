package dev.agenthealth.model.sweep;

import java.time.Instant;

/** Counts of whole fleets for tests. */
final class Fleets {

    private Fleets() {}

    /** So many active agents, so many of them silent; nobody is dying, and no heartbeat is known of. */
    static FleetCount silent(long active, long silent) {
        return new FleetCount(active, 0, 0, 0, silent, 0, Instant.MIN, 0);
    }

    /** One active agent's worth of a fleet: heartbeats a second, the freshest, and how many are dying. */
    static FleetCount beating(double beatsPerSecond, Instant freshest, long dying) {
        return new FleetCount(1, 0, 0, 0, 0, dying, freshest, beatsPerSecond);
    }
}
