package dev.agenthealth.model.health.availability;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * The agents of a group over the counted minutes of an hour, or of a longer time. Sums of parts add up with {@link #plus}.
 *
 * @param minutes how many minutes were counted
 * @param up the sum of their agents that were up
 * @param others the sum of their other agents
 * @param degraded how many of the minutes the group was degraded
 * @param down how many of the minutes the group was down
 * @param none how many of the minutes the group had no agents
 */
public record GroupSum(long minutes, long up, long others, long degraded, long down, long none) {

    /** The sum of no minutes. */
    public static final GroupSum NONE = new GroupSum(0, 0, 0, 0, 0, 0);

    /** The sum of one minute. */
    public static GroupSum of(GroupCount count) {
        AvailabilityState state = count.state();
        return new GroupSum(
                1,
                count.up(),
                count.others(),
                state == AvailabilityState.DEGRADED ? 1 : 0,
                state == AvailabilityState.DOWN ? 1 : 0,
                state == AvailabilityState.NONE ? 1 : 0);
    }

    /** The sum of both parts together. */
    public GroupSum plus(GroupSum other) {
        return new GroupSum(
                minutes + other.minutes,
                up + other.up,
                others + other.others,
                degraded + other.degraded,
                down + other.down,
                none + other.none);
    }

    /** The minutes in which the group was in this state; none are unknown. */
    public long minutesIn(AvailabilityState state) {
        return switch (state) {
            case UP -> minutes - degraded - down - none;
            case DEGRADED -> degraded;
            case DOWN -> down;
            case NONE -> none;
            case UNKNOWN -> 0;
        };
    }

    /** The worst state of the minutes; that of no minutes is unknown. */
    public AvailabilityState worst() {
        if (minutes == 0) {
            return AvailabilityState.UNKNOWN;
        }
        if (down > 0) {
            return AvailabilityState.DOWN;
        }
        if (degraded > 0) {
            return AvailabilityState.DEGRADED;
        }
        return none == minutes ? AvailabilityState.NONE : AvailabilityState.UP;
    }

    /** The mean availability of the agents; empty where there were none. */
    public Optional<BigDecimal> ratio() {
        return Availability.ratio(up, up + others);
    }
}
