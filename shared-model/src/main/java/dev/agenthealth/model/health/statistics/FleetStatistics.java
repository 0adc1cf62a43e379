package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The statistics of a fleet, or of a part of it: in total, and by role, provider and platform. Parts add up with {@link #plus}.
 *
 * @param fleet the statistics of all agents
 * @param groups the statistics of the groups of each kind; an agent without a group of a kind counts in no group of that kind
 */
public record FleetStatistics(AgentStatistics fleet, Map<GroupKind, GroupStatistics> groups) {

    public static final FleetStatistics EMPTY = new FleetStatistics(AgentStatistics.NONE, Map.of());

    public FleetStatistics {
        Map<GroupKind, GroupStatistics> all = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            all.put(kind, groups.getOrDefault(kind, GroupStatistics.NONE));
        }
        groups = Collections.unmodifiableMap(all);
    }

    /** Returns the groups of a kind. */
    public GroupStatistics of(GroupKind kind) {
        return groups.getOrDefault(kind, GroupStatistics.NONE);
    }

    /** Returns the statistics of both parts together. */
    public FleetStatistics plus(FleetStatistics other) {
        Map<GroupKind, GroupStatistics> sum = new EnumMap<>(GroupKind.class);
        groups.forEach((kind, statistics) -> sum.put(kind, statistics.plus(other.of(kind))));
        return new FleetStatistics(fleet.plus(other.fleet), sum);
    }

    /** Returns these statistics with a maximum number of groups of each kind. The largest groups are kept, and all other groups are added up. */
    public FleetStatistics largest(int groupsOfAKind) {
        Map<GroupKind, GroupStatistics> some = new EnumMap<>(GroupKind.class);
        groups.forEach((kind, statistics) -> some.put(kind, statistics.largest(groupsOfAKind)));
        return new FleetStatistics(fleet, some);
    }

    /** Counts agents one after the other. Not thread-safe. */
    public static final class Tally {

        private final AgentStatistics.Tally fleet = new AgentStatistics.Tally();
        private final Map<GroupKind, GroupStatistics.Tally> groups = new EnumMap<>(GroupKind.class);

        private final VerdictRule verdicts;

        public Tally(VerdictRule verdicts) {
            this.verdicts = verdicts;
            for (GroupKind kind : GroupKind.values()) {
                groups.put(kind, new GroupStatistics.Tally(kind));
            }
        }

        /** Counts one agent. */
        public void add(FleetRow row) {
            Verdict verdict = verdicts.of(row);
            fleet.add(row, verdict);
            fleet.addScoreStep(row, verdict);
            groups.values().forEach(group -> group.add(row, verdict));
        }

        /** Returns the statistics of all counted agents. */
        public FleetStatistics statistics() {
            Map<GroupKind, GroupStatistics> statistics = new EnumMap<>(GroupKind.class);
            groups.forEach((kind, tally) -> statistics.put(kind, tally.statistics()));
            return new FleetStatistics(fleet.statistics(), statistics);
        }
    }
}
