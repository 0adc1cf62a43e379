package dev.agenthealth.model.registry.upstream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides when failing calls of many agents are one problem of their provider.
 *
 * <p>The problem begins when {@value #MIN_AGENTS} agents meet failures within {@link #TOGETHER}, and these agents have {@value #MIN_OWNERS} owners or
 * are a third of all agents that use the provider. It ends when fewer than {@value #MIN_FAILING} agents met failures within {@link #QUIET}. The end
 * needs fewer agents and a longer time than the beginning, so that a provider that fails now and then is one problem.
 */
public final class UpstreamRule {

    /** The minimum number of agents at the beginning. */
    public static final int MIN_AGENTS = 5;

    /** The minimum number of owners of these agents. */
    public static final int MIN_OWNERS = 2;

    /** The share of the users that suffices without a second owner: one in this number. */
    public static final int SHARE = 3;

    /** The number of failing agents below which the problem ends. */
    public static final int MIN_FAILING = 3;

    /** The time within which agents meet failures together. */
    public static final Duration TOGETHER = Duration.ofMinutes(3);

    /** The time over which failures count for the end. */
    public static final Duration QUIET = Duration.ofMinutes(5);

    /** The time for which an agent counts as a user of a provider after its last call. */
    public static final Duration USE = Duration.ofHours(2);

    /** The maximum number of problems at a time. */
    public static final int MAX_PROBLEMS = 50;

    private UpstreamRule() {}

    /**
     * The change of the problem of a provider.
     *
     * @param before the problem before; empty if it begins
     * @param after the problem after; empty if it is over
     */
    public record Change(Optional<UpstreamProblem> before, Optional<UpstreamProblem> after) {

        /** Returns whether the problem begins. */
        public boolean begins() {
            return before.isEmpty();
        }

        /** Returns whether the problem is over. */
        public boolean isOver() {
            return after.isEmpty();
        }
    }

    /**
     * Returns the changes of all problems.
     *
     * @param uses the last calls of all agents
     * @param open the present problems
     * @param heardFrom the moment from which the registry hears of calls again, after a time in which it was down
     */
    public static List<Change> changes(List<UpstreamUse> uses, Upstreams open, Instant heardFrom, Instant now) {
        List<Change> changes = new ArrayList<>();
        Map<String, List<UpstreamUse>> failing = failing(uses, now);
        for (UpstreamProblem before : open.problems()) {
            String provider = before.provider();
            boolean quiet = failing.getOrDefault(provider, List.of()).size() < MIN_FAILING;
            if (quiet && !heardFrom.plus(QUIET).isAfter(now)) {
                changes.add(new Change(Optional.of(before), Optional.empty()));
            } else {
                UpstreamProblem after =
                        problem(provider, before.since(), before.counts().most(), uses, now);
                if (!after.equals(before)) {
                    changes.add(new Change(Optional.of(before), Optional.of(after)));
                }
            }
        }
        long places = MAX_PROBLEMS
                - open.problems().size()
                + changes.stream().filter(Change::isOver).count();
        failing.entrySet().stream()
                .filter(provider -> open.ofProvider(provider.getKey()).isEmpty())
                .filter(provider -> begins(provider.getKey(), provider.getValue(), uses, now))
                .sorted(Comparator.<Map.Entry<String, List<UpstreamUse>>>comparingInt(
                                provider -> -provider.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .limit(Math.max(0, places))
                .map(provider -> problem(provider.getKey(), now, 0, uses, now))
                .forEach(after -> changes.add(new Change(Optional.empty(), Optional.of(after))));
        return changes;
    }

    private static boolean begins(String provider, List<UpstreamUse> failing, List<UpstreamUse> uses, Instant now) {
        List<UpstreamUse> together = failing.stream()
                .filter(use -> use.isFailing(provider, now.minus(TOGETHER)))
                .toList();
        if (together.size() < MIN_AGENTS) {
            return false;
        }
        return owners(together) >= MIN_OWNERS || (long) together.size() * SHARE >= users(provider, uses, now);
    }

    /** Returns the agents that met failures within {@link #QUIET}, by provider. */
    private static Map<String, List<UpstreamUse>> failing(List<UpstreamUse> uses, Instant now) {
        Instant since = now.minus(QUIET);
        Map<String, List<UpstreamUse>> failing = new HashMap<>();
        for (UpstreamUse use : uses) {
            Set<String> providers = use.calls().entries().stream()
                    .filter(entry -> entry.isFailing() && !entry.at().isBefore(since))
                    .map(UpstreamCalls.Entry::provider)
                    .collect(Collectors.toSet());
            providers.forEach(provider ->
                    failing.computeIfAbsent(provider, name -> new ArrayList<>()).add(use));
        }
        return failing;
    }

    /**
     * Returns a problem with its present numbers. Agents whose last call failed are concerned until a call of them is answered, even if they make no
     * call for a while.
     */
    private static UpstreamProblem problem(
            String provider, Instant since, long most, List<UpstreamUse> uses, Instant now) {
        Instant from = since.minus(QUIET);
        List<UpstreamUse> concerned =
                uses.stream().filter(use -> use.isFailing(provider, from)).toList();
        Set<Integer> numbers = new HashSet<>();
        concerned.stream()
                .limit(UpstreamProblem.MAX_CONCERNED)
                .forEach(use -> numbers.add(UpstreamProblem.numberOf(use.agentId())));
        Stream<UpstreamCalls.Entry> entries = concerned.stream()
                .flatMap(use -> use.calls().entries().stream())
                .filter(entry -> entry.provider().equals(provider)
                        && entry.isFailing()
                        && !entry.at().isBefore(from));
        return new UpstreamProblem(
                provider,
                since,
                new UpstreamProblem.Counts(
                        concerned.size(),
                        Math.max(most, concerned.size()),
                        owners(concerned),
                        users(provider, uses, now),
                        UpstreamFigures.of(entries.toList())),
                numbers);
    }

    private static long owners(List<UpstreamUse> uses) {
        return uses.stream().map(UpstreamUse::owner).distinct().count();
    }

    private static long users(String provider, List<UpstreamUse> uses, Instant now) {
        return uses.stream().filter(use -> use.uses(provider, now)).count();
    }
}
