package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of an hour, added up from its minutes.
 *
 * @param hour the number of the hour since 1970
 * @param minutes a bit set: bit n is set if minute n of the hour was counted
 * @param sum the sums of the counts of all minutes
 * @param minDown the agents with the verdict down in the best minute
 * @param maxDown the agents with the verdict down in the worst minute
 * @param all the counts of the whole fleet
 * @param roles the counts of the largest roles, by number
 */
public record FleetHour(
        long hour,
        long minutes,
        AgentStatistics sum,
        long minDown,
        long maxDown,
        GroupSum all,
        Map<Long, GroupSum> roles) {

    static final int MINUTES = 60;

    private static final long SECONDS = 3_600;

    public FleetHour {
        roles = Map.copyOf(roles);
    }

    /** Returns the number of the hour that contains a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /**
     * Returns the hour for its counts.
     *
     * @param counts the counts that lie in the hour or stand for one of its minutes, at least one
     */
    public static FleetHour of(long hour, Collection<FleetMinute> counts) {
        Map<Long, FleetMinute> byMinute = FleetMinute.byMinute(counts);
        byMinute.keySet().removeIf(minute -> Math.floorDiv(minute, MINUTES) != hour);
        long minutes = 0;
        AgentStatistics sum = AgentStatistics.NONE;
        GroupSum all = GroupSum.NONE;
        Map<Long, GroupSum> roles = new HashMap<>();
        List<Long> down = new ArrayList<>();
        for (Map.Entry<Long, FleetMinute> entry : byMinute.entrySet()) {
            FleetMinute count = entry.getValue();
            minutes |= 1L << Math.floorMod(entry.getKey(), MINUTES);
            sum = sum.plus(count.fleet());
            all = all.plus(GroupSum.of(GroupCount.of(count.fleet())));
            count.roles().forEach((role, agents) -> roles.merge(role, GroupSum.of(agents), GroupSum::plus));
            down.add(count.fleet().get(Statistic.VERDICT_DOWN));
        }
        return new FleetHour(
                hour,
                minutes,
                sum,
                down.stream().mapToLong(Long::longValue).min().orElse(0),
                down.stream().mapToLong(Long::longValue).max().orElse(0),
                all,
                largest(roles));
    }

    private static Map<Long, GroupSum> largest(Map<Long, GroupSum> roles) {
        Map<Long, GroupSum> kept = new HashMap<>();
        roles.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Long, GroupSum>>comparingLong(
                                role -> -role.getValue().up() - role.getValue().others())
                        .thenComparing(Map.Entry::getKey))
                .limit(FleetMinute.MAX_ROLES)
                .forEach(role -> kept.put(role.getKey(), role.getValue()));
        return kept;
    }

    /** Returns the numbers of the counted minutes, since 1970. */
    public List<Long> counted() {
        List<Long> counted = new ArrayList<>();
        for (int minute = 0; minute < MINUTES; minute++) {
            if ((minutes >> minute & 1) == 1) {
                counted.add(hour * MINUTES + minute);
            }
        }
        return counted;
    }

    /** Returns the first moment of the hour. */
    public Instant start() {
        return Instant.ofEpochSecond(hour * SECONDS);
    }
}
