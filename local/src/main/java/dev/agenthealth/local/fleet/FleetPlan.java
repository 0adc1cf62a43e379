package dev.agenthealth.local.fleet;

import java.time.Duration;

/**
 * The size and the pace of a simulated fleet.
 *
 * @param agents how many
 * @param intervalSeconds between two heartbeats of an agent, at least 1
 * @param unhealthyAfterSeconds at least twice that
 * @param deadAfterSeconds at least twice that again
 * @param graceSeconds how much longer than a threshold an agent stays silent, so that a sweep has seen it: more than two ticks
 */
public record FleetPlan(
        int agents, int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds, int graceSeconds) {

    /** 200 agents that live fast enough to be watched, against a system that sweeps every 5 seconds. */
    public static final FleetPlan DEFAULT = new FleetPlan(200, 2, 6, 30, 12);

    /** So many intervals an agent beats before it pauses, crashes or drains. */
    private static final int BEATS_BEFORE = 4;

    public Duration interval() {
        return Duration.ofSeconds(intervalSeconds);
    }

    Duration workingTime() {
        return interval().multipliedBy(BEATS_BEFORE);
    }

    /** Silence by which an agent becomes unhealthy and does not die. */
    Duration pause() {
        return Duration.ofSeconds(Math.min(unhealthyAfterSeconds + graceSeconds, deadAfterSeconds - 1L));
    }

    /** Silence of which an agent dies. */
    Duration crash() {
        return Duration.ofSeconds((long) deadAfterSeconds + graceSeconds);
    }

    /** How long the slowest behaviour takes to show once completely, and a little more. */
    public Duration wholeStory() {
        return workingTime().plus(crash()).plus(interval().multipliedBy(4L)).plusSeconds(graceSeconds);
    }
}
