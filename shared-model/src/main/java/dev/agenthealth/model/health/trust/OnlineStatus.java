package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The behaviour of an agent or a provider in recent calls (ServiceNet, Health status meanings). */
public enum OnlineStatus implements WireNamed {
    /** It was never called. */
    UNKNOWN,
    /** It answers as it should. */
    ONLINE,
    /** It answers, but fails too often or takes too long. */
    DEGRADED,
    /** All recent calls failed. */
    OFFLINE;

    /** Number of latest calls that count. */
    public static final int MAX_CALLS = 20;

    /** Calls older than this are not looked at as long as there is a younger one. */
    public static final Duration RECENT = Duration.ofHours(24);

    private static final int MAX_FAILED_PERCENT = 5;

    /**
     * The status by the last {@link #MAX_CALLS} calls of the last {@link #RECENT}. Where there was none in that time, the last status stays: it is
     * judged as of the latest call.
     *
     * <p>More than {@value #MAX_FAILED_PERCENT} % failed calls are too many, by whole numbers. The latency is too long where the median (nearest
     * rank, failed calls included) of latencies divided by their limits is above 1: for one agent, where the median latency is above three
     * times its declared baseline.
     *
     * @param latest calls, the latest first, each with its own limit; the last ones may be missing where there are more than {@link #MAX_CALLS}
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

    /** The status of an agent, whose calls are all judged by what it declares now. */
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
