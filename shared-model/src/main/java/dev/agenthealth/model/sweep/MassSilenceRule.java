package dev.agenthealth.model.sweep;

/**
 * When so much of the fleet is silent that dying is slowed down: many agents rarely die at once, networks do.
 *
 * @param minimumAgents fleets with fewer monitored agents are never held to be silent as a mass; at least 1
 * @param silentPercent percentage of silent agents from which silence is a mass silence, 1 to 100
 * @param deathPercentPerMinute percentage of the fleet that may die in a minute meanwhile, 1 to 100
 */
public record MassSilenceRule(int minimumAgents, int silentPercent, int deathPercentPerMinute) {

    /** 50 agents, 55 %, 10 %. */
    public static final MassSilenceRule DEFAULT = new MassSilenceRule(50, 55, 10);

    /** Whether this fleet is silent as a mass. */
    public boolean isMassSilence(FleetCount fleet) {
        return fleet.monitored() >= minimumAgents
                && fleet.get(FleetCounter.SILENT) * 100 >= fleet.monitored() * silentPercent;
    }

    /** How many agents of this fleet may die in one minute of mass silence: at least one. */
    public long deathsPerMinute(FleetCount fleet) {
        return Math.max(1, fleet.monitored() * deathPercentPerMinute / 100);
    }
}
