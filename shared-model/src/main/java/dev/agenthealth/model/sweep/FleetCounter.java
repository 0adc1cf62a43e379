package dev.agenthealth.model.sweep;

import dev.agenthealth.model.WireNamed;

/** The numbers of agents that a sweep counts. */
public enum FleetCounter implements WireNamed {
    /** Monitored agents by lifecycle status. */
    ACTIVE,
    DRAINING,
    UNHEALTHY,
    /** Rows of dead and deregistered agents that are not archived yet. */
    GONE,
    /** Monitored agents silent beyond their unhealthy threshold. */
    SILENT,
    /** Monitored agents that are due to be marked as dead, for silence or at their drain's deadline; without those judged by probes. */
    DYING,
    /**
     * Monitored agents that have sent a heartbeat in this incarnation: the fleet in which a mass silence is looked for. Those judged by probes are left
     * out: they have {@link ProbeEvidence}.
     */
    ESTABLISHED,
    /** Those of them that are silent beyond their unhealthy threshold. */
    ESTABLISHED_SILENT,
    /** Monitored agents that sent a heartbeat within {@link FleetCount#HEARD_WITHIN}. */
    HEARD,
    /** Monitored agents that {@linkplain MassRestartRule#isRestart restarted} lately. */
    RESTARTED,
    /** Rows with times that a clock wrote which ran ahead, of agents in every status. */
    AHEAD;
}
