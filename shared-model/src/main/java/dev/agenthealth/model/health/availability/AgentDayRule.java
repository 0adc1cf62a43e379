package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Decides when the day of an agent is stored: on the day after it, at a moment that spreads the agents over that day. */
public final class AgentDayRule {

    private static final long MILLIS = AgentDay.SECONDS * 1_000;

    private AgentDayRule() {}

    /**
     * The days that are due in {@code (after, upTo]} and on which the agent may have changed its state, in ascending order: none before the day in
     * which the present status began, as that day is the last one with a change.
     *
     * @param pulse the agent
     */
    public static List<Long> due(Pulse pulse, Instant after, Instant upTo) {
        return days(pulse, stored(pulse.agentId(), after) + 1, stored(pulse.agentId(), upTo));
    }

    /** The days of an agent that is archived now which are not due yet, in ascending order. */
    public static List<Long> pending(Pulse pulse, Instant now) {
        return days(pulse, stored(pulse.agentId(), now) + 1, AgentDay.at(now));
    }

    private static List<Long> days(Pulse pulse, long first, long last) {
        long lastWithChange = AgentDay.at(pulse.statusSince());
        long firstWithChange = pulse.isAsFirstRegistered() ? lastWithChange : Long.MIN_VALUE;
        return LongStream.rangeClosed(Math.max(first, firstWithChange), Math.min(last, lastWithChange))
                .boxed()
                .toList();
    }

    /** The last day of an agent that is due by now. */
    private static long stored(String agentId, Instant now) {
        long offset = Math.floorMod(agentId.hashCode() * 2_654_435_761L, MILLIS);
        return Math.floorDiv(now.toEpochMilli() - offset, MILLIS) - 1;
    }
}
