package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The latest probe results of some watched agents that are neither dead nor deregistered. Immutable.
 *
 * <p>If most probes of the sample fail at once, the cause is more likely the registry's network than the agents. Agents are chosen by their number,
 * so that every run has the same agents in its sample.
 *
 * @param results the results by agent, in the order of their numbers
 */
public record ProbeSample(List<Result> results) {

    /** The maximum number of agents in a sample. With it, the item of the sample fits into one write unit. */
    public static final int MAX_AGENTS = 40;

    /** The minimum number of agents from which a sample shows anything about the network. */
    public static final int MIN_AGENTS = 20;

    /** The minimum number of hosts from which a sample shows anything about the network. Two hosts may well fail at once. */
    public static final int MIN_HOSTS = 3;

    /** The sample before the first probe. */
    public static final ProbeSample EMPTY = new ProbeSample(List.of());

    /** The time for which a result stays after its second interval, as a probe may be late. */
    private static final Duration LATE = Duration.ofMinutes(2);

    public ProbeSample {
        results = List.copyOf(results);
    }

    /**
     * The result of a probe.
     *
     * @param agent the number of the agent, spread evenly over all integers
     * @param host the number of its host, 0 to 65,535
     * @param failed whether the probe failed
     * @param at the end of the probe, in whole seconds
     * @param intervalSeconds the seconds until the next probe, 1 to 86,400
     */
    public record Result(int agent, int host, boolean failed, Instant at, int intervalSeconds) {

        /** Returns the result of a probe that ended now. */
        public static Result of(String agentId, String host, boolean failed, Instant now, int intervalSeconds) {
            return new Result(
                    spread(agentId),
                    spread(host) >>> 16,
                    failed,
                    Instant.ofEpochSecond(now.getEpochSecond()),
                    intervalSeconds);
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

    /** Returns the sample with further results. The later result of an agent counts. */
    public ProbeSample with(Collection<Result> found, Instant now) {
        TreeMap<Integer, Result> all = new TreeMap<>();
        results.forEach(result -> all.put(result.agent(), result));
        found.forEach(result ->
                all.merge(result.agent(), result, (one, other) -> other.at().isBefore(one.at()) ? one : other));
        return new ProbeSample(all.values().stream()
                .filter(result -> !result.isOutdated(now))
                .limit(MAX_AGENTS)
                .toList());
    }

    /** Returns whether the sample is large enough to show anything about the network. */
    public boolean isLarge() {
        return results.size() >= MIN_AGENTS && hosts() >= MIN_HOSTS;
    }

    /** Returns whether most agents failed at once, and most agents of most hosts. */
    public boolean isInconclusive() {
        return isLarge() && 2L * failed() > results.size() && 2L * failedHosts() > hosts();
    }

    /** Returns the number of agents whose last probe failed. */
    public long failed() {
        return results.stream().filter(Result::failed).count();
    }

    /** Returns the number of hosts. */
    public long hosts() {
        return results.stream().mapToInt(Result::host).distinct().count();
    }

    private long failedHosts() {
        Map<Integer, Integer> balance = new HashMap<>();
        results.forEach(result -> balance.merge(result.host(), result.failed() ? 1 : -1, Integer::sum));
        return balance.values().stream().filter(failures -> failures > 0).count();
    }
}
