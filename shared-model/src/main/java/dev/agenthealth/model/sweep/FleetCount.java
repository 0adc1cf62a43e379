package dev.agenthealth.model.sweep;

import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.SilenceRule;
import java.time.Duration;
import java.time.Instant;

/**
 * What one reading of the whole fleet, or of a part of it, amounts to. Parts add up with {@link #plus}.
 *
 * @param active agents by lifecycle status
 * @param draining likewise
 * @param unhealthy likewise
 * @param gone rows of dead and deregistered agents not yet moved to their tombstones
 * @param silent monitored agents silent beyond their unhealthy threshold
 * @param dying monitored agents that would die now, of silence or at their drain's deadline
 * @param freshest the newest heartbeat of all; {@link Instant#MIN} where there is none
 * @param beatsPerSecond heartbeats a second that the monitored agents promised together
 */
public record FleetCount(
        long active,
        long draining,
        long unhealthy,
        long gone,
        long silent,
        long dying,
        Instant freshest,
        double beatsPerSecond) {

    /** No agents at all. */
    public static final FleetCount EMPTY = new FleetCount(0, 0, 0, 0, 0, 0, Instant.MIN, 0);

    /** The count of one agent. */
    public static FleetCount of(Pulse pulse, Instant amnestyFrom, Instant now) {
        LifecycleStatus status = pulse.status();
        if (!status.isMonitored()) {
            return new FleetCount(0, 0, 0, 1, 0, 0, Instant.MIN, 0);
        }
        return new FleetCount(
                status == LifecycleStatus.ACTIVE ? 1 : 0,
                status == LifecycleStatus.DRAINING ? 1 : 0,
                status == LifecycleStatus.UNHEALTHY ? 1 : 0,
                0,
                SilenceRule.isSilent(pulse, amnestyFrom, now) ? 1 : 0,
                isDying(pulse, amnestyFrom, now) ? 1 : 0,
                pulse.lastHeartbeatAt(),
                1.0 / pulse.config().intervalSeconds());
    }

    private static boolean isDying(Pulse pulse, Instant amnestyFrom, Instant now) {
        return SilenceRule.isDying(pulse, amnestyFrom, now)
                || DrainRule.end(pulse, now)
                        .filter(end -> end.after().status() == LifecycleStatus.DEAD)
                        .isPresent();
    }

    /** The count of both parts together. */
    public FleetCount plus(FleetCount other) {
        return new FleetCount(
                active + other.active,
                draining + other.draining,
                unhealthy + other.unhealthy,
                gone + other.gone,
                silent + other.silent,
                dying + other.dying,
                freshest.isAfter(other.freshest) ? freshest : other.freshest,
                beatsPerSecond + other.beatsPerSecond);
    }

    /** Agents whose silence is watched. */
    public long monitored() {
        return active + draining + unhealthy;
    }

    /** Heartbeats that should have come since the freshest one; 0 where there was none. */
    public double beatsExpectedSinceFreshest(Instant now) {
        if (freshest.equals(Instant.MIN) || !now.isAfter(freshest)) {
            return 0;
        }
        return beatsPerSecond * (Duration.between(freshest, now).toMillis() / 1000.0);
    }
}
