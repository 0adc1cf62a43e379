package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The latest probe results of some watched agents that are neither dead nor deregistered. Immutable.
 *
 * <p>If most probes fail at once, the cause is more likely the registry's network than the agents. The agents of one owner prove this only for the
 * owner itself: an owner can let its agents fail together. Agents of other owners need the failures of {@link #MIN_OWNERS} owners.
 *
 * <p>Up to {@link #MAX_LARGE} owners have {@link #MIN_AGENTS} places each, and keep them as long as {@link ProbeEvidence} reserves them. Every other
 * owner has one place. Owners take turns for the remaining places. So no owner takes the places of other owners, and no newcomer replaces an owner
 * that has results. The hosts of an owner take turns as well, and the agents of a host are chosen by their number. So every run chooses the same
 * agents.
 *
 * @param results the results by owner and agent, in the order of their numbers
 */
public record ProbeSample(List<Result> results) {

    /** The maximum number of owners in a sample. */
    public static final int MAX_OWNERS = 20;

    /** The minimum number of agents from which a sample shows anything about the network. */
    public static final int MIN_AGENTS = 20;

    /** The maximum number of owners with {@link #MIN_AGENTS} agents or more in a sample. */
    public static final int MAX_LARGE = 3;

    /** The maximum number of agents in a sample. All other owners have a place for their vote. The sample fits into one write unit. */
    public static final int MAX_AGENTS = MAX_LARGE * MIN_AGENTS + MAX_OWNERS - MAX_LARGE;

    /** The minimum number of hosts from which a sample shows anything about the network. Two hosts may well fail at once. */
    public static final int MIN_HOSTS = 3;

    /** The minimum number of owners whose failures show anything to other owners. With it, no single owner decides for another owner. */
    public static final int MIN_OWNERS = 3;

    /** The sample before the first probe. */
    public static final ProbeSample EMPTY = new ProbeSample(List.of());

    /** The time for which a result stays after its second interval, as a probe may be late. */
    private static final Duration LATE = Duration.ofMinutes(2);

    private static final int MINUTE = 60;

    private static final Comparator<Result> BY_NUMBER =
            Comparator.comparingInt(Result::owner).thenComparingInt(Result::agent);

    public ProbeSample {
        results = List.copyOf(results);
    }

    /**
     * The result of a probe.
     *
     * @param owner the {@linkplain #numberOf number} of the agent's owner, 0 to 65,535
     * @param agent the number of the agent, 0 to 262,143, spread evenly
     * @param host the number of its host, 0 to 65,535
     * @param failed whether the probe failed
     * @param at the end of the probe, in whole seconds
     * @param intervalSeconds the seconds until the next probe, in whole minutes, 60 to 86,400
     */
    public record Result(int owner, int agent, int host, boolean failed, Instant at, int intervalSeconds) {

        /**
         * Returns the result of a probe that ended now.
         *
         * @param owner the {@linkplain OwnerCounts#numberOf number} of the agent's owner
         */
        public static Result of(
                long owner, String agentId, String host, boolean failed, Instant now, int intervalSeconds) {
            return new Result(
                    shortened(owner),
                    spread(agentId) >>> 14,
                    spread(host) >>> 16,
                    failed,
                    Instant.ofEpochSecond(now.getEpochSecond()),
                    MINUTE * ((intervalSeconds + MINUTE - 1) / MINUTE));
        }

        private static int spread(String text) {
            int hash = text.hashCode() * 0x9E3779B9;
            return (hash ^ hash >>> 15) * 0x85EBCA6B;
        }

        /** Returns whether the agent was not probed again in time, so that it is probably gone. */
        private boolean isOutdated(Instant now) {
            return ClockRule.isTooFarAhead(at, ClockRule.MAX_PASS, now)
                    || now.isAfter(at.plusSeconds(2L * intervalSeconds).plus(LATE));
        }
    }

    /** Returns the number of an owner in samples, 0 to 65,535. Two owners with one number are judged like one owner. */
    public static int numberOf(Owner owner) {
        return shortened(OwnerCounts.numberOf(owner));
    }

    private static int shortened(long owner) {
        return (int) owner & 0xFFFF;
    }

    /** Returns the sample with further results, without reserved places. The later result of an agent counts. */
    ProbeSample with(Collection<Result> found, Instant now) {
        return with(found, now, Set.of());
    }

    /**
     * Returns the sample with further results. The later result of an agent counts.
     *
     * @param reserved the owners whose {@link #MIN_AGENTS} places are reserved, at most {@link #MAX_LARGE}
     */
    ProbeSample with(Collection<Result> found, Instant now, Set<Integer> reserved) {
        Map<Result, Result> all = new TreeMap<>(BY_NUMBER);
        results.forEach(result -> all.put(result, result));
        found.forEach(
                result -> all.merge(result, result, (one, other) -> other.at().isBefore(one.at()) ? one : other));
        ProbeSample current = new ProbeSample(
                all.values().stream().filter(result -> !result.isOutdated(now)).toList());
        Set<Integer> owners = presentFirst(current).limit(MAX_OWNERS).collect(Collectors.toSet());
        return current.of(owners).limited(large(current.of(owners), reserved));
    }

    /** Returns the owners in the order in which they get places: owners with places, then newcomers. */
    private Stream<Integer> presentFirst(ProbeSample current) {
        Set<Integer> present = byOwner().keySet();
        return current.byOwner().keySet().stream().sorted(Comparator.comparing(owner -> !present.contains(owner)));
    }

    /** Returns the owners with {@link #MIN_AGENTS} places. */
    private Set<Integer> large(ProbeSample current, Set<Integer> reserved) {
        Map<Integer, ProbeSample> now = current.byOwner();
        Map<Integer, ProbeSample> before = byOwner();
        return presentFirst(current)
                .filter(owner -> reserved.contains(owner) || now.get(owner).isLarge())
                .sorted(Comparator.<Integer, Boolean>comparing(owner -> !reserved.contains(owner))
                        .thenComparing(
                                owner -> !before.getOrDefault(owner, EMPTY).isLarge()))
                .limit(MAX_LARGE)
                .collect(Collectors.toSet());
    }

    /** Returns at most {@link #MAX_AGENTS} of the results. */
    private ProbeSample limited(Set<Integer> large) {
        Set<Result> first = new HashSet<>();
        List<Result> candidates = new ArrayList<>();
        byOwner().forEach((owner, own) -> {
            boolean isLarge = large.contains(owner);
            List<Result> inTurns = TurnRule.inTurns(own.results(), Result::host);
            inTurns.stream().limit(isLarge ? MIN_AGENTS : 1).forEach(first::add);
            // If the maximum number of owners is large, another owner does not become large in places that are free
            // for a short time.
            boolean mayGrow = isLarge || large.size() < MAX_LARGE;
            inTurns.stream().limit(mayGrow ? MAX_AGENTS : MIN_AGENTS - 1).forEach(candidates::add);
        });
        Map<Boolean, List<Result>> byPlace = TurnRule.inTurns(candidates, Result::owner).stream()
                .collect(Collectors.partitioningBy(first::contains));
        return new ProbeSample(Stream.concat(byPlace.get(true).stream(), byPlace.get(false).stream())
                .limit(MAX_AGENTS)
                .sorted(BY_NUMBER)
                .toList());
    }

    /** Returns the results of each owner, by the owner's number. */
    public Map<Integer, ProbeSample> byOwner() {
        Map<Integer, ProbeSample> owners = new TreeMap<>();
        results.stream()
                .collect(Collectors.groupingBy(Result::owner))
                .forEach((owner, own) -> owners.put(owner, new ProbeSample(own)));
        return owners;
    }

    /** Returns the results of these owners. */
    public ProbeSample of(Set<Integer> owners) {
        return new ProbeSample(results.stream()
                .filter(result -> owners.contains(result.owner()))
                .toList());
    }

    /** Returns whether the sample is large enough to show anything about the network. */
    public boolean isLarge() {
        return results.size() >= MIN_AGENTS && hosts() >= MIN_HOSTS;
    }

    /** Returns whether the sample is large enough, and has enough owners, to show anything to an owner with few agents. */
    public boolean isLargeForAll() {
        return isLarge() && byOwner().size() >= MIN_OWNERS;
    }

    /** Returns whether most agents failed at once, and most agents of most hosts. For the results of one owner. */
    public boolean isInconclusive() {
        return isLarge() && mostFailed();
    }

    /**
     * Returns whether so many owners failed at once that probes are inconclusive for owners with few agents. Each owner has one vote, however many
     * agents it has. Owners that fail on the same host have one vote together: the host may have failed.
     */
    public boolean isInconclusiveForAll() {
        Set<Integer> failedHosts = new HashSet<>();
        int answering = 0;
        for (ProbeSample own : byOwner().values()) {
            if (own.mostFailed()) {
                failedHosts.add(own.firstFailedHost());
            } else {
                answering++;
            }
        }
        return isLarge() && failedHosts.size() >= MIN_OWNERS && failedHosts.size() > answering;
    }

    /** Returns the number of agents whose last probe failed. */
    public long failed() {
        return results.stream().filter(Result::failed).count();
    }

    /** Returns whether an agent answered its last probe. */
    public boolean hasAnswer() {
        return failed() < results.size();
    }

    /** Returns whether agents of more than one owner answered their last probes. */
    public boolean hasAnswersOfOwners() {
        return byOwner().values().stream().filter(ProbeSample::hasAnswer).count() > 1;
    }

    /** Returns the number of hosts. */
    public long hosts() {
        return results.stream().mapToInt(Result::host).distinct().count();
    }

    /** Returns whether most agents failed, and most agents of most hosts, however few agents there are. */
    boolean mostFailed() {
        return 2L * failed() > results.size() && 2L * failedHosts() > hosts();
    }

    private int firstFailedHost() {
        return results.stream()
                .filter(Result::failed)
                .mapToInt(Result::host)
                .min()
                .orElseThrow();
    }

    private long failedHosts() {
        Map<Integer, Integer> balance = new HashMap<>();
        results.forEach(result -> balance.merge(result.host(), result.failed() ? 1 : -1, Integer::sum));
        return balance.values().stream().filter(failures -> failures > 0).count();
    }
}
