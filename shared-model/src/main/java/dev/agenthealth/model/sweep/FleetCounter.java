package dev.agenthealth.model.sweep;

import dev.agenthealth.model.WireNamed;

/** The counters of a sweep over agents. */
public enum FleetCounter implements WireNamed {
    /** The first of the numbers of monitored agents by lifecycle status. */
    ACTIVE,
    DRAINING,
    UNHEALTHY,
    /** The number of rows of dead and deregistered agents that are not archived yet. */
    GONE,
    /** The number of monitored agents without heartbeat for longer than their unhealthy threshold. */
    SILENT,
    /**
     * The number of monitored agents that are due to be marked as dead, because of missing heartbeats or the deadline of a drain. Agents that probes
     * judge are left out.
     */
    DYING,
    /**
     * The number of monitored agents that sent a heartbeat in this incarnation. Only these agents count for a mass silence. Agents that
     * probes judge are left out, as they have {@link ProbeEvidence}.
     */
    ESTABLISHED,
    /** The number of established agents without heartbeat for longer than their unhealthy threshold. */
    ESTABLISHED_SILENT,
    /** The number of monitored agents that sent a heartbeat within {@link FleetCount#HEARD_WITHIN}. */
    HEARD,
    /** The number of monitored agents that {@linkplain MassRestartRule#isRestart restarted} lately. */
    RESTARTED,
    /** The number of rows with times that a clock wrote that ran ahead, in every status. */
    AHEAD;
}
