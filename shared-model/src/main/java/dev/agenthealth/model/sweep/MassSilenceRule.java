package dev.agenthealth.model.sweep;

/**
 * When so many agents are silent that marking them as dead is limited: a mass silence has more likely a cause in the network.
 *
 * @param minimumAgents smaller fleets never have a mass silence; at least 1
 * @param silentPercent percentage of silent agents that makes a mass silence, 1 to 100
 * @param deathPercentPerMinute percentage of the fleet that may be marked as dead per minute meanwhile, 1 to 100
 */
public record MassSilenceRule(int minimumAgents, int silentPercent, int deathPercentPerMinute) {

    /** 50 agents, 55 %, 10 %. */
    public static final MassSilenceRule DEFAULT = new MassSilenceRule(50, 55, 10);

    /** Whether this fleet has a mass silence. */
    public boolean isMassSilence(FleetCount fleet) {
        return fleet.monitored() >= minimumAgents
                && fleet.get(FleetCounter.SILENT) * 100 >= fleet.monitored() * silentPercent;
    }

    /** How many agents may be marked as dead per minute of mass silence; at least 1. */
    public long deathsPerMinute(FleetCount fleet) {
        return Math.max(1, fleet.monitored() * deathPercentPerMinute / 100);
    }
}
