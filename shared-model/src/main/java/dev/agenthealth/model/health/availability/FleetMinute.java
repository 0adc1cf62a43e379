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
 * @param roles the largest roles by number
 */
public record FleetMinute(long minute, boolean alsoBefore, AgentStatistics fleet, Map<Long, GroupCount> roles) {

    /** The maximum number of roles, which fit into an item of one write unit. The largest roles are kept. */
    public static final int MAX_ROLES = 50;

    private static final long SECONDS = 60;

    private static final List<Statistic> FIGURES = Stream.concat(
                    Stream.of(LifecycleStatus.values())
                            .filter(status -> status != LifecycleStatus.REGISTERING)
                            .map(Statistic::of),
                    Verdict.COUNTED.stream().map(Statistic::of))
            .toList();

    public FleetMinute {
        roles = Map.copyOf(roles);
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
        Map<Long, GroupCount> roles = new HashMap<>();
        statistics
                .of(GroupKind.ROLE)
                .largest(MAX_ROLES)
                .byNumber()
                .forEach((number, role) -> roles.put(number, GroupCount.of(role)));
        roles.remove(GroupNumber.NONE);
        return new FleetMinute(
                at(startedAt),
                previous.isAfter(Instant.MIN) && at(previous) == at(startedAt) - 2,
                new AgentStatistics(new Counts<>(figures)),
                roles);
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
