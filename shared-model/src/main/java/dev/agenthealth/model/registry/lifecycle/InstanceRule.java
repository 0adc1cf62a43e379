package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * Decides when a registration may take over an id from a process that runs elsewhere. The {@code instance} of a registration says where the process
 * runs, such as a host or a pod.
 */
public final class InstanceRule {

    /** The instance of a process that does not name one. */
    public static final String UNKNOWN = "";

    /** The maximum length of an instance, in characters. */
    public static final int MAX_LENGTH = 255;

    /** The number of intervals without a heartbeat after which another instance may take over. */
    static final int SILENT_INTERVALS = 2;

    /** The number of attempts per interval, within limits. The previous process may deregister at any moment. */
    private static final int ATTEMPTS_IN_INTERVAL = 6;

    private static final Duration MIN_WAIT = Duration.ofSeconds(5);
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private InstanceRule() {}

    /**
     * Returns whether another process may be running: both name an instance, the instances differ, and the process sends heartbeats at an interval.
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
     * Returns whether the registration has to wait until heartbeats are missing: another process may be running, and its own heartbeat was the last
     * sign of life. Missing heartbeats say nothing about a process that a schedule starts, or that is seen by other signs of life.
     *
     * @param live a monitored agent
     */
    public static boolean needsSilence(Pulse live, String running, String registering) {
        return mayRunElsewhere(live, running, registering) && live.seenBy() == SeenBy.HEARTBEAT;
    }

    /**
     * Returns whether the previous process has sent no heartbeats for two intervals.
     *
     * @param schedule the schedule of heartbeats that decides the interval
     * @param from the moment from which missing heartbeats count; before it, the registry could not receive heartbeats
     */
    public static boolean isSilent(Pulse live, HeartbeatSchedule schedule, Instant from, Instant now) {
        return left(live, schedule, from, now).isZero();
    }

    /** Returns the time after which another attempt to take over makes sense. */
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
