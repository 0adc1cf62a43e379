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
 * @param minute since 1970
 * @param alsoBefore whether the count stands for the minute before too, in which the schedule started no pass
 * @param fleet the agents by lifecycle status and verdict
 * @param roles the largest roles by number
 */
public record FleetMinute(long minute, boolean alsoBefore, AgentStatistics fleet, Map<Long, GroupCount> roles) {

    /** So many roles, the largest, have room in an item that one write unit pays for. */
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

    /** The number of the minute that contains a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /**
     * The count of the minute of a pass.
     *
     * @param startedAt the start of the pass
     * @param previous the start of the pass before, where nothing was missed in between; else {@link Instant#MIN}
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

    /** The minutes that the count stands for. */
    public List<Long> minutes() {
        return alsoBefore ? List.of(minute - 1, minute) : List.of(minute);
    }

    /** The counts by the minutes that they stand for, in ascending order: a count of a minute itself wins over one of the minute after it. */
    public static Map<Long, FleetMinute> byMinute(Collection<FleetMinute> counts) {
        Map<Long, FleetMinute> byMinute = new TreeMap<>();
        counts.forEach(count -> count.minutes().forEach(minute -> byMinute.putIfAbsent(minute, count)));
        counts.forEach(count -> byMinute.put(count.minute(), count));
        return byMinute;
    }

    /** The first moment of the minute. */
    public Instant start() {
        return Instant.ofEpochSecond(minute * SECONDS);
    }
}
