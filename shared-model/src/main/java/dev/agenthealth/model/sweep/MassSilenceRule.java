package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;

/**
 * Decides when a mass silence limits deaths. If heartbeats of many agents are missing at once, the cause is more likely the network than the agents.
 * Agents without a heartbeat in this incarnation do not count, as their missing heartbeats say nothing about the network.
 *
 * @param minimumAgents the minimum size of a fleet with a mass silence; at least 1
 * @param silentPercent the percentage of agents with missing heartbeats that makes a mass silence, 1 to 100
 * @param deathPercentPerMinute the percentage of the fleet that may be marked as dead per minute during a mass silence, 1 to 100
 */
public record MassSilenceRule(int minimumAgents, int silentPercent, int deathPercentPerMinute) {

    /** The default: 50 agents, 55 %, 10 %. */
    public static final MassSilenceRule DEFAULT = new MassSilenceRule(50, 55, 10);

    /** Returns whether this fleet has a mass silence. */
    public boolean isMassSilence(FleetCount fleet) {
        long agents = fleet.get(FleetCounter.ESTABLISHED);
        return agents >= minimumAgents && fleet.get(FleetCounter.ESTABLISHED_SILENT) * 100 >= agents * silentPercent;
    }

    /**
     * Returns whether the death of this agent counts towards the limit: it sent heartbeats in this incarnation and its heartbeats are missing now.
     */
    public static boolean isLimited(Pulse pulse, Instant graceFrom, Instant now) {
        return pulse.heartbeatCount() > 0 && HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now);
    }

    /** Returns the maximum number of agents that are marked as dead per minute of mass silence; at least 1. */
    public long deathsPerMinute(FleetCount fleet) {
        return Math.max(1, fleet.get(FleetCounter.ESTABLISHED) * deathPercentPerMinute / 100);
    }
}
