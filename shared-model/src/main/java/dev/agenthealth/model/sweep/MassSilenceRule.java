package dev.agenthealth.model.sweep;

import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;

/**
 * Decides when so many agents are silent that marking them as dead is limited: the cause of a mass silence is more likely in the network. Agents that have
 * not sent a heartbeat in this incarnation are left out: their silence says nothing about the network.
 *
 * @param minimumAgents smaller fleets never have a mass silence; at least 1
 * @param silentPercent percentage of silent agents that makes a mass silence, 1 to 100
 * @param deathPercentPerMinute percentage of the fleet that may be marked as dead per minute meanwhile, 1 to 100
 */
public record MassSilenceRule(int minimumAgents, int silentPercent, int deathPercentPerMinute) {

    /** 50 agents, 55 %, 10 %. */
    public static final MassSilenceRule DEFAULT = new MassSilenceRule(50, 55, 10);

    /** Returns whether this fleet has a mass silence. */
    public boolean isMassSilence(FleetCount fleet) {
        long agents = fleet.get(FleetCounter.ESTABLISHED);
        return agents >= minimumAgents && fleet.get(FleetCounter.ESTABLISHED_SILENT) * 100 >= agents * silentPercent;
    }

    /** Returns whether the death of this agent counts towards the limit: it has sent heartbeats in this incarnation and is silent now. */
    public static boolean isLimited(Pulse pulse, Instant graceFrom, Instant now) {
        return pulse.heartbeatCount() > 0 && HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now);
    }

    /** Maximum number of agents that are marked as dead per minute of mass silence; at least 1. */
    public long deathsPerMinute(FleetCount fleet) {
        return Math.max(1, fleet.get(FleetCounter.ESTABLISHED) * deathPercentPerMinute / 100);
    }
}
