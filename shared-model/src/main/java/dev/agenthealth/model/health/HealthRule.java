package dev.agenthealth.model.health;

import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Computes an agent's health from its outcomes, its profile and its lifecycle status. */
public final class HealthRule {

    private static final double MILLIS_PER_HOUR = 3_600_000;
    private static final int MEDIAN = 50;
    private static final int P99 = 99;
    private static final MathContext QUANTILE_PRECISION = new MathContext(2, RoundingMode.HALF_UP);

    private HealthRule() {}

    /**
     * An agent's lifecycle status.
     *
     * @param status the status
     * @param since the start of this status
     */
    public record Lifecycle(LifecycleStatus status, Instant since) {}

    /** Returns the part of the agent's health documents that does not follow from outcomes. */
    public static HealthSubject subject(AgentProfile profile) {
        return new HealthSubject(
                profile.description().agentUri(),
                !profile.agentInterface().endpoint().isEmpty(),
                profile.description().personal(),
                profile.history().startedAt(),
                profile.history().restarts(),
                profile.basis().model().changedAt(),
                profile.agentInterface().updatedAt());
    }

    /**
     * Computes the figures of the outcomes of two windows.
     *
     * @param current the outcomes of the window that ends now, with their latencies
     * @param previous the outcomes of the previous window
     * @param measuredFrom the agent's first registration, or the restart of its measurement; the time over which failures are counted begins there
     */
    public static Measurement measurement(
            Expectations expectations,
            OutcomeCounts current,
            OutcomeCounts previous,
            Instant measuredFrom,
            Instant now) {
        double p99 = p99(expectations, current);
        return new Measurement(
                expectations,
                current.withoutLatencies(),
                Math.min(quantile(current, MEDIAN), p99),
                p99,
                previous.successes(),
                previous.executions(),
                observedHours(expectations.window(), measuredFrom, now));
    }

    /** Returns a quantile with two significant digits, the precision of the buckets. For runs of 30,000 ms it is 30,000 and not 29,571.4. */
    private static double quantile(OutcomeCounts counts, int percent) {
        return BigDecimal.valueOf(counts.latencies().quantile(percent))
                .round(QUANTILE_PRECISION)
                .doubleValue();
    }

    /**
     * Returns the 99th percentile, on the same side of the limit as the exact counts. The value of a bucket that contains the limit may be on the
     * other side.
     */
    private static double p99(Expectations expectations, OutcomeCounts counts) {
        double p99 = quantile(counts, P99);
        if (expectations.latencyLimitMs().isEmpty()) {
            return p99;
        }
        BigDecimal highest = BigDecimal.valueOf(expectations.latencyLimitMs().getAsDouble())
                .round(new MathContext(QUANTILE_PRECISION.getPrecision(), RoundingMode.FLOOR));
        return Measurement.isTooSlow(expectations, counts)
                ? Math.max(p99, highest.add(highest.ulp()).doubleValue())
                : Math.min(p99, highest.doubleValue());
    }

    /** Returns the hours over which failures are counted: the window or the age of the measurement, at least 1. */
    static double observedHours(MeasurementWindow window, Instant measuredFrom, Instant now) {
        Duration age = Duration.between(measuredFrom, now);
        Duration observed = age.compareTo(window.length()) < 0 ? age : window.length();
        return Math.max(1, observed.toMillis() / MILLIS_PER_HOUR);
    }

    /**
     * Returns the health of an agent now. Published values stay unchanged. A current value that changed holds since now.
     *
     * @param before the last computed health; empty for the first computation
     */
    public static AgentHealth computed(
            String agentId,
            HealthSubject subject,
            Measurement measurement,
            Lifecycle lifecycle,
            Optional<AgentHealth> before,
            Instant now) {
        Published<HealthStatus> status =
                before.map(AgentHealth::publishedStatus).orElseGet(() -> Published.initially(HealthStatus.UNKNOWN));
        Published<ScoreState> score =
                before.map(AgentHealth::publishedScore).orElseGet(() -> Published.initially(ScoreState.INACTIVE));
        boolean sameStatus = before.map(AgentHealth::status)
                .filter(measurement.status(lifecycle.status())::equals)
                .isPresent();
        boolean sameScore = before.map(health -> health.score().state())
                .filter(measurement.score().state()::equals)
                .isPresent();
        return new AgentHealth(
                agentId,
                now,
                subject,
                measurement,
                lifecycle.status(),
                lastHealthyAt(measurement, lifecycle, before, now),
                sameStatus ? status : status.changed(now),
                before.map(AgentHealth::lastKnownPublished).orElse(HealthStatus.UNKNOWN),
                sameScore ? score : score.changed(now));
    }

    /**
     * Returns the last moment at which the agent was healthy, under a lifecycle status that may be newer than its computed health. It is now if the
     * agent is still healthy, and {@link Instant#MIN} if it never was (Agent Health State §4.3).
     */
    public static Instant lastHealthyAt(AgentHealth health, Lifecycle lifecycle, Instant now) {
        return lastHealthyAt(health.measurement(), lifecycle, Optional.of(health), now);
    }

    private static Instant lastHealthyAt(
            Measurement measurement, Lifecycle lifecycle, Optional<AgentHealth> before, Instant now) {
        if (!lifecycle.status().hasEnded() && measurement.status(lifecycle.status()) == HealthStatus.HEALTHY) {
            return now;
        }
        Instant known = before.map(AgentHealth::lastHealthyAt).orElse(Instant.MIN);
        boolean wasHealthy = before.filter(health -> !health.lifecycle().hasEnded())
                .map(AgentHealth::status)
                .filter(HealthStatus.HEALTHY::equals)
                .isPresent();
        if (!wasHealthy) {
            return known;
        }
        boolean byLifecycle = measurement.status(LifecycleStatus.ACTIVE) == HealthStatus.HEALTHY;
        // A status change in the future of this clock counts as a change now.
        Instant ended = byLifecycle && lifecycle.since().isBefore(now) ? lifecycle.since() : now;
        return ended.isBefore(known) ? known : ended;
    }
}
