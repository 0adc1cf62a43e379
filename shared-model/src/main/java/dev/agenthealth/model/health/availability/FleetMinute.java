package dev.agenthealth.model.health.availability;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The fleet as it was counted in a minute of UTC.
 *
 * @param minute the number of the minute since 1970
 * @param alsoBefore whether the count also stands for the previous minute, because no pass started in that minute
 * @param fleet the agents by lifecycle status and verdict
 * @param heartbeats the largest roles by number, counted by heartbeats alone
 * @param verdicts the fleet as {@link #FLEET} and the largest roles by number, counted by the verdicts on their agents; empty for a minute that an
 *     earlier version counted
 */
public record FleetMinute(
        long minute,
        boolean alsoBefore,
        AgentStatistics fleet,
        Map<Long, GroupCount> heartbeats,
        Map<Long, GroupCount> verdicts) {

    /** The number of the whole fleet among groups. No role has it. */
    public static final long FLEET = GroupNumber.NONE;

    /** The maximum number of roles, which fit into an item of two write units. The largest roles are kept. */
    public static final int MAX_ROLES = 50;

    private static final long SECONDS = 60;

    private static final List<Statistic> FIGURES = Stream.concat(
                    Stream.of(LifecycleStatus.values())
                            .filter(status -> status != LifecycleStatus.REGISTERING)
                            .map(Statistic::of),
                    Verdict.COUNTED.stream().map(Statistic::of))
            .toList();

    public FleetMinute {
        heartbeats = Map.copyOf(heartbeats);
        verdicts = Map.copyOf(verdicts);
    }

    /** Returns the number of the minute that contains a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /**
     * Returns the count of the minute of a pass.
     *
     * @param startedAt the start of the pass
     * @param previous the start of the previous pass if no minute was missed in between, else {@link Instant#MIN}
     */
    public static FleetMinute of(FleetStatistics statistics, Instant startedAt, Instant previous) {
        Map<Statistic, Long> figures = new EnumMap<>(Statistic.class);
        FIGURES.forEach(figure -> figures.put(figure, statistics.fleet().get(figure)));
        Map<Long, GroupCount> heartbeats = new HashMap<>();
        Map<Long, GroupCount> verdicts = new HashMap<>();
        statistics.of(GroupKind.ROLE).largest(MAX_ROLES).byNumber().forEach((number, role) -> {
            heartbeats.put(number, GroupCount.byHeartbeats(role));
            verdicts.put(number, GroupCount.byVerdict(role));
        });
        heartbeats.remove(FLEET);
        verdicts.put(FLEET, GroupCount.byVerdict(statistics.fleet()));
        return new FleetMinute(
                at(startedAt),
                previous.isAfter(Instant.MIN) && at(previous) == at(startedAt) - 2,
                new AgentStatistics(new Counts<>(figures)),
                heartbeats,
                verdicts);
    }

    /** Returns whether the minute was counted by the verdicts. */
    public boolean isByVerdict() {
        return !verdicts.isEmpty();
    }

    /** Returns the counts of the fleet and its roles by heartbeats alone. */
    Map<Long, GroupCount> allByHeartbeats() {
        Map<Long, GroupCount> all = new HashMap<>(heartbeats);
        all.put(FLEET, GroupCount.byHeartbeats(fleet));
        return all;
    }

    /** Returns the piece of a group in a minute for which the count stands. Time in which the group was not counted is unknown. */
    public GroupPiece piece(long group, Instant start) {
        GroupSum byHeartbeats = sum(allByHeartbeats(), group);
        GroupSum sum = isByVerdict() ? sum(verdicts, group) : byHeartbeats;
        return new GroupPiece(start, start.plusSeconds(SECONDS), sum, byHeartbeats, isByVerdict());
    }

    private static GroupSum sum(Map<Long, GroupCount> counts, long group) {
        return counts.containsKey(group) ? GroupSum.of(counts.get(group)) : GroupSum.NONE;
    }

    /** Returns the minutes that the count stands for. */
    public List<Long> minutes() {
        return alsoBefore ? List.of(minute - 1, minute) : List.of(minute);
    }

    /** Returns the counts by the minutes that they stand for, in ascending order. A minute's own count wins over the count of the next minute. */
    public static Map<Long, FleetMinute> byMinute(Collection<FleetMinute> counts) {
        Map<Long, FleetMinute> byMinute = new TreeMap<>();
        counts.forEach(count -> count.minutes().forEach(minute -> byMinute.putIfAbsent(minute, count)));
        counts.forEach(count -> byMinute.put(count.minute(), count));
        return byMinute;
    }

    /** Returns the first moment of the minute. */
    public Instant start() {
        return Instant.ofEpochSecond(minute * SECONDS);
    }
}
