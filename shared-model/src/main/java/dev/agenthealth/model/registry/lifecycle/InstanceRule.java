package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * Decides when a registration may take an id over from a process that runs elsewhere. Its {@code instance} says where a process runs, such as a
 * host or a pod.
 */
public final class InstanceRule {

    /** The instance of a process that names none. */
    public static final String UNKNOWN = "";

    /** The longest name of an instance, in characters. */
    public static final int MAX_LENGTH = 255;

    /** So many intervals without a heartbeat, and another instance takes over. */
    static final int SILENT_INTERVALS = 2;

    /** The time between two attempts is a sixth of the interval, within limits: the process before may deregister at any moment. */
    private static final int ATTEMPTS_IN_INTERVAL = 6;

    private static final Duration MIN_WAIT = Duration.ofSeconds(5);
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private InstanceRule() {}

    /**
     * Returns whether another process may be running: both name an instance, they differ, and the process is one that sends heartbeats at an interval.
     *
     * @param live a monitored agent
     */
    public static boolean mayRunElsewhere(Pulse live, String running, String registering) {
        return !running.equals(UNKNOWN)
                && !registering.equals(UNKNOWN)
                && !running.equals(registering)
                && live.config().isPeriodic();
    }

    /**
     * Returns whether only silence lets the registration take over: another process may be running, and the last sign of life was a heartbeat that it
     * sent itself. Where a schedule starts processes or others show that the agent lives, silence says nothing of a process.
     *
     * @param live a monitored agent
     */
    public static boolean needsSilence(Pulse live, String running, String registering) {
        return mayRunElsewhere(live, running, registering) && live.seenBy() == SeenBy.HEARTBEAT;
    }

    /**
     * Returns whether the process before has been silent for two intervals.
     *
     * @param schedule says at which intervals heartbeats are asked for
     * @param from silence before this moment does not count, as the registry could not receive heartbeats
     */
    public static boolean isSilent(Pulse live, HeartbeatSchedule schedule, Instant from, Instant now) {
        return left(live, schedule, from, now).isZero();
    }

    /** Returns the time after which another attempt to take over is worth its request. */
    public static Duration retryAfter(Pulse live, HeartbeatSchedule schedule, Instant from, Instant now) {
        Duration usual = schedule.interval(live).dividedBy(ATTEMPTS_IN_INTERVAL);
        return Collections.min(
                List.of(left(live, schedule, from, now), MAX_WAIT, Collections.max(List.of(usual, MIN_WAIT))));
    }

    private static Duration left(Pulse live, HeartbeatSchedule schedule, Instant from, Instant now) {
        Instant seenAt = live.lastHeartbeatAt().isAfter(from) ? live.lastHeartbeatAt() : from;
        Duration left =
                Duration.between(now, seenAt.plus(schedule.interval(live).multipliedBy(SILENT_INTERVALS)));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
