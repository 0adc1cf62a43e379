package dev.agenthealth.model.sweep;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ProbeSchedule;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The numbers of agents per owner key, by the {@linkplain #numberOf number} of the key.
 *
 * <p>There may be as many owners as agents. Each map keeps the {@link #MAX_OWNERS} largest numbers, and the sum of the others as
 * {@link GroupNumber#NONE}. Parts add up with {@link #plus}.
 *
 * @param agents the monitored agents
 * @param dying the agents that are due to be marked as dead, and whose deaths a mass silence limits
 * @param watched the probed agents
 * @param restarted the monitored agents that {@linkplain MassRestartRule#isRestart restarted} lately
 * @param rows all agents with a row, including gone agents before their archival
 */
public record OwnerCounts(
        Map<Long, Long> agents,
        Map<Long, Long> dying,
        Map<Long, Long> watched,
        Map<Long, Long> restarted,
        Map<Long, Long> rows) {

    /** The maximum number of owners with their own numbers. */
    public static final int MAX_OWNERS = 10_000;

    /** Maximum number of rows for each live agent that an owner may have. */
    public static final int MAX_ROWS_PER_AGENT = 10;

    /** The counts of no agents. */
    public static final OwnerCounts EMPTY = new OwnerCounts(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    private static final Comparator<Map.Entry<Long, Long>> LARGEST_FIRST =
            Map.Entry.<Long, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    public OwnerCounts {
        agents = Map.copyOf(agents);
        dying = Map.copyOf(dying);
        watched = Map.copyOf(watched);
        restarted = Map.copyOf(restarted);
        rows = Map.copyOf(rows);
    }

    /** Returns the number of an owner; {@link GroupNumber#NONE} without an owner. */
    public static long numberOf(Owner owner) {
        return GroupNumber.of(owner.keyId());
    }

    /** Returns the counts of both parts together. */
    public OwnerCounts plus(OwnerCounts other) {
        return new OwnerCounts(
                sum(agents, other.agents),
                sum(dying, other.dying),
                sum(watched, other.watched),
                sum(restarted, other.restarted),
                sum(rows, other.rows));
    }

    /**
     * Returns the owners that register no further agent: owners with at least this many live agents, or {@link #MAX_ROWS_PER_AGENT} times as many
     * rows. Returns at most {@code limit} owners, first the largest by live agents.
     */
    public Set<Long> ownersOf(long maxAgents, int limit) {
        return Stream.concat(largest(agents, maxAgents, limit), largest(rows, MAX_ROWS_PER_AGENT * maxAgents, limit))
                .distinct()
                .limit(limit)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the owner with most restarted agents; {@link GroupNumber#NONE} without restarts. */
    long ownerOfMostRestarts() {
        return largest(restarted, 1, 1).findFirst().orElse(GroupNumber.NONE);
    }

    /** Returns the owners with at least this many probed agents; at most {@code limit} owners, the largest. */
    public Set<Long> ownersOfWatched(long minAgents, int limit) {
        return largest(watched, minAgents, limit).collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<Long> largest(Map<Long, Long> counts, long minAgents, int limit) {
        return counts.entrySet().stream()
                .filter(owner -> owner.getKey() != GroupNumber.NONE && owner.getValue() >= minAgents)
                .sorted(LARGEST_FIRST)
                .limit(limit)
                .map(Map.Entry::getKey);
    }

    private static Map<Long, Long> sum(Map<Long, Long> one, Map<Long, Long> other) {
        Map<Long, Long> sum = new HashMap<>(one);
        other.forEach((owner, agents) -> sum.merge(owner, agents, Long::sum));
        if (sum.size() <= MAX_OWNERS) {
            return sum;
        }
        Map<Long, Long> bounded = new HashMap<>();
        sum.entrySet().stream()
                .sorted(LARGEST_FIRST)
                .forEach(owner -> count(bounded, owner.getKey(), owner.getValue()));
        return bounded;
    }

    private static void count(Map<Long, Long> counts, long owner, long agents) {
        // One place is left for the sum of the others.
        boolean known = counts.containsKey(owner) || counts.size() < MAX_OWNERS - 1;
        counts.merge(known ? owner : GroupNumber.NONE, agents, Long::sum);
    }

    /** Counts agents one after the other. Not thread-safe. */
    public static final class Tally {

        private final Map<Long, Long> agents = new HashMap<>();
        private final Map<Long, Long> dying = new HashMap<>();
        private final Map<Long, Long> watched = new HashMap<>();
        private final Map<Long, Long> restarted = new HashMap<>();
        private final Map<Long, Long> rows = new HashMap<>();

        /** The numbers of owners by key id, as each number costs a hash. */
        private final Map<String, Long> numbers = new HashMap<>();

        /**
         * Counts one agent.
         *
         * @param watchSeconds the seconds between two probes, or {@link dev.agenthealth.model.registry.profile.Watch#NOT_WATCHED}
         */
        public void add(Pulse pulse, int watchSeconds, Instant graceFrom, Instant now) {
            long owner = number(pulse.owner());
            count(rows, owner, 1);
            if (ProbeSchedule.isProbed(pulse, watchSeconds, now)) {
                count(watched, owner, 1);
            }
            if (!pulse.status().isMonitored()) {
                return;
            }
            count(agents, owner, 1);
            if (FleetCount.isDying(pulse, graceFrom, now) && MassSilenceRule.isLimited(pulse, graceFrom, now)) {
                count(dying, owner, 1);
            }
        }

        /** Counts the restart of an agent that sends heartbeats, if it restarted lately. */
        public void addRestart(Pulse pulse, Instant now) {
            if (pulse.status().isMonitored() && MassRestartRule.isRestart(pulse, now)) {
                count(restarted, number(pulse.owner()), 1);
            }
        }

        private long number(Owner owner) {
            if (numbers.size() == MAX_OWNERS) {
                numbers.clear();
            }
            return numbers.computeIfAbsent(owner.keyId(), keyId -> numberOf(owner));
        }

        /** Returns the counts of all added agents. */
        public OwnerCounts counts() {
            return new OwnerCounts(agents, dying, watched, restarted, rows);
        }
    }
}
