package dev.agenthealth.model.health.availability;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * The agents of a group, summed over the counted minutes of an hour or of a longer time. Sums of parts add up with {@link #plus}.
 *
 * @param minutes the number of counted minutes
 * @param up the sum of the agents that were up
 * @param degradedAgents the sum of the agents that were degraded
 * @param downAgents the sum of the agents that were down
 * @param degraded the number of minutes in which the group was degraded
 * @param down the number of minutes in which the group was down
 * @param none the number of minutes in which the group had no agents
 */
public record GroupSum(
        long minutes, long up, long degradedAgents, long downAgents, long degraded, long down, long none) {

    /** The sum of no minutes. */
    public static final GroupSum NONE = new GroupSum(0, 0, 0, 0, 0, 0, 0);

    /** Returns the sum of one minute. */
    public static GroupSum of(GroupCount count) {
        AvailabilityState state = count.state();
        return new GroupSum(
                1,
                count.up(),
                count.degraded(),
                count.down(),
                state == AvailabilityState.DEGRADED ? 1 : 0,
                state == AvailabilityState.DOWN ? 1 : 0,
                state == AvailabilityState.NONE ? 1 : 0);
    }

    /** Returns the sum of both parts. */
    public GroupSum plus(GroupSum other) {
        return new GroupSum(
                minutes + other.minutes,
                up + other.up,
                degradedAgents + other.degradedAgents,
                downAgents + other.downAgents,
                degraded + other.degraded,
                down + other.down,
                none + other.none);
    }

    /** Returns the number of minutes in which the group was in this state. No counted minute is unknown. */
    public long minutesIn(AvailabilityState state) {
        return switch (state) {
            case UP -> minutes - degraded - down - none;
            case DEGRADED -> degraded;
            case DOWN -> down;
            case NONE -> none;
            case MAINTENANCE, UNKNOWN -> 0;
        };
    }

    /** Returns the worst state of all minutes; unknown without any minute. */
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

    /** Returns the mean availability of the agents; empty if there were no agents. */
    public Optional<BigDecimal> ratio() {
        return Availability.ratio(up, agents());
    }

    /** Returns the sum of all agents with a known state. */
    public long agents() {
        return up + degradedAgents + downAgents;
    }

    /** Returns the shares of the states up, degraded and down in the time of all agents. */
    Map<AvailabilityState, BigDecimal> shares() {
        return Availability.shares(Map.of(
                AvailabilityState.UP, up,
                AvailabilityState.DEGRADED, degradedAgents,
                AvailabilityState.DOWN, downAgents));
    }
}
