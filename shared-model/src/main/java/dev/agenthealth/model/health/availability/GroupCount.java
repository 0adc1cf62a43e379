package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.Statistic;

/**
 * The agents of a group, or of the fleet, in one minute, without agents that are gone.
 *
 * @param up the agents that are up
 * @param degraded the agents that are degraded
 * @param down the agents that are down
 */
public record GroupCount(long up, long degraded, long down) {

    /** Returns the count of a group by the verdicts on its agents. An agent with an unknown verdict does not count. */
    public static GroupCount byVerdict(AgentStatistics statistics) {
        return new GroupCount(
                statistics.get(Statistic.VERDICT_OK),
                statistics.get(Statistic.VERDICT_DEGRADED),
                statistics.get(Statistic.VERDICT_DOWN) + statistics.get(Statistic.VERDICT_BLOCKED));
    }

    /** Returns the count of a group by heartbeats alone: active and draining, unhealthy, and dead agents. */
    public static GroupCount byHeartbeats(AgentStatistics statistics) {
        return new GroupCount(
                statistics.get(Statistic.ACTIVE) + statistics.get(Statistic.DRAINING),
                statistics.get(Statistic.SILENT),
                statistics.dead());
    }

    /** Returns the state of the group. */
    public AvailabilityState state() {
        if (up + degraded + down == 0) {
            return AvailabilityState.NONE;
        }
        if (degraded + down == 0) {
            return AvailabilityState.UP;
        }
        return up + degraded == 0 ? AvailabilityState.DOWN : AvailabilityState.DEGRADED;
    }
}
