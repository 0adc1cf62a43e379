package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.Statistic;

/**
 * The agents of a group, or of the fleet, in one minute, without deregistered agents.
 *
 * @param up active and draining agents
 * @param others unhealthy and dead agents
 */
public record GroupCount(long up, long others) {

    /** Returns the count of a group. */
    public static GroupCount of(AgentStatistics statistics) {
        return new GroupCount(
                statistics.get(Statistic.ACTIVE) + statistics.get(Statistic.DRAINING),
                statistics.get(Statistic.SILENT) + statistics.dead());
    }

    /** Returns the state of the group. */
    public AvailabilityState state() {
        if (up + others == 0) {
            return AvailabilityState.NONE;
        }
        if (others == 0) {
            return AvailabilityState.UP;
        }
        return up == 0 ? AvailabilityState.DOWN : AvailabilityState.DEGRADED;
    }
}
