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
import java.util.Optional;

/**
 * The counts of an hour, added up from its minutes.
 *
 * @param hour the number of the hour since 1970
 * @param minutes a bit set: bit n is set if minute n of the hour was counted
 * @param sum the sums of the counts of all minutes
 * @param minDown the agents with the verdict down in the best minute
 * @param maxDown the agents with the verdict down in the worst minute
 * @param heartbeats the counts of the fleet as {@link FleetMinute#FLEET} and of the largest roles by number, by heartbeats alone
 * @param verdicts the same by the verdicts on their agents; empty if an earlier version counted a part of the hour
 */
public record FleetHour(
        long hour,
        long minutes,
        AgentStatistics sum,
        long minDown,
        long maxDown,
        Map<Long, GroupSum> heartbeats,
        Map<Long, GroupSum> verdicts) {

    static final int MINUTES = 60;

    private static final long SECONDS = 3_600;

    public FleetHour {
        heartbeats = Map.copyOf(heartbeats);
        verdicts = Map.copyOf(verdicts);
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
        Map<Long, GroupSum> heartbeats = new HashMap<>();
        Map<Long, GroupSum> verdicts = new HashMap<>();
        List<Long> down = new ArrayList<>();
        for (Map.Entry<Long, FleetMinute> entry : byMinute.entrySet()) {
            FleetMinute count = entry.getValue();
            minutes |= 1L << Math.floorMod(entry.getKey(), MINUTES);
            sum = sum.plus(count.fleet());
            count.allByHeartbeats()
                    .forEach((group, agents) -> heartbeats.merge(group, GroupSum.of(agents), GroupSum::plus));
            count.verdicts().forEach((group, agents) -> verdicts.merge(group, GroupSum.of(agents), GroupSum::plus));
            down.add(count.fleet().get(Statistic.VERDICT_DOWN));
        }
        return new FleetHour(
                hour,
                minutes,
                sum,
                down.stream().mapToLong(Long::longValue).min().orElse(0),
                down.stream().mapToLong(Long::longValue).max().orElse(0),
                largest(heartbeats),
                byMinute.values().stream().allMatch(FleetMinute::isByVerdict) ? largest(verdicts) : Map.of());
    }

    private static Map<Long, GroupSum> largest(Map<Long, GroupSum> groups) {
        Map<Long, GroupSum> kept = new HashMap<>();
        groups.entrySet().stream()
                .filter(group -> group.getKey() != FleetMinute.FLEET)
                .sorted(Comparator.<Map.Entry<Long, GroupSum>>comparingLong(
                                role -> -role.getValue().agents())
                        .thenComparing(Map.Entry::getKey))
                .limit(FleetMinute.MAX_ROLES)
                .forEach(role -> kept.put(role.getKey(), role.getValue()));
        Optional.ofNullable(groups.get(FleetMinute.FLEET)).ifPresent(fleet -> kept.put(FleetMinute.FLEET, fleet));
        return kept;
    }

    /** Returns the sums of a group by the verdicts on its agents; by heartbeats alone if an earlier version counted a part of the hour. */
    public GroupSum of(long group) {
        return (isByVerdict() ? verdicts : heartbeats).getOrDefault(group, GroupSum.NONE);
    }

    private boolean isByVerdict() {
        return !verdicts.isEmpty();
    }

    /** Returns the piece of a group. Time in which the group was not counted is unknown. */
    public GroupPiece piece(long group) {
        return new GroupPiece(
                start(),
                start().plusSeconds(SECONDS),
                of(group),
                heartbeats.getOrDefault(group, GroupSum.NONE),
                isByVerdict());
    }

    /** Returns the number of counted minutes. */
    public int minuteCount() {
        return Long.bitCount(minutes);
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
