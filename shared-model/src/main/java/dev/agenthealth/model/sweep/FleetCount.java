package dev.agenthealth.model.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.SilenceRule;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * The count of the whole fleet, or of a part of it. Parts add up with {@link #plus}.
 *
 * @param agents the numbers of agents
 * @param freshest the newest heartbeat of all monitored agents; {@link Instant#MIN} where there are none
 * @param heartbeatsPerSecond heartbeats per second that the monitored agents promised together
 */
public record FleetCount(Counts<FleetCounter> agents, Instant freshest, double heartbeatsPerSecond) {

    /** How long ago the last heartbeat of an agent may be that counts as {@link FleetCounter#HEARD}. */
    public static final Duration HEARD_WITHIN = Duration.ofMinutes(1);

    /** The count of no agents. */
    public static final FleetCount EMPTY = new FleetCount(Counts.none(), Instant.MIN, 0);

    /** The count of one agent. */
    public static FleetCount of(Pulse pulse, Instant graceFrom, Instant now) {
        if (!pulse.status().isMonitored()) {
            return new FleetCount(Counts.of(FleetCounter.GONE, 1), Instant.MIN, 0);
        }
        Map<FleetCounter, Long> agents = new EnumMap<>(FleetCounter.class);
        agents.put(FleetCounter.valueOf(pulse.status().name()), 1L);
        boolean silent = SilenceRule.isSilent(pulse, graceFrom, now);
        if (silent) {
            agents.put(FleetCounter.SILENT, 1L);
        }
        if (pulse.heartbeatCount() > 0) {
            agents.put(FleetCounter.ESTABLISHED, 1L);
            if (silent) {
                agents.put(FleetCounter.ESTABLISHED_SILENT, 1L);
            }
            if (!pulse.lastHeartbeatAt().isBefore(now.minus(HEARD_WITHIN))) {
                agents.put(FleetCounter.HEARD, 1L);
            }
        }
        if (isDying(pulse, graceFrom, now)) {
            agents.put(FleetCounter.DYING, 1L);
        }
        return new FleetCount(
                new Counts<>(agents),
                pulse.lastHeartbeatAt(),
                1.0 / pulse.config().intervalSeconds());
    }

    /** Whether the agent is due to be marked as dead, for silence or at its drain's deadline. */
    static boolean isDying(Pulse pulse, Instant graceFrom, Instant now) {
        return SilenceRule.isDying(pulse, graceFrom, now) || DrainRule.isTimeOver(pulse, graceFrom, now);
    }

    /** The count of both parts together. */
    public FleetCount plus(FleetCount other) {
        return new FleetCount(
                agents.plus(other.agents),
                freshest.isAfter(other.freshest) ? freshest : other.freshest,
                heartbeatsPerSecond + other.heartbeatsPerSecond);
    }

    /** The number of a counter. */
    public long get(FleetCounter counter) {
        return agents.get(counter);
    }

    /** Agents whose silence is watched. */
    public long monitored() {
        return get(FleetCounter.ACTIVE) + get(FleetCounter.DRAINING) + get(FleetCounter.UNHEALTHY);
    }

    /** Heartbeats expected since the freshest one; 0 without a freshest one. */
    public double heartbeatsExpectedSinceFreshest(Instant now) {
        if (freshest.equals(Instant.MIN) || !now.isAfter(freshest)) {
            return 0;
        }
        return heartbeatsPerSecond * (Duration.between(freshest, now).toMillis() / 1000.0);
    }
}
