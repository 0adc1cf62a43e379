package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.identity.GroupNumber;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The statistics of the groups of one kind. There may be as many groups as agents, so a part keeps its {@link #MAX_GROUPS} largest groups and adds
 * up all others. Parts add up exactly to the whole if no part has more groups.
 *
 * @param byNumber the statistics of each group, by its number
 * @param others the statistics of all other groups together
 */
public record GroupStatistics(Map<Long, AgentStatistics> byNumber, AgentStatistics others) {

    /** The maximum number of groups of a kind with statistics of their own. */
    public static final int MAX_GROUPS = 10_000;

    /** The statistics without any group. */
    public static final GroupStatistics NONE = new GroupStatistics(Map.of(), AgentStatistics.NONE);

    private static final Comparator<Map.Entry<Long, AgentStatistics>> LARGEST_FIRST =
            Comparator.<Map.Entry<Long, AgentStatistics>>comparingLong(
                            group -> -group.getValue().agents())
                    .thenComparing(Map.Entry::getKey);

    public GroupStatistics {
        byNumber = Map.copyOf(byNumber);
    }

    /** Returns the statistics of one group. */
    public AgentStatistics of(long number) {
        return byNumber.getOrDefault(number, AgentStatistics.NONE);
    }

    /** Returns the statistics of both parts together. */
    public GroupStatistics plus(GroupStatistics other) {
        Map<Long, AgentStatistics> sum = new HashMap<>(byNumber);
        other.byNumber.forEach((number, statistics) -> sum.merge(number, statistics, AgentStatistics::plus));
        return new GroupStatistics(sum, others.plus(other.others)).largest(MAX_GROUPS);
    }

    /** Returns these statistics with a maximum number of groups. The largest groups are kept, and all other groups are added up. */
    public GroupStatistics largest(int most) {
        if (byNumber.size() <= most) {
            return this;
        }
        Map<Long, AgentStatistics> kept = new HashMap<>();
        AgentStatistics[] rest = {others};
        byNumber.entrySet().stream().sorted(LARGEST_FIRST).forEach(group -> {
            if (kept.size() < most) {
                kept.put(group.getKey(), group.getValue());
            } else {
                rest[0] = rest[0].plus(group.getValue());
            }
        });
        return new GroupStatistics(kept, rest[0]);
    }

    /** Counts agents one after the other. Not thread-safe. */
    static final class Tally {

        private final GroupKind kind;
        private final Map<Long, AgentStatistics.Tally> byNumber = new HashMap<>();
        private final AgentStatistics.Tally others = new AgentStatistics.Tally();

        Tally(GroupKind kind) {
            this.kind = kind;
        }

        void add(FleetRow row, Verdict verdict) {
            long number = kind.numberOf(row);
            if (number == GroupNumber.NONE) {
                return;
            }
            AgentStatistics.Tally known = byNumber.get(number);
            if (known == null && byNumber.size() < MAX_GROUPS) {
                known = new AgentStatistics.Tally();
                byNumber.put(number, known);
            }
            AgentStatistics.Tally counted = known == null ? others : known;
            counted.add(row, verdict);
            if (kind == GroupKind.ROLE) {
                counted.addCapacity(row, verdict);
            }
        }

        GroupStatistics statistics() {
            Map<Long, AgentStatistics> statistics = new HashMap<>();
            byNumber.forEach((number, tally) -> statistics.put(number, tally.statistics()));
            return new GroupStatistics(statistics, others.statistics());
        }
    }
}
