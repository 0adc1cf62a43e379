package dev.agenthealth.model.census;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.identity.GroupNumber;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The figures of the groups of one kind. There may be as many groups as agents: a part keeps the {@link #MAX_GROUPS} largest of its groups, and the
 * others together. Where no part has more, parts add up to exactly the whole.
 *
 * @param byNumber the figures of each group, by its number
 * @param others the figures of all other groups together
 */
public record GroupFigures(Map<Long, FleetFigures> byNumber, FleetFigures others) {

    /** Maximum number of groups of a kind with figures of their own. */
    public static final int MAX_GROUPS = 10_000;

    /** The figures of no group. */
    public static final GroupFigures NONE = new GroupFigures(Map.of(), FleetFigures.NONE);

    private static final Comparator<Map.Entry<Long, FleetFigures>> LARGEST_FIRST =
            Comparator.<Map.Entry<Long, FleetFigures>>comparingLong(
                            group -> -group.getValue().agents())
                    .thenComparing(Map.Entry::getKey);

    public GroupFigures {
        byNumber = Map.copyOf(byNumber);
    }

    /** The figures of one group. */
    public FleetFigures of(long number) {
        return byNumber.getOrDefault(number, FleetFigures.NONE);
    }

    /** The figures of both parts together. */
    public GroupFigures plus(GroupFigures other) {
        Map<Long, FleetFigures> sum = new HashMap<>(byNumber);
        other.byNumber.forEach((number, figures) -> sum.merge(number, figures, FleetFigures::plus));
        return new GroupFigures(sum, others.plus(other.others)).largest(MAX_GROUPS);
    }

    /** The same figures with at most this many groups, the largest; all others are added up. */
    public GroupFigures largest(int most) {
        if (byNumber.size() <= most) {
            return this;
        }
        Map<Long, FleetFigures> kept = new HashMap<>();
        FleetFigures[] rest = {others};
        byNumber.entrySet().stream().sorted(LARGEST_FIRST).forEach(group -> {
            if (kept.size() < most) {
                kept.put(group.getKey(), group.getValue());
            } else {
                rest[0] = rest[0].plus(group.getValue());
            }
        });
        return new GroupFigures(kept, rest[0]);
    }

    /** Counts agents one after the other. Not thread-safe. */
    static final class Tally {

        private final GroupKind kind;
        private final Map<Long, FleetFigures.Tally> byNumber = new HashMap<>();
        private final FleetFigures.Tally others = new FleetFigures.Tally();

        Tally(GroupKind kind) {
            this.kind = kind;
        }

        void add(FleetRow row, Verdict verdict) {
            long number = kind.numberOf(row);
            if (number == GroupNumber.NONE) {
                return;
            }
            FleetFigures.Tally known = byNumber.get(number);
            if (known == null && byNumber.size() < MAX_GROUPS) {
                known = new FleetFigures.Tally();
                byNumber.put(number, known);
            }
            FleetFigures.Tally counted = known == null ? others : known;
            counted.add(row, verdict);
            if (kind == GroupKind.ROLE) {
                counted.addCapacity(row);
            }
        }

        GroupFigures figures() {
            Map<Long, FleetFigures> figures = new HashMap<>();
            byNumber.forEach((number, tally) -> figures.put(number, tally.figures()));
            return new GroupFigures(figures, others.figures());
        }
    }
}
