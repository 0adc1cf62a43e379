package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a watched agent is probed: once per interval, at an offset that spreads the agents over the interval. The schedule stores nothing,
 * so that a failed probe costs no write.
 */
public final class ProbeSchedule {

    /** The minimum interval between probes of a dead agent. */
    public static final Duration MIN_INTERVAL_OF_DEAD = Duration.ofMinutes(5);

    private ProbeSchedule() {}

    /**
     * Returns whether an agent is probed at all. It must be watched and not {@linkplain DownRule gone}; a dead agent is probed because it may
     * recover. An agent that is probed only before its death is probed while it is unhealthy, at least every minute.
     *
     * @param watchSeconds the time between two probes, or {@link Watch#NOT_WATCHED}
     */
    public static boolean isProbed(Pulse pulse, int watchSeconds, Instant now) {
        if (pulse.config().lifeSigns().confirmsDeath()) {
            return pulse.status() == LifecycleStatus.UNHEALTHY;
        }
        return watchSeconds != Watch.NOT_WATCHED && !DownRule.isOver(pulse, now);
    }

    /** Returns whether an agent is probed, and its next probe is due at a moment in {@code (after, upTo]}. */
    public static boolean isDue(Pulse pulse, int watchSeconds, Instant after, Instant upTo) {
        return isProbed(pulse, watchSeconds, upTo)
                && isDue(pulse.agentId(), interval(pulse, watchSeconds), after, upTo);
    }

    private static int interval(Pulse pulse, int watchSeconds) {
        if (pulse.config().lifeSigns().confirmsDeath()) {
            // The death may be due within minutes. An answer proves nothing for longer than that, at any interval of
            // the watch.
            int seconds = Watch.BEFORE_DEATH.intervalSeconds();
            return watchSeconds == Watch.NOT_WATCHED ? seconds : Math.min(watchSeconds, seconds);
        }
        return pulse.status() == LifecycleStatus.DEAD
                ? Math.max(watchSeconds, (int) MIN_INTERVAL_OF_DEAD.toSeconds())
                : watchSeconds;
    }

    /**
     * Returns whether a probe is due at a moment in {@code (after, upTo]}. If passes follow one another, each agent is due once per interval. After
     * a longer pause, it is due once.
     *
     * @param intervalSeconds the interval, from 1
     */
    public static boolean isDue(String agentId, int intervalSeconds, Instant after, Instant upTo) {
        long interval = intervalSeconds * 1_000L;
        long offset = Math.floorMod(agentId.hashCode() * 2_654_435_761L, interval);
        return upTo.isAfter(after)
                && Math.floorDiv(upTo.toEpochMilli() - offset, interval)
                        > Math.floorDiv(after.toEpochMilli() - offset, interval);
    }
}
