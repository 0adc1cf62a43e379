package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The behaviour of an agent or a provider in its latest calls (ServiceNet, Health status meanings). */
public enum OnlineStatus implements WireNamed {
    /** The agent was never called. */
    UNKNOWN,
    /** The agent answers correctly. */
    ONLINE,
    /** The agent answers, but fails too often or takes too long. */
    DEGRADED,
    /** All recent calls failed. */
    OFFLINE;

    /** The number of latest calls that count. */
    public static final int MAX_CALLS = 20;

    /** The age above which a call does not count while there is a younger call. */
    public static final Duration RECENT = Duration.ofHours(24);

    private static final int MAX_FAILED_PERCENT = 5;

    /**
     * Returns the status by the last {@link #MAX_CALLS} calls of the last {@link #RECENT}. Without a call in that time, the status is judged as of
     * the latest call, so it does not change.
     *
     * <p>More than {@value #MAX_FAILED_PERCENT} % failed calls are too many, computed with whole numbers. The latency is too long if the median of
     * all latencies, each divided by its limit, is above 1 (nearest rank, failed calls included). For one agent, this is a median above three times
     * its declared baseline.
     *
     * @param latest the calls, the latest first, each with its own limit; calls after the first {@link #MAX_CALLS} may be missing
     */
    public static OnlineStatus of(List<Call> latest, Instant now) {
        if (latest.isEmpty()) {
            return UNKNOWN;
        }
        Instant asOf =
                latest.get(0).at().isBefore(now.minus(RECENT)) ? latest.get(0).at() : now;
        List<Call> recent = latest.stream()
                .limit(MAX_CALLS)
                .filter(call -> !call.at().isBefore(asOf.minus(RECENT)))
                .toList();
        long failed = recent.stream().filter(call -> !call.success()).count();
        if (failed == recent.size()) {
            return OFFLINE;
        }
        boolean tooMany = 100 * failed > MAX_FAILED_PERCENT * recent.size();
        return tooMany || medianRatio(recent) > 1 ? DEGRADED : ONLINE;
    }

    /** Returns the status of an agent. Its current expectations give the limit for all calls. */
    public static OnlineStatus of(List<Call> latest, Expectations expected, Instant now) {
        double limitMs = expected.latencyLimitMs().orElse(Call.NO_LIMIT);
        return of(latest.stream().map(call -> call.limitedTo(limitMs)).toList(), now);
    }

    private static double medianRatio(List<Call> calls) {
        double[] sorted =
                calls.stream().mapToDouble(Call::latencyRatio).sorted().toArray();
        return sorted[(sorted.length - 1) / 2];
    }
}
