package dev.agenthealth.model.census;

import dev.agenthealth.model.health.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of a fleet, or of a part of it: in total, and by role, provider and platform. Parts add up with {@link #plus}.
 *
 * @param fleet the figures of all agents
 * @param groups the figures of the groups of each kind; an agent that has none of a kind is in no group of that kind
 */
public record Census(FleetFigures fleet, Map<GroupKind, GroupFigures> groups) {

    public static final Census EMPTY = new Census(FleetFigures.NONE, Map.of());

    public Census {
        Map<GroupKind, GroupFigures> all = new EnumMap<>(GroupKind.class);
        for (GroupKind kind : GroupKind.values()) {
            all.put(kind, groups.getOrDefault(kind, GroupFigures.NONE));
        }
        groups = Collections.unmodifiableMap(all);
    }

    /** The groups of a kind. */
    public GroupFigures of(GroupKind kind) {
        return groups.getOrDefault(kind, GroupFigures.NONE);
    }

    /** The census of both parts together. */
    public Census plus(Census other) {
        Map<GroupKind, GroupFigures> sum = new EnumMap<>(GroupKind.class);
        groups.forEach((kind, figures) -> sum.put(kind, figures.plus(other.of(kind))));
        return new Census(fleet.plus(other.fleet), sum);
    }

    /** The same census with at most this many groups of each kind, the largest; all others are added up. */
    public Census largest(int groupsOfAKind) {
        Map<GroupKind, GroupFigures> some = new EnumMap<>(GroupKind.class);
        groups.forEach((kind, figures) -> some.put(kind, figures.largest(groupsOfAKind)));
        return new Census(fleet, some);
    }

    /** Counts agents one after the other. Not thread-safe. */
    public static final class Tally {

        private final FleetFigures.Tally fleet = new FleetFigures.Tally();
        private final Map<GroupKind, GroupFigures.Tally> groups = new EnumMap<>(GroupKind.class);

        private final VerdictRule verdicts;

        public Tally(VerdictRule verdicts) {
            this.verdicts = verdicts;
            for (GroupKind kind : GroupKind.values()) {
                groups.put(kind, new GroupFigures.Tally(kind));
            }
        }

        /** Counts one agent. */
        public void add(FleetRow row) {
            Verdict verdict = verdicts.of(row);
            fleet.add(row, verdict);
            fleet.addScoreStep(row);
            groups.values().forEach(group -> group.add(row, verdict));
        }

        /** The census of those counted. */
        public Census census() {
            Map<GroupKind, GroupFigures> figures = new EnumMap<>(GroupKind.class);
            groups.forEach((kind, tally) -> figures.put(kind, tally.figures()));
            return new Census(fleet.figures(), figures);
        }
    }
}
