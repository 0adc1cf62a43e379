package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when an agent is asked to send its next heartbeat. Intervals can be longer than declared if the operator wants that. Heartbeats are
 * spread over the interval, so that agents that start together do not send together.
 *
 * <p>Each sender has a slot within the interval, which follows from its id alone. The wait ends at the slot that is nearest to one interval from
 * now. It is at most half of {@code unhealthy_after_seconds}, so that one lost heartbeat makes no agent unhealthy.
 *
 * @param stretchPercent the interval in percent of the declared interval; {@link #MIN_STRETCH_PERCENT} to {@link #MAX_STRETCH_PERCENT}
 */
public record HeartbeatSchedule(int stretchPercent) {

    /** The stretch that keeps declared intervals. */
    public static final int MIN_STRETCH_PERCENT = 100;

    public static final int MAX_STRETCH_PERCENT = 1_000;

    /** The schedule with declared intervals. */
    public static final HeartbeatSchedule AS_DECLARED = new HeartbeatSchedule(MIN_STRETCH_PERCENT);

    private static final int MILLIS = 1_000;

    /** The part of an interval by which a sender may be too early. It then keeps its wait if only a shorter wait could move it to its slot. */
    private static final int TOLERANCE = 10;

    /** An odd number whose product spreads similar hash codes over all 64 bits: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final int SPREAD_BITS = 31;

    public HeartbeatSchedule {
        if (stretchPercent < MIN_STRETCH_PERCENT || stretchPercent > MAX_STRETCH_PERCENT) {
            throw new IllegalArgumentException("the stretch of heartbeat intervals must be from " + MIN_STRETCH_PERCENT
                    + " to " + MAX_STRETCH_PERCENT + " percent, but is " + stretchPercent);
        }
    }

    /**
     * Returns the seconds until the next heartbeat: at least 1 and half of the declared interval, at most half of {@code unhealthy_after_seconds}.
     *
     * @param pulse the agent after the heartbeat
     * @param senderId the owner of the slot: the agent itself, or one agent for all agents in a request
     * @param now the receipt of the heartbeat
     */
    public int nextInSeconds(Pulse pulse, String senderId, Instant now) {
        long interval = intervalMillis(pulse);
        int max = maxSeconds(pulse);
        long wait = wait(millisToSlot(pulse, senderId, now), interval, MILLIS * (long) max);
        return (int) Math.max(1, Math.min(max, (wait + MILLIS / 2) / MILLIS));
    }

    /** Returns the milliseconds until the sender's next slot begins; a whole interval if it begins now. */
    long millisToSlot(Pulse pulse, String senderId, Instant now) {
        long interval = intervalMillis(pulse);
        return interval - Math.floorMod(now.toEpochMilli() - slot(senderId, interval), interval);
    }

    /** Returns the interval at which the agent is asked for heartbeats, at least the declared one. */
    public Duration interval(Pulse pulse) {
        Duration asked = Duration.ofMillis(intervalMillis(pulse));
        Duration declared = pulse.config().interval();
        return asked.compareTo(declared) > 0 ? asked : declared;
    }

    /** Returns the interval in milliseconds. A draining agent keeps the declared interval, since its heartbeats complete the drain. */
    private long intervalMillis(Pulse pulse) {
        int percent = pulse.status() == LifecycleStatus.DRAINING ? MIN_STRETCH_PERCENT : stretchPercent;
        long seconds = (long) pulse.config().intervalSeconds() * percent / MIN_STRETCH_PERCENT;
        return MILLIS * Math.min(seconds, maxSeconds(pulse));
    }

    private static int maxSeconds(Pulse pulse) {
        return Math.max(1, pulse.config().unhealthyAfterSeconds() / 2);
    }

    private static long wait(long toSlot, long interval, long max) {
        if (toSlot >= interval / 2) {
            return toSlot;
        }
        if (toSlot + interval <= max) {
            return toSlot + interval;
        }
        // The slot is too near for one wait and too far for the next wait, so two equal waits lead to it.
        return toSlot <= interval / TOLERANCE ? interval : (toSlot + interval) / 2;
    }

    /** Returns the beginning of the sender's slot within the interval. */
    private static long slot(String senderId, long interval) {
        return (senderId.hashCode() * SPREAD >>> Long.SIZE - SPREAD_BITS) % interval;
    }
}
