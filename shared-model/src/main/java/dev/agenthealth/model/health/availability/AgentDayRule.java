package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Decides when an agent's day is stored. Each agent has its own moment of the next day, so that the writes spread over that day. */
public final class AgentDayRule {

    private static final long MILLIS = AgentDay.SECONDS * 1_000;

    private AgentDayRule() {}

    /**
     * Returns the days that are due in {@code (after, upTo]} and on which the agent's state may have changed, in ascending order. The last such day
     * is the day on which the present status began. The health of a measured agent may change on every day.
     */
    public static List<Long> due(FleetRow row, Instant after, Instant upTo) {
        String agentId = row.pulse().agentId();
        return days(row, stored(agentId, after) + 1, stored(agentId, upTo));
    }

    /** Returns the days that are not yet due of an agent that is about to be archived, in ascending order. */
    public static List<Long> pending(FleetRow row, Instant now) {
        return days(row, stored(row.pulse().agentId(), now) + 1, AgentDay.at(now));
    }

    private static boolean isMeasured(FleetRow row) {
        return row.summary().measured() != HealthStatus.UNKNOWN
                || !row.summary().isInactive()
                || StallRule.isStalled(row.pulse())
                || row.pulse().runFailed();
    }

    private static List<Long> days(FleetRow row, long first, long last) {
        Pulse pulse = row.pulse();
        if (isMeasured(row)) {
            return LongStream.rangeClosed(first, last).boxed().toList();
        }
        long lastWithChange = AgentDay.at(pulse.statusSince());
        long firstWithChange = pulse.isAsFirstRegistered() ? lastWithChange : Long.MIN_VALUE;
        return LongStream.rangeClosed(Math.max(first, firstWithChange), Math.min(last, lastWithChange))
                .boxed()
                .toList();
    }

    /** Returns the agent's last day that is due by now. */
    private static long stored(String agentId, Instant now) {
        long offset = Math.floorMod(agentId.hashCode() * 2_654_435_761L, MILLIS);
        return Math.floorDiv(now.toEpochMilli() - offset, MILLIS) - 1;
    }
}
