package dev.agenthealth.model.sweep;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * The count of the whole fleet, or of a part of it. Parts add up with {@link #plus}.
 *
 * @param agents the numbers of agents
 * @param freshest the newest heartbeat of all monitored agents; {@link Instant#MIN} without any
 * @param heartbeatsPerSecond the heartbeats per second that all monitored agents declare together
 */
public record FleetCount(Counts<FleetCounter> agents, Instant freshest, double heartbeatsPerSecond) {

    /** The maximum age of the last heartbeat for {@link FleetCounter#HEARD}. */
    public static final Duration HEARD_WITHIN = Duration.ofMinutes(1);

    /** The count of no agents. */
    public static final FleetCount EMPTY = new FleetCount(Counts.none(), Instant.MIN, 0);

    /** Returns whether the agent is due to be marked as dead, because of missing heartbeats or the deadline of its drain. */
    static boolean isDying(Pulse pulse, Instant graceFrom, Instant now) {
        return HeartbeatTimeoutRule.isDying(pulse, graceFrom, now) || DrainRule.isTimeOver(pulse, graceFrom, now);
    }

    /** Returns the count of both parts together. */
    public FleetCount plus(FleetCount other) {
        return new FleetCount(
                agents.plus(other.agents),
                freshest.isAfter(other.freshest) ? freshest : other.freshest,
                heartbeatsPerSecond + other.heartbeatsPerSecond);
    }

    /** Returns the value of a counter. */
    public long get(FleetCounter counter) {
        return agents.get(counter);
    }

    /** Returns the number of monitored agents. */
    public long monitored() {
        return get(FleetCounter.ACTIVE) + get(FleetCounter.DRAINING) + get(FleetCounter.UNHEALTHY);
    }

    /** Returns the number of heartbeats expected since the freshest one; 0 without a freshest one. */
    public double heartbeatsExpectedSinceFreshest(Instant now) {
        if (freshest.equals(Instant.MIN) || !now.isAfter(freshest)) {
            return 0;
        }
        return heartbeatsPerSecond * (Duration.between(freshest, now).toMillis() / 1000.0);
    }

    /** Counts agents one after the other. Not thread-safe. */
    public static final class Tally {

        private final Instant graceFrom;
        private final Instant now;
        private final Counts.Tally<FleetCounter> agents = new Counts.Tally<>(FleetCounter.class);
        private Instant freshest = Instant.MIN;
        private double heartbeatsPerSecond;

        /** @param graceFrom the moment from which missing heartbeats count */
        public Tally(Instant graceFrom, Instant now) {
            this.graceFrom = graceFrom;
            this.now = now;
        }

        /**
         * Counts one agent that probes judge. It does not show whether heartbeats arrive.
         *
         * @param watchedFrom the moment from which missing answers of the agent count
         */
        public void addWatched(Pulse pulse, Instant watchedFrom) {
            if (isMonitored(pulse)) {
                if (HeartbeatTimeoutRule.isSilent(pulse, watchedFrom, now)) {
                    agents.add(FleetCounter.SILENT, 1);
                }
                if (pulse.heartbeatCount() > 0) {
                    addHeard(pulse);
                }
            }
        }

        /** Counts one agent. */
        public void add(Pulse pulse) {
            if (!isMonitored(pulse)) {
                return;
            }
            if (MassRestartRule.isRestart(pulse, now)) {
                agents.add(FleetCounter.RESTARTED, 1);
            }
            boolean silent = HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now);
            if (silent) {
                agents.add(FleetCounter.SILENT, 1);
            }
            if (pulse.heartbeatCount() > 0 && pulse.config().expectsSigns()) {
                agents.add(FleetCounter.ESTABLISHED, 1);
                if (silent) {
                    agents.add(FleetCounter.ESTABLISHED_SILENT, 1);
                }
                addHeard(pulse);
            }
            if (isDying(pulse, graceFrom, now)) {
                agents.add(FleetCounter.DYING, 1);
            }
            if (pulse.lastHeartbeatAt().isAfter(freshest)) {
                freshest = pulse.lastHeartbeatAt();
            }
            if (pulse.config().isPeriodic()) {
                heartbeatsPerSecond += 1.0 / pulse.config().intervalSeconds();
            }
        }

        private boolean isMonitored(Pulse pulse) {
            boolean monitored = pulse.status().isMonitored();
            agents.add(monitored ? FleetCounter.valueOf(pulse.status().name()) : FleetCounter.GONE, 1);
            return monitored;
        }

        private void addHeard(Pulse pulse) {
            if (!pulse.lastHeartbeatAt().isBefore(now.minus(HEARD_WITHIN))) {
                agents.add(FleetCounter.HEARD, 1);
            }
        }

        /** Counts a row with times in the future. */
        public void addAhead() {
            agents.add(FleetCounter.AHEAD, 1);
        }

        /** Returns the count of all added agents. */
        public FleetCount count() {
            return new FleetCount(agents.counts(), freshest, heartbeatsPerSecond);
        }
    }
}
